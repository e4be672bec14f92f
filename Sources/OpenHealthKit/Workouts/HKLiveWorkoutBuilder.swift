public import Foundation
import HealthEngine
import HealthStorage

/// A workout builder of a session, which collects samples automatically.
///
/// There are no sensors here; `WorkoutSensor` of the product HealthSimulator is one. From the start of the session until the collection ends, the builder
/// collects samples that are saved to the same store after the collection began. ``dataSource``
/// selects the samples, and the app must be allowed to read them. A sample is collected if its
/// start is neither before the start of the collection nor in a pause of the session.
// Unchecked: all mutable state is locked.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    private struct Settings: Sendable {
        var source: HKLiveWorkoutDataSource?
        var collectsEvents = true
    }

    private struct ChangeCursor {
        /// For each type, the sequence number up to which samples have been checked. For types that
        /// have not been checked, this is `firstSequence`.
        var sequences: [HKQuantityType: Int64] = [:]
        var firstSequence: Int64 = 0
        var subscription: ChangeSubscription?
    }

    private let settings = Locked(Settings())
    private let cursor = Locked(ChangeCursor())
    private let session = WeakReference<HKWorkoutSession>()
    private let delegateReference = WeakReference<any HKLiveWorkoutBuilderDelegate>()
    private let callbacks = DispatchQueue(label: "HKLiveWorkoutBuilder", qos: .userInitiated)

    /// Creates the builder of a session. Not part of Apple's API.
    init(_session: HKWorkoutSession) {
        super.init(
            healthStore: _session.healthStore, configuration: _session.workoutConfiguration,
            device: _session.healthStore.identity.device)
        session.value = _session
    }

    /// The delegate, which is notified of collected data; a weak reference.
    open weak var delegate: (any HKLiveWorkoutBuilderDelegate)? {
        get { delegateReference.value }
        set { delegateReference.value = newValue }
    }

    /// The session; a weak reference.
    open weak var workoutSession: HKWorkoutSession? { session.value }

    /// Whether pauses and resumptions of the session are added to the workout; true by default.
    open var shouldCollectWorkoutEvents: Bool {
        get { settings { $0.collectsEvents } }
        set { settings { $0.collectsEvents = newValue } }
    }

    /// Which types and samples to collect; nil, the default, collects nothing.
    open var dataSource: HKLiveWorkoutDataSource? {
        get { settings { $0.source } }
        set {
            // The old value is released outside the lock, because it can belong to a subclass of
            // the app.
            let old = settings { settings in
                defer { settings.source = newValue }
                return settings.source
            }
            withExtendedLifetime(old) {}
        }
    }

    /// The seconds from the start of the collection to its end, or to now while the collection is
    /// running. Pauses are not included. 0 before the collection has begun.
    ///
    /// The duration of the finished workout is this time at its end, also if the pauses of the
    /// session are not collected as events.
    open var elapsedTime: TimeInterval { elapsedTime(at: healthStore.connection.clock.now) }

    /// The session's pauses if they are not collected as events of the workout.
    override var uncollectedEvents: [HKWorkoutEvent] {
        shouldCollectWorkoutEvents ? [] : workoutSession?.stateMachine { $0.events } ?? []
    }

    /// Begins the collection, see ``HKWorkoutBuilder/beginCollection(withStart:completion:)``. That
    /// of a mirrored session is `errorInvalidArgument`, because the primary session's builder
    /// records the workout.
    ///
    /// - Parameters:
    ///   - startDate: The start of the workout.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open override func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        guard workoutSession?.type != .mirrored else {
            return healthStore.handle {
                completion(
                    false,
                    HKError(
                        .errorInvalidArgument,
                        "The builder of the primary workout session records the workout."))
            }
        }
        super.beginCollection(withStart: startDate, completion: completion)
    }

    /// The current activity of the session; nil if none was begun or the last one has ended.
    open var currentWorkoutActivity: HKWorkoutActivity? {
        workoutSession?.stateMachine { $0.activity }
    }

    override func didBeginCollection() {
        subscribe(after: (try? healthStore.connection.store.lastSequence) ?? 0)
    }

    /// The sequence number after which samples are collected.
    var firstSequence: Int64 { cursor { $0.firstSequence } }

    /// Restores what another process collected, and goes on with a collection that was running.
    func restore(
        _ restored: WorkoutCollection, after sequence: Int64?, collectsEvents: Bool
    ) {
        collection { $0 = restored }
        shouldCollectWorkoutEvents = collectsEvents
        if restored.phase == .collecting { subscribe(after: sequence ?? 0) }
    }

    private func subscribe(after sequence: Int64) {
        let subscription = healthStore.connection.feed.subscribe { [weak self] _ in
            self?.collectSoon()
        }
        cursor {
            $0.firstSequence = sequence
            $0.subscription = subscription
        }
    }

    override func didChange() { workoutSession?.saveForRecovery() }

    override func didAddSamples(_ types: Set<HKSampleType>) {
        notifyDelegate { $0.workoutBuilder($1, didCollectDataOf: types) }
    }

    override func didAddEvents() { notifyDelegate { $0.workoutBuilderDidCollectEvent($1) } }

    override func willEndCollection() { collect() }

    override func didEndCollection() { cursor { $0.subscription = nil } }

    override func didDiscard() { cursor { $0.subscription = nil } }

    private func notifyDelegate(
        _ message:
            @escaping @Sendable (any HKLiveWorkoutBuilderDelegate, HKLiveWorkoutBuilder) -> Void
    ) {
        callbacks.async { [self] in
            guard let delegate else { return }
            AppIdentity.withCurrent(healthStore.identity) { message(delegate, self) }
        }
    }
}

