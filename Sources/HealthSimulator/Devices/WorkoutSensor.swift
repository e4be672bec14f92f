public import Foundation
public import OpenHealthKit
import Synchronization

/// The sensors of a simulated Apple Watch, which save samples while a workout session is active.
///
/// ```swift
/// let clock = ManualClock()
/// let store = HKHealthStore.inMemory(configuration: .init(clock: clock))
/// let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
/// let sensor = WorkoutSensor(store: store, clock: clock, seed: 7)
/// sensor.start(session)
/// session.startActivity(with: clock.now)
/// clock.advance(by: 600)      // ten minutes of heart rate, energy and distance are saved
/// ```
/// The sensors save the types that ``OpenHealthKit/HKLiveWorkoutDataSource`` collects by default
/// for the current activity, so a live builder with such a data source collects them. In a pause,
/// the heart slows down, and only heart rate and basal energy are measured. Before the session
/// starts and after it stops, nothing is saved.
///
/// A sample covers one interval of the sensor, or the part of it since the start of the session.
/// Equal seeds, times and activities give equal samples. With a ``OpenHealthKit/ManualClock``, all
/// samples are saved when its `advance(by:)` returns. A sensor can be used from any thread.
public final class WorkoutSensor: Sendable {
    private struct State {
        var session: HKWorkoutSession?
        var timer: ScheduledWork?
        /// The end of the last interval.
        var last: Date
        var heartRate = 72.0
        var random: SeededGenerator
        var error: (any Error)?
        var isAuthorized = false
    }

    /// The seconds between two measurements.
    public let interval: TimeInterval
    private let watch: HKHealthStore
    private let clock: any HealthStoreClock
    private let state: Mutex<State>

    /// Creates sensors that measure nothing yet.
    ///
    /// - Parameters:
    ///   - store: Any handle of the store to save into.
    ///   - clock: The clock that the measurements follow; use that of the store.
    ///   - seed: The seed of the random part of the measurements.
    ///   - interval: The seconds between two measurements; 5 by default, at least 0.1.
    ///   - name: The name of the watch, which is the source of the samples.
    public init(
        store: HKHealthStore, clock: any HealthStoreClock, seed: UInt64 = 1,
        interval: TimeInterval = 5, watchNamed name: String = "Sam’s Apple\u{00A0}Watch"
    ) {
        self.interval = interval >= 0.1 ? interval : 0.1
        self.clock = clock
        watch = store.withIdentity(.watch(named: name))
        state = Mutex(
            State(
                last: clock.now,
                random: SeededGenerator(seed: seed, stream: .sensors, day: 0)))
    }

    /// Measures while a session is active, until it stops or ``stop()`` is called. A session that
    /// the sensors measured before is left.
    ///
    /// - Parameter session: The session, which may start later.
    public func start(_ session: HKWorkoutSession) {
        let now = clock.now
        state.withLock { state in
            state.session = session
            state.last = now
        }
        schedule(after: now)
    }

    /// Stops measuring. The part of an interval since the last measurement is not saved.
    public func stop() {
        let old = state.withLock { state in
            defer { (state.session, state.timer) = (nil, nil) }
            return (state.session, state.timer)
        }
        old.1?.cancel()
    }

    /// The error of the last save that failed; nil if none has.
    public var lastError: (any Error)? { state.withLock { $0.error } }

    /// Generates an event at the session, as if the watch had detected it now: a lap, a segment, a
    /// pause or resumption of motion, or the press of the buttons that asks for a pause.
    ///
    /// - Parameter type: The kind of event. Pauses and resumptions of the session itself belong to
    ///   ``OpenHealthKit/HKWorkoutSession/pause()``. The session's delegate gets
    ///   `errorInvalidArgument` unless the session is running or paused.
    public func detect(_ type: HKWorkoutEventType) {
        let session = state.withLock { $0.session }
        session?.generate(HKWorkoutEvent(type: type, date: clock.now))
    }

    private func schedule(after date: Date) {
        let next = clock.schedule(at: date.addingTimeInterval(interval)) { [weak self] in
            self?.measure(at: date.addingTimeInterval(self?.interval ?? 0))
        }
        let old = state.withLock { state in
            defer { state.timer = state.session == nil ? nil : next }
            return state.timer
        }
        withExtendedLifetime(old) {}
    }

    /// Saves the measurements of the interval before a time.
    private func measure(at date: Date) {
        guard let session = state.withLock({ $0.session }) else { return }
        switch session.state {
        case .running, .paused:
            let activity = session.currentActivity.workoutConfiguration
            save(samples(of: session, activity, until: date))
        case .stopped, .ended: return stop()
        default: state.withLock { $0.last = date }
        }
        schedule(after: date)
    }

