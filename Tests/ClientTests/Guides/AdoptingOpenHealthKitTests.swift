import Foundation
import HealthKit
import Testing

/// Logs body mass, and reads what the app itself has logged.
struct WeightLog {
    let store: HKHealthStore
    private let mass = HKQuantityType(.bodyMass)

    init(store: HKHealthStore = HKHealthStore()) { self.store = store }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [mass], read: [mass])
    }

    func log(_ kilograms: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
        try await store.save(
            HKQuantitySample(type: mass, quantity: quantity, start: date, end: date))
    }

    func ownWeights() async throws -> [Double] {
        let own = HKQuery.predicateForObjects(from: HKSource.default())
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: mass, predicate: own)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        return samples.map { $0.quantity.doubleValue(for: .gramUnit(with: .kilo)) }
    }
}

/// The snippets of the article "Adopting OpenHealthKit in an existing app".
@Suite struct AdoptingOpenHealthKitTests {
    let date = Date(timeIntervalSinceReferenceDate: 796_899_600)

    @Test("a predicate selects the app's own weights among those of a scale")
    func ownWeights() async throws {
        let store = HKHealthStore.inMemory(identity: AppIdentity("com.example.diary"))
        let log = WeightLog(store: store)
        try await log.authorize()
        try await log.log(71.4, at: date)

        let scale = WeightLog(store: store.withIdentity(AppIdentity("com.example.scale")))
        try await scale.authorize()
        try await scale.log(71.9, at: date)

        #expect(try await log.ownWeights() == [71.4])
    }

    @Test("code that creates its own store runs as the app that a test sets")
    func identity() {
        let app = AppIdentity("com.example.diary", name: "Diary")
        let log = AppIdentity.withCurrent(app) { WeightLog() }
        #expect(log.store.identity == app)
    }

    @Test("the app's use of the store gives no findings")
    func findings() async throws {
        let store = HKHealthStore.inMemory()
        let log = WeightLog(store: store)
        try await log.authorize()
        _ = try await log.ownWeights()
        #expect(store.diagnostics.findings.map(\.description) == [])
    }
}
