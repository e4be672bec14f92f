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

/// The test in `Documentation/Adopting.md`.
@Test("a walk that two devices recorded is counted once")
func walkIsCountedOnce() async throws {
    let store = HKHealthStore.inMemory()
    let steps = HKQuantityType(.stepCount)
    // The product types make them rank as a Watch and an iPhone.
    let watch = store.withIdentity(
        AppIdentity("com.apple.health.watch", name: "Watch", productType: "Watch6,1"))
    let phone = store.withIdentity(
        AppIdentity("com.apple.health.phone", name: "iPhone", productType: "iPhone14,2"))

    // Each identity has its own permissions.
    try await store.requestAuthorization(toShare: [], read: [steps])
    try await watch.requestAuthorization(toShare: [steps], read: [])
    try await phone.requestAuthorization(toShare: [steps], read: [])

    func walk(_ count: Double, from start: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: start,
            end: start.addingTimeInterval(600))
    }
    let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
    try await watch.save(walk(842, from: start))
    try await phone.save(walk(300, from: start.addingTimeInterval(300)))

    // The Watch covers five of the iPhone's ten minutes, so 150 of the 300 steps are duplicates.
    let statistics = try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: steps), options: .cumulativeSum
    ).result(for: store)
    #expect(statistics?.sumQuantity()?.doubleValue(for: .count()) == 992)
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