    private func samples(
        of session: HKWorkoutSession, _ configuration: HKWorkoutConfiguration, until end: Date
    ) -> [HKSample] {
        let effort = Effort(configuration.activityType)
        let types = HKLiveWorkoutDataSource(
            healthStore: watch, workoutConfiguration: configuration
        ).typesToCollect
        let isRunning = session.state == .running
        return state.withLock { state in
            let start = max(state.last, session.startDate ?? end)
            state.last = end
            let seconds = end.timeIntervalSince(start)
            guard seconds > 0 else { return [] }
            let target = isRunning ? effort.heartRate : 95
            // The heart approaches the rate of the effort, without a function whose last digit
            // differs between C libraries.
            state.heartRate += (target - state.heartRate) * min(1, seconds / 45)
            let rate = (state.heartRate + 2 * state.random.normal()).rounded()
            let share = 1 + 0.04 * state.random.normal()
            var samples: [HKSample] = []
            // In a fixed order, because a set has none.
            for type in types.sorted(by: { $0.identifier < $1.identifier }) {
                guard
                    let quantity = SensorReading(
                        type: type, effort: effort, seconds: seconds, share: share, rate: rate,
                        isRunning: isRunning
                    ).quantity
                else { continue }
                samples.append(
                    HKQuantitySample(
                        type: type, quantity: quantity, start: type == .heartRate ? end : start,
                        end: end))
            }
            return samples
        }
    }

    /// Saves samples and waits, so that a clock which waits for the measurement also waits for the
    /// save.
    private func save(_ samples: [HKSample]) {
        if samples.isEmpty { return }
        if state.withLock({ !$0.isAuthorized }) {
            let types: Set<HKSampleType> = Effort.types
            wait { watch.requestAuthorization(toShare: types, read: [], completion: $0) }
            state.withLock { $0.isAuthorized = true }
        }
        wait { watch.save(samples, withCompletion: $0) }
    }

    private func wait(_ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        call { [weak self] _, error in
            if let error { self?.state.withLock { $0.error = error } }
            isDone.signal()
        }
        isDone.wait()
    }
}

extension HKQuantityType {
    fileprivate static var heartRate: HKQuantityType { HKQuantityType(.heartRate) }
}

/// How hard an activity is, and how fast.
private struct Effort {
    /// The heart rate that a person reaches, in beats a minute.
    var heartRate: Double
    /// Active energy in kilocalories a second.
    var energy: Double
    /// Metres a second.
    var speed: Double

    /// The types that the sensors can measure.
    static let types: Set<HKSampleType> = Set(
        [
            HKQuantityTypeIdentifier.heartRate, .activeEnergyBurned, .basalEnergyBurned,
            .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
            .distanceDownhillSnowSports, .swimmingStrokeCount,
        ].map { HKQuantityType($0) })

    init(_ activity: HKWorkoutActivityType) {
        (heartRate, energy, speed) =
            switch activity {
            // As the simulated person's walks: 165 and 110 steps a minute.
            case .running, .trackAndField, .wheelchairRunPace: (158, 0.117, 2.8)
            case .walking, .wheelchairWalkPace, .golf: (111, 0.079, 1.47)
            case .hiking, .crossCountrySkiing: (124, 0.095, 1.2)
            case .cycling, .handCycling: (140, 0.13, 7)
            case .swimming: (136, 0.14, 0.8)
            case .downhillSkiing, .snowboarding, .snowSports: (120, 0.08, 8)
            case .highIntensityIntervalTraining: (165, 0.17, 0)
            default: (125, 0.1, 1.5)
            }
    }
}

/// One measurement of a type over an interval.
private struct SensorReading {
    var type: HKQuantityType
    var effort: Effort
    var seconds: Double
    /// The random part of amounts, around 1.
    var share: Double
    /// The heart rate in beats a minute.
    var rate: Double
    var isRunning: Bool

    /// The measured quantity; nil for a type that isn't measured now.
    var quantity: HKQuantity? {
        switch type.identifier {
        case HKQuantityTypeIdentifier.heartRate.rawValue:
            HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: max(38, rate))
        case HKQuantityTypeIdentifier.basalEnergyBurned.rawValue:
            // About 1,700 kilocalories a day.
            HKQuantity(
                unit: .kilocalorie(), doubleValue: (seconds * 1_700 / 86_400).rounded(to: 1000))
        case HKQuantityTypeIdentifier.activeEnergyBurned.rawValue:
            amount(effort.energy, .kilocalorie())
        case HKQuantityTypeIdentifier.swimmingStrokeCount.rawValue:
            // Whole strokes, half a stroke a second.
            amount(0.5, .count()).map {
                HKQuantity(unit: .count(), doubleValue: $0.doubleValue(for: .count()).rounded())
            }
        default: Effort.types.contains(type) ? amount(effort.speed, .meter()) : nil
        }
    }

    private func amount(_ perSecond: Double, _ unit: HKUnit) -> HKQuantity? {
        guard isRunning, perSecond > 0 else { return nil }
        return HKQuantity(
            unit: unit, doubleValue: (perSecond * seconds * share).rounded(to: 1000))
    }
}
