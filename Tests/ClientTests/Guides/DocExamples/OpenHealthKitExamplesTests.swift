import Foundation
import HealthKit
import Testing

/// The examples in OpenHealthKit's doc comments: the store and what surrounds it.
@Suite struct OpenHealthKitExamplesTests {
    let steps = HKQuantityType(.stepCount)
    let start = Date(timeIntervalSinceReferenceDate: 796_899_600)

    private func sample(_ count: Double, after seconds: TimeInterval = 0) -> HKQuantitySample {
        let begin = start.addingTimeInterval(seconds)
        return HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: begin,
            end: begin.addingTimeInterval(60))
    }

    @Test("the default store of a test run grants what is requested")
    func defaultStore() async throws {
        let store = HKHealthStore()
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
        #expect(HKHealthStore.isHealthDataAvailable())
    }

    @Test("a store in memory grants what is requested")
    func inMemory() async throws {
        let store = HKHealthStore.inMemory()
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
    }

    @Test("two handles of one store can act as two apps")
    func identities() {
        let phone = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks", name: "Walks"))
        let scale = phone.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
        #expect(phone.identity.name == "Walks")
        #expect(scale.identity.name == "Scale")
    }

    @Test("code runs as the app passed to withCurrent")
    func currentIdentity() async throws {
        let scale = AppIdentity("com.example.scale")
        try await AppIdentity.withCurrent(scale) { try await ScaleSync(HKHealthStore()).run() }
    }

    @Test("a type can be denied while the others are granted")
    func policy() async throws {
        var configuration = HealthStoreConfiguration()
        configuration.authorization = .types([HKQuantityType(.heartRate): .denied])
        let store = HKHealthStore.inMemory(configuration: configuration)
        let pulse = HKQuantityType(.heartRate)
        try await store.requestAuthorization(toShare: [steps, pulse], read: [])
        #expect(store.authorizationStatus(for: pulse) == .sharingDenied)
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
    }

    @Test("a permission can be changed later, as in Settings")
    func revocation() async throws {
        let store = HKHealthStore.inMemory()
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        try store.setAuthorization(.readOnly, for: [HKQuantityType(.stepCount)])
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
    }

    @Test("findings are delivered until the task is cancelled")
    func diagnostics() async {
        let store = HKHealthStore.inMemory()
        let task = Task { await printFindings(of: store) }
        task.cancel()
        await task.value
    }

    @Test("work of a manual clock runs when the clock is advanced")
    func clock() {
        let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 0))
        let store = HKHealthStore.inMemory(configuration: .init(clock: clock))
        clock.advance(by: 3600)
        #expect(clock.now == Date(timeIntervalSinceReferenceDate: 3600))
        #expect(store.protectedData.isAccessible)
    }

    @Test("samples saved while the device is locked can be read after the unlock")
    func lock() async throws {
        let store = HKHealthStore.inMemory()
        let sample = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 842), start: start,
            end: start)
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        store.protectedData.lock()
        try await store.save(sample)
        store.protectedData.unlock()
        #expect(!store.protectedData.isLocked)
    }

    @Test("a suspended app receives hourly deliveries at most")
    func backgroundDelivery() async throws {
        let clock = ManualClock(start)
        let store = HKHealthStore.inMemory(configuration: .init(clock: clock))
        let watch = store.withIdentity(AppIdentity("com.example.watch", name: "Watch"))
        try await store.requestAuthorization(toShare: [], read: [steps])
        try await watch.requestAuthorization(toShare: [steps], read: [])
        let observer = HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in done() }
        store.execute(observer)
        defer { store.stop(observer) }
        let (walk, anotherWalk) = (sample(100), sample(50, after: 120))

        try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
        store.backgroundDelivery.suspend()
        try await watch.save(walk)
        try await watch.save(anotherWalk)
        clock.advance(by: 3600)
        #expect(store.backgroundDelivery.isSuspended)
    }
}

private func printFindings(of store: HKHealthStore) async {
    for await finding in store.diagnostics.stream { print(finding) }
}

/// An app that makes its own store.
private struct ScaleSync {
    let store: HKHealthStore

    init(_ store: HKHealthStore) { self.store = store }

    func run() async throws { #expect(store.identity.bundleIdentifier == "com.example.scale") }
}