// Notifications from the session to its builder.
extension HKLiveWorkoutBuilder {
    func sessionDidStart() { collectSoon() }

    func sessionDidGenerate(_ event: HKWorkoutEvent) {
        guard shouldCollectWorkoutEvents else { return }
        let isCollected =
            (try? collection { (state) throws(HKError) in try state.add([event]) }) != nil
        if isCollected { didAddEvents() }
    }

    func sessionDidBegin(_ activity: HKWorkoutActivity) {
        try? collection { (state) throws(HKError) in try state.add(activity.value) }
        notifyDelegate { $0.workoutBuilder($1, didBegin: activity) }
    }

    func sessionDidEnd(_ activity: HKWorkoutActivity, at date: Date) {
        try? collection { (state) throws(HKError) in
            try state.updateActivity(activity.uuid, end: date)
        }
        let ended = collection { $0.activities }.first { $0.uuid == activity.uuid.uuidString }
        let stored = ended.map(HKWorkoutActivity.init(_activity:)) ?? activity
        notifyDelegate { $0.workoutBuilder($1, didEnd: stored) }
    }
}

// Collecting, on the store's write queue.
extension HKLiveWorkoutBuilder {
    private func collectSoon() {
        healthStore.connection.writeQueue.async { [weak self] in self?.collect() }
    }

    /// Collects the samples saved since the last check. Types that cannot be read now, because the
    /// device is locked or permission is missing, are checked again the next time.
    private func collect() {
        guard collection({ $0.phase == .collecting }), let start = startDate,
            let session = workoutSession, session.startDate != nil
        else { return }
        var types: Set<HKSampleType> = []
        for (type, predicate) in dataSource?.predicates ?? [:] {
            guard let samples = try? newSamples(of: type, predicate.value) else { continue }
            let selected = samples.filter { sample in
                sample.startDate >= start && !isPaused(at: sample.start, session)
                    && !collection { $0.isAssociated(sample.uuid) }
            }
            if selected.isEmpty { continue }
            collection { $0.associate(selected) }
            types.insert(type)
        }
        if types.isEmpty { return }
        didChange()
        didAddSamples(types)
    }

    private func newSamples(
        of type: HKQuantityType, _ predicate: NSPredicate?
    ) throws -> [HKSample] {
        guard let row = type.row else { return [] }
        let request = SampleRequest(
            row, try filter(predicate, for: type, store: healthStore))
        let changes = try healthStore.connection.readableStore.changes(
            [request], after: cursor { $0.sequences[type] ?? $0.firstSequence },
            visibility: try healthStore.visibility(toRead: [type]))
        cursor { $0.sequences[type] = changes.sequence }
        return SampleObjects.objects(changes.samples)
    }

    private func isPaused(at time: Double, _ session: HKWorkoutSession) -> Bool {
        let events = session.stateMachine { $0.events }.map(\.value)
        return events.pauses(until: .infinity).contains { $0.contains(time) }
    }
}
