import Foundation
import HealthKit
import HealthSimulator
import Testing

/// The snippets of the article "Testing a HealthKit app without a phone".
@Suite struct TestingWithoutAPhoneTests {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 796_899_600))
    let steps = HKQuantityType(.stepCount)
    let nine: Date
    let store: HKHealthStore

    init() async throws {
        nine = clock.now
        store = .inMemory(configuration: HealthStoreConfiguration(clock: clock))
        try await store.requestAuthorization(toShare: [], read: [steps])
    }

    /// Returns the steps in the store, without double counting; nil without any.
    func counted() async throws -> Double? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    @Test("a denied type looks like a type without data")
    func deniedPermission() async throws {
        let pulse = HKQuantityType(.heartRate)
        var configuration = HealthStoreConfiguration()
        configuration.authorization = .custom { prompt in
            prompt.app.bundleIdentifier == "com.example.app" ? .denied : .granted
        }
        let store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.app"), configuration: configuration)
        let watch = store.withIdentity(.watch(named: "Watch"))
        try await watch.requestAuthorization(toShare: [pulse], read: [])
        let rate = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60)
        try await watch.save(HKQuantitySample(type: pulse, quantity: rate, start: nine, end: nine))

        try await store.requestAuthorization(toShare: [], read: [pulse])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: pulse)], sortDescriptors: [], limit: 10
        ).result(for: store)
        #expect(samples.isEmpty)
    }

    @Test("while the device is locked, reads fail and saves are kept")
    func lockedPhone() async throws {
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        store.protectedData.lock()
        let walk = HKQuantity(unit: .count(), doubleValue: 100)
        try await store.save(
            HKQuantitySample(
                type: steps, quantity: walk, start: nine, end: nine.addingTimeInterval(60)))
        let error = await #expect(throws: HKError.self) { try await counted() }
        #expect(error?.code == .errorDatabaseInaccessible)

        store.protectedData.unlock()
        #expect(try await counted() == 100)
    }

    @Test("a Watch that syncs eleven hours late changes the total at the sync")
    func lateWatch() async throws {
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"))
        let phone = script.add(.phone(named: "iPhone"))
        script.measure(.quantity(.stepCount, 100, unit: .count()), from: nine, for: 600, on: watch)
        script.measure(
            .quantity(.stepCount, 60, unit: .count()), from: nine.addingTimeInterval(300),
            for: 600, on: phone)
        script.goOffline(watch, from: nine, for: 11 * 3600)

        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(3600))
        #expect(try await counted() == 60)
        try await devices.run(until: nine.addingTimeInterval(12 * 3600))
        #expect(try await counted() == 130)
    }

    @Test("a deletion is returned with the next anchor")
    func deletion() async throws {
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"), delay: 0)
        let walk = script.measure(
            .quantity(.stepCount, 100, unit: .count()), from: nine, for: 600, on: watch)
        script.delete(walk, at: nine.addingTimeInterval(3600))

        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(600))
        let first = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: steps)], anchor: nil
        ).result(for: store)
        #expect(first.addedSamples.count == 1)

        try await devices.run(until: nine.addingTimeInterval(3600))
        let second = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: steps)], anchor: first.newAnchor
        ).result(for: store)
        #expect(second.addedSamples.isEmpty)
        #expect(second.deletedObjects.map(\.uuid) == first.addedSamples.map(\.uuid))
    }

    @Test("a sample that an app saves twice is counted twice")
    func duplicate() async throws {
        var script = DeviceScript()
        let tracker = script.add(AppIdentity("com.example.tracker", name: "Tracker"), delay: 0)
        let walk = script.measure(
            .quantity(.stepCount, 100, unit: .count()), from: nine, for: 600, on: tracker)
        script.duplicate(walk, at: nine.addingTimeInterval(900))

        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(3600))
        #expect(try await counted() == 200)
    }

    @Test("samples keep their time zone while travelling; the calendar determines the day")
    func travel() async throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"), delay: 0, timeZone: berlin)
        script.measure(.quantity(.stepCount, 100, unit: .count()), from: nine, for: 600, on: watch)
        script.travel(watch, to: tokyo, at: nine.addingTimeInterval(6 * 3600))
        script.measure(
            .quantity(.stepCount, 50, unit: .count()), from: nine.addingTimeInterval(8 * 3600),
            for: 600, on: watch)

        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(24 * 3600))
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)],
            sortDescriptors: [SortDescriptor(\.startDate)], limit: 10
        ).result(for: store)
        let zones = samples.map { $0.metadata?[HKMetadataKeyTimeZone] as? String }
        #expect(zones == ["Europe/Berlin", "Asia/Tokyo"])
        #expect(try await daily(in: berlin) == [150])
        #expect(try await daily(in: tokyo) == [100, 50])
    }

    /// Returns the steps of each day with steps, in a time zone.
    func daily(in zone: TimeZone) async throws -> [Double?] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var interval = DateComponents(day: 1)
        interval.calendar = calendar
        let days = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum,
            anchorDate: calendar.startOfDay(for: nine), intervalComponents: interval
        ).result(for: store)
        return days.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
    }
}
