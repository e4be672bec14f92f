// Reads that depend on a status of types that are both read and shared.
import HealthKit

@MainActor final class SymptomList {
    private let store: HKHealthStore
    private let types: Set<HKSampleType> = [HKCategoryType(.headache), HKCategoryType(.nausea)]
    private var isReady = false
    private(set) var samples: [HKSample] = []
    private(set) var note = ""

    init(store: HKHealthStore) { self.store = store }

    func open() async throws {
        try await store.requestAuthorization(toShare: types, read: types)
        isReady = types.contains {
            store.authorizationStatus(for: $0) == .sharingAuthorized  // finds read-status
        }
        if isReady {
            load()
        } else {
            note = "Please allow reading symptoms in Settings."
        }
    }

    private func load() {
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.headache), predicate: nil, limit: 50, sortDescriptors: nil
        ) { _, samples, error in
            if let error { return print(error) }
            Task { @MainActor in self.samples = samples ?? [] }
        }
        store.execute(query)
    }

    private func mayRead(_ type: HKSampleType) -> Bool {
        store.authorizationStatus(for: type) != .sharingDenied  // finds read-status
    }

    func recent(_ type: HKSampleType) async throws -> [HKSample] {
        guard mayRead(type) else { return [] }
        return try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [], limit: 20
        ).result(for: store)
    }

    func log(_ date: Date) async throws {
        try await store.save(
            HKCategorySample(
                type: HKCategoryType(.headache),
                value: HKCategoryValueSeverity.mild.rawValue, start: date, end: date))
    }
}
