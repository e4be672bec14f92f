import Foundation
import HealthSimulator
import OpenHealthKit
import Testing

/// A live builder's delegate that counts the deliveries of each type.
// Unchecked: the set is accessed only while the lock is held.
private final class CollectedTypes: NSObject, HKLiveWorkoutBuilderDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var types: Set<HKSampleType> = []
    private var events = 0

    var collected: Set<HKSampleType> { lock.withLock { types } }
    var eventCount: Int { lock.withLock { events } }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) { lock.withLock { types.formUnion(collectedTypes) } }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        lock.withLock { events += 1 }
    }
}

@Suite("The sensors of a workout")
struct WorkoutSensorTests {
    private let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 800_000_000))
    private let store: HKHealthStore
    private let kilocalorie = HKUnit.kilocalorie()
    private let perMinute = HKUnit.count().unitDivided(by: .minute())

    init() async throws {
        store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.run"),
            configuration: HealthStoreConfiguration(clock: clock))
        let types: Set<HKSampleType> = [
            .workoutType(), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.basalEnergyBurned), HKQuantityType(.distanceWalkingRunning),
            HKQuantityType(.distanceSwimming), HKQuantityType(.swimmingStrokeCount),
        ]
        try await store.requestAuthorization(toShare: types, read: types)
    }

    private func session(_ activity: HKWorkoutActivityType) throws -> HKWorkoutSession {
        try HKWorkoutSession(healthStore: store, configuration: configuration(activity))
    }

    private func configuration(_ activity: HKWorkoutActivityType) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return configuration
    }

    private func samples(
        _ type: HKQuantityTypeIdentifier, _ predicate: NSPredicate? = nil
    ) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(type), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    @Test("samples of the activity arrive at each interval while the session is active")
    func arrival() async throws {
        let session = try session(.running)
        let sensor = WorkoutSensor(store: store, clock: clock, seed: 7)
        sensor.start(session)
        clock.advance(by: 60)
        #expect(try await samples(.heartRate).isEmpty)
        session.startActivity(with: clock.now)
        clock.advance(by: 600)
        let rates = try await samples(.heartRate).map { $0.quantity.doubleValue(for: perMinute) }
        #expect(rates.count == 120)
        #expect(rates[0] < 100 && rates[119] > 140 && rates[119] < 175)
        let distance = try await samples(.distanceWalkingRunning)
        let metres = distance.reduce(0) { $0 + $1.quantity.doubleValue(for: .meter()) }
        #expect((1_500...1_900).contains(metres))
        #expect(distance.allSatisfy { $0.endDate.timeIntervalSince($0.startDate) == 5 })
        #expect(distance.first?.startDate == session.startDate)
        #expect(distance.first?.sourceRevision.productType?.hasPrefix("Watch") == true)
        session.pause()
        clock.advance(by: 60)
        #expect(try await samples(.distanceWalkingRunning).count == 120)
        #expect(try await samples(.heartRate).count == 132)
        session.stopActivity(with: nil)
        clock.advance(by: 60)
        #expect(try await samples(.heartRate).count == 132)
        #expect(sensor.lastError == nil)
        session.end()
    }

    @Test("equal seeds give equal samples, other seeds others")
    func seeds() async throws {
        func rates(_ seed: UInt64) async throws -> [Double] {
            let clock = ManualClock()
            let store = HKHealthStore.inMemory(
                configuration: HealthStoreConfiguration(clock: clock))
            try await store.requestAuthorization(
                toShare: [], read: [HKQuantityType(.activeEnergyBurned)])
            let session = try HKWorkoutSession(
                healthStore: store, configuration: configuration(.cycling))
            let sensor = WorkoutSensor(store: store, clock: clock, seed: seed)
            sensor.start(session)
            session.startActivity(with: clock.now)
            clock.advance(by: 60)
            session.end()
            return try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.activeEnergyBurned))],
                sortDescriptors: [SortDescriptor(\.startDate)]
            ).result(for: store).map { $0.quantity.doubleValue(for: .kilocalorie()) }
        }
        let first = try await rates(1)
        #expect(first.count == 12)
        #expect(try await rates(1) == first)
        #expect(try await rates(2) != first)
    }

    @Test("a live builder's statistics are those of the samples that its data source collects")
    func statistics() async throws {
        let session = try session(.running)
        let builder = session.associatedWorkoutBuilder()
        let delegate = CollectedTypes()
        builder.delegate = delegate
        let source = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: session.workoutConfiguration)
        source.disableCollection(for: HKQuantityType(.basalEnergyBurned))
        let fast = HKQuery.predicateForQuantitySamples(
            with: .greaterThanOrEqualTo, quantity: HKQuantity(unit: perMinute, doubleValue: 130))
        source.enableCollection(for: HKQuantityType(.heartRate), predicate: fast)
        builder.dataSource = source
        let sensor = WorkoutSensor(store: store, clock: clock, seed: 3)
        sensor.start(session)
        session.startActivity(with: clock.now)
        try await builder.beginCollection(at: clock.now)
        // Between two measurements, so that no sample starts exactly at a pause.
        clock.advance(by: 302)
        session.pause()
        clock.advance(by: 101)
        session.resume()
        clock.advance(by: 197)
        session.stopActivity(with: nil)
        try await builder.endCollection(at: clock.now)
        try await check(builder, session, fast)
        for _ in 0..<1000 where delegate.collected.count < 3 || delegate.eventCount < 2 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(
            delegate.collected == [
                HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
                HKQuantityType(.distanceWalkingRunning),
            ])
        #expect(delegate.eventCount == 2)
        #expect(builder.elapsedTime == 499)
        let workout = try #require(try await builder.finishWorkout())
        session.end()
        try await checkQuery(workout)
    }

    /// Compares the builder's statistics with sums over the samples in the store.
    private func check(
        _ builder: HKLiveWorkoutBuilder, _ session: HKWorkoutSession, _ fast: NSPredicate
    ) async throws {
        let paused = try #require(builder.workoutEvents.first?.date)
        let resumed = try #require(builder.workoutEvents.last?.date)
        func isCollected(_ sample: HKSample) -> Bool {
            !(paused..<resumed).contains(sample.startDate)
        }
        for (type, unit) in [
            (HKQuantityTypeIdentifier.activeEnergyBurned, kilocalorie),
            (.distanceWalkingRunning, .meter()),
        ] {
            let sum = try await samples(type).filter(isCollected)
                .reduce(0) { $0 + $1.quantity.doubleValue(for: unit) }
            let statistics = builder.statistics(for: HKQuantityType(type))
            let found = try #require(statistics?.sumQuantity()?.doubleValue(for: unit))
            #expect(sum > 0 && abs(found - sum) < 1e-6 * sum)
        }
        let rates = try await samples(.heartRate, fast).filter(isCollected)
            .map { $0.quantity.doubleValue(for: perMinute).rounded() }
        let statistics = try #require(builder.statistics(for: HKQuantityType(.heartRate)))
        func rate(_ quantity: HKQuantity?) -> Double? {
            quantity?.doubleValue(for: perMinute).rounded()
        }
        #expect(rate(statistics.minimumQuantity()) == rates.min())
        #expect(rate(statistics.maximumQuantity()) == rates.max())
        #expect(rate(statistics.mostRecentQuantity()) == rates.last)
        #expect(builder.statistics(for: HKQuantityType(.basalEnergyBurned)) == nil)
    }

    /// Compares the workout's statistics with those of a query over its samples.
    private func checkQuery(_ workout: HKWorkout) async throws {
        let energy = HKQuantityType(.activeEnergyBurned)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: energy, predicate: HKQuery.predicateForObjects(from: workout)),
            options: .cumulativeSum
        ).result(for: store)
        let sum = try #require(result?.sumQuantity()?.doubleValue(for: kilocalorie))
        let found = workout.statistics(for: energy)?.sumQuantity()?.doubleValue(for: kilocalorie)
        #expect(abs((found ?? 0) - sum) < 1e-9 * sum)
        #expect(workout.duration == 499)
    }

    @Test("the sensors measure the current activity, and detect events")
    func activities() async throws {
        let session = try session(.swimBikeRun)
        let builder = session.associatedWorkoutBuilder()
        let sensor = WorkoutSensor(store: store, clock: clock)
        sensor.start(session)
        session.startActivity(with: clock.now)
        try await builder.beginCollection(at: clock.now)
        session.beginNewActivity(
            configuration: configuration(.swimming), date: clock.now, metadata: nil)
        clock.advance(by: 60)
        #expect(try await samples(.distanceSwimming).count == 12)
        #expect(try await samples(.swimmingStrokeCount).count == 12)
        sensor.detect(.motionPaused)
        clock.advance(by: 5)
        sensor.detect(.motionResumed)
        #expect(builder.workoutEvents.map(\.type) == [.motionPaused, .motionResumed])
        session.beginNewActivity(
            configuration: configuration(.running), date: clock.now, metadata: nil)
        clock.advance(by: 60)
        #expect(try await samples(.distanceSwimming).count == 13)
        #expect(try await samples(.distanceWalkingRunning).count == 12)
        sensor.stop()
        clock.advance(by: 60)
        #expect(try await samples(.distanceWalkingRunning).count == 12)
        session.end()
    }

    @Test("an error of saving is kept")
    func failure() async throws {
        var configuration = HealthStoreConfiguration(clock: clock, authorization: .deny)
        configuration.diagnosticsSummary = .excluded
        let closed = HKHealthStore.inMemory(configuration: configuration)
        let session = try HKWorkoutSession(
            healthStore: closed, configuration: self.configuration(.running))
        let sensor = WorkoutSensor(store: closed, clock: clock)
        sensor.start(session)
        session.startActivity(with: clock.now)
        clock.advance(by: 5)
        #expect((sensor.lastError as? HKError)?.code == .errorAuthorizationDenied)
        session.end()
    }
}
