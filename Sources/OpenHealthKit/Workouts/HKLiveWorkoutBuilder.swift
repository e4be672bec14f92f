public import Foundation
import HealthEngine
import HealthStorage

/// The builder of a session's workout, which collects by itself.
///
/// There are no sensors here: while the session is under way and collection has begun, it collects
/// what is saved into the same store, as far as ``dataSource`` wants it and the app may read it. A
/// sample counts by its start: not before the collection's, and not within a pause.
// Unchecked: all that changes is in locked boxes.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    private struct Settings: Sendable {
        var source: HKLiveWorkoutDataSource?
        var collectsEvents = true
    }

    private struct Listening {
        /// The last change that was looked at, by type; `beginning` for all others.
        var looked: [HKQuantityType: Int64] = [:]
        var beginning: Int64 = 0
        var subscription: ChangeSubscription?
    }

    private let settings = Locked(Settings())
    private let listening = Locked(Listening())
    private let session = WeakReference<HKWorkoutSession>()
    private let listener = WeakReference<any HKLiveWorkoutBuilderDelegate>()
    private let callbacks = DispatchQueue(label: "HKLiveWorkoutBuilder", qos: .userInitiated)

    /// The builder of a session; not Apple's.
    init(_session: HKWorkoutSession) {
        super.init(
            healthStore: _session.healthStore, configuration: _session.workoutConfiguration,
            device: _session.healthStore.identity.device)
        session.value = _session
    }

    /// Who hears of what is collected; not kept alive.
    open weak var delegate: (any HKLiveWorkoutBuilderDelegate)? {
        get { listener.value }
        set { listener.value = newValue }
    }

    /// The session, as long as somebody keeps it alive.
    open weak var workoutSession: HKWorkoutSession? { session.value }

    /// Whether the session's pauses and resumptions become part of the workout. They do unless said
    /// otherwise.
    open var shouldCollectWorkoutEvents: Bool {
        get { settings { $0.collectsEvents } }
        set { settings { $0.collectsEvents = newValue } }
    }

    /// What is collected; nothing while it is nil.
    open var dataSource: HKLiveWorkoutDataSource? {
        get { settings { $0.source } }
        set {
            // The old one goes outside the lock: it may be an app's own.
            let old = settings { settings in
                defer { settings.source = newValue }
                return settings.source
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Seconds since the begin, or until the end, pauses left out.
    open var elapsedTime: TimeInterval {
        let now = healthStore.connection.clock.now
        // Pauses count for the clock on the wrist also where they are no events of the workout.
        let pauses = shouldCollectWorkoutEvents ? [] : workoutSession?.progress { $0.events } ?? []
        return collection { $0.elapsedTime(at: now, more: pauses) }
    }

    /// The leg that goes on; nil while there is none.
    open var currentWorkoutActivity: HKWorkoutActivity? { workoutSession?.progress { $0.activity } }

    override func didBeginCollection() {
        let feed = healthStore.connection.feed
        let head = (try? healthStore.connection.store.lastSequence) ?? 0
        let subscription = feed.subscribe { [weak self] _ in self?.collectSoon() }
        listening {
            $0.beginning = head
            $0.subscription = subscription
        }
    }

    override func didAddSamples(_ types: Set<HKSampleType>) {
        tell { $0.workoutBuilder($1, didCollectDataOf: types) }
    }

    override func didAddEvents() { tell { $0.workoutBuilderDidCollectEvent($1) } }

    override func willEndCollection() { collect() }

    override func didEndCollection() { listening { $0.subscription = nil } }

    override func didDiscard() { listening { $0.subscription = nil } }

    private func tell(
        _ message:
            @escaping @Sendable (any HKLiveWorkoutBuilderDelegate, HKLiveWorkoutBuilder) -> Void
    ) {
        callbacks.async { [self] in if let delegate { message(delegate, self) } }
    }
}

// What the session tells its builder.
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
        tell { $0.workoutBuilder($1, didBegin: activity) }
    }

    func sessionDidEnd(_ activity: HKWorkoutActivity, at date: Date) {
        try? collection { (state) throws(HKError) in
            try state.updateActivity(activity.uuid, end: date)
        }
        let ended = collection { $0.activities }.first { $0.uuid == activity.uuid.uuidString }
        let told = ended.map(HKWorkoutActivity.init(_activity:)) ?? activity
        tell { $0.workoutBuilder($1, didEnd: told) }
    }
}

// Collecting, on the store's writing queue.
extension HKLiveWorkoutBuilder {
    private func collectSoon() {
        healthStore.connection.writing.async { [weak self] in self?.collect() }
    }

    /// Takes in what was saved since the last look. What can't be read now (the device is locked, a
    /// type isn't granted) is looked for again the next time.
    private func collect() {
        guard collection({ $0.phase == .collecting }), let start = startDate,
            let session = workoutSession, session.startDate != nil
        else { return }
        var types: Set<HKSampleType> = []
        for (type, predicate) in dataSource?.predicates ?? [:] {
            guard let samples = try? newSamples(of: type, predicate.value) else { continue }
            let wanted = samples.filter { sample in
                sample.startDate >= start && !isPaused(at: sample.start, session)
                    && !collection { $0.isAssociated(sample.uuid) }
            }
            if wanted.isEmpty { continue }
            collection { $0.associate(wanted) }
            types.insert(type)
        }
        if !types.isEmpty { didAddSamples(types) }
    }

    private func newSamples(
        of type: HKQuantityType, _ predicate: NSPredicate?
    ) throws -> [HKSample] {
        guard let row = type.row else { return [] }
        let request = SampleRequest(
            row, try filter(predicate, for: type, store: healthStore))
        let changes = try healthStore.connection.readableStore.changes(
            [request], after: listening { $0.looked[type] ?? $0.beginning },
            visibility: try healthStore.visibility(toRead: [type]))
        listening { $0.looked[type] = changes.sequence }
        return SampleObjects.objects(changes.samples)
    }

    private func isPaused(at time: Double, _ session: HKWorkoutSession) -> Bool {
        let events = session.progress { $0.events }.map(\.value)
        return events.pauses(until: .infinity).contains { $0.contains(time) }
    }
}
