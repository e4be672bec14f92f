// Keys and anchors that callers give, one for each type.
import HealthKit

struct KeyedSync {
    let store: HKHealthStore
    let anchors: AnchorFile

    func everything() async throws {
        try await pull(.stepCount, key: "steps")
        try await pull(.heartRate, key: "heart")
        try await pull(.bodyMass, since: anchors.load("mass"))
    }

    private func pull(_ id: HKQuantityTypeIdentifier, key: String) async throws {
        let data = UserDefaults.standard.data(forKey: key)
        let anchor = try data.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(id))], anchor: anchor
        ).result(for: store)
        print(result)
    }

    private func pull(_ id: HKQuantityTypeIdentifier, since anchor: HKQueryAnchor?) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(id))], anchor: anchor
        ).result(for: store)
        print(result)
    }
}
