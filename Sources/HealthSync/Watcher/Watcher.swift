public import Foundation

/// An actor that delivers existing samples of the tracked types, and every sample that is saved to
/// HealthKit or deleted from it, type by type.
///
/// ```swift
/// let watcher = Watcher(
///     store: HKHealthStore(), types: [TrackedType(HKQuantityType(.bodyMass))], positions: file)
/// try await watcher.on(.bodyMass, unit: .gramUnit(with: .kilo)) { change in
///     for mass in change.added { print(mass.value) }
/// }
/// await watcher.start()
/// ```
/// One observer query reports that something changed. Anchored queries, for each type and
/// subscriber, then read the changes.
///
/// A subscriber is a destination with a stored position in every type it reads. A handler that
/// fails or is slow therefore delays no other. A position advances only once every sample and
/// change before it has been processed. After a crash the changes after the position are delivered
/// again, and none is lost.
///
/// The watcher works as long as it is retained; its queries stop when it is deallocated. Use one
/// watcher for each position store. Two watchers on one position store share the work, and both may
/// deliver the same change to a destination that is not transactional.
public actor Watcher {
    let store: HKHealthStore
    let positions: any PositionStore
    let firstRun: FirstRun
    let configuration: Configuration
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let probe: SyncProbe
    let statusRegistry = StatusRegistry()
    let semaphore = AsyncSemaphore(4)
    let readers = ReaderTable()
    let launches = CancellingTask()
    let renewals = CancellingTask()
    let comparisons = CancellingTask()
    var types: [TrackedType]
    var subscribers: [Subscriber] = []
    var observer: ObserverRegistration?
    var isStarted = false
    /// Whether ``stop()`` was called after the last ``start()``, ``sync()`` or ``readInOrder()``;
    /// wakes then read nothing. False in a new watcher.
    var isStopped = false
    /// The types that HealthKit refused to observe, because the app has not requested authorization
    /// for them. A lock protects the set, because a ``SubscriberReader`` checks it from outside
    /// this actor.
    let undetermined = LockedValue<Set<HKSampleType>>([])
    var delivered: Set<HKSampleType> = []
    var lossHandler: @Sendable (LostPosition) async throws -> Void = { _ in }

    /// Creates a watcher that is not running.
    ///
    /// - Parameters:
    ///   - store: The health store that is observed and read.
    ///   - types: The types to read at first; see ``track(_:)`` for adding more later. The app
    ///     requests authorization itself.
    ///   - positions: Where the positions of handlers and of destinations that are not
    ///     transactional are stored.
    ///   - firstRun: Which existing samples a reader without a stored position reads first. A
    ///     comparison with HealthKit is limited to the same samples.
    ///   - configuration: Page size, time budget, backoff, comparison and background delivery.
    ///   - now: Returns the current date. It determines the age of positions and the days to
    ///     compare.
    ///   - clock: The clock for timeouts and backoff.
    public init(
        store: HKHealthStore, types: [TrackedType], positions: any PositionStore,
        firstRun: FirstRun = .everything, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            store: store, types: types, positions: positions, firstRun: firstRun,
            configuration: configuration, now: now, clock: clock, probe: .none)
    }

    package init(
        store: HKHealthStore, types: [TrackedType], positions: any PositionStore,
        firstRun: FirstRun = .everything, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(), probe: SyncProbe
    ) {
        self.store = store
        self.types = types
        self.positions = positions
        self.firstRun = firstRun
        self.configuration = configuration
        self.now = now
        self.clock = clock
        self.probe = probe
    }

    deinit {
        observer?.stop()
        for subscriber in subscribers { subscriber.end?() }
    }

    /// The types that the watcher tracks at present: those given at its creation or added with
    /// ``track(_:)``, without those untracked since.
    public var trackedTypes: [TrackedType] { types }

    /// Sets the handler for positions that cannot be used, or after which deletions may be missing.
    ///
    /// For an unusable position, the handler runs before the subscriber starts again as at its
    /// first run. For a stale one, it runs after the available changes were delivered. In both
    /// cases, some deletions may never be delivered, so compare your data with HealthKit's. An
    /// error that the handler throws counts as a failure of the subscriber, and the handler is
    /// called again at the next attempt. A stale position of a mirror is not reported if the mirror
    /// is compared instead.
    ///
    /// - Parameter body: The handler; it replaces the one set before.
    public func onLostPosition(_ body: @escaping @Sendable (LostPosition) async throws -> Void) {
        lossHandler = body
    }

    /// Adds a destination that stores each batch and its position in one transaction.
    ///
    /// Each batch is stored exactly once. A sample that is saved during the first run may be
    /// delivered twice, as history and as a change.
    ///
    /// - Parameters:
    ///   - destination: The destination. It also stores the positions.
    ///   - reconciling: Compares the destination's data with HealthKit's; nil for no comparison.
    ///     Each start calls it for the last ``Configuration/reconciledDays`` days. It is called for
    ///     all samples of a type if deletions may have been missed. That is so after a lost
    ///     position, or for a position older than ``Configuration/tombstoneLifetime``. If the
    ///     watcher's first run is a window, it is called for at most that window; with
    ///     ``FirstRun/fromNow`` it is never called.
    ///   - hasContent: Returns whether the destination has samples of a type. If it returns true
    ///     for a type without a stored position, the type is also compared after it was read.
    /// - Throws: ``SubscriberError/nameInUse(_:)`` if there is a mirror or another subscriber named
    ///   "mirror" already.
    public func mirror(
        into destination: some TransactionalDestination,
        reconciling: (@Sendable ([TrackedType], ReconciledSpan) async throws -> Void)? = nil,
        hasContent: @escaping @Sendable (TrackedType) async throws -> Bool = { _ in false }
    ) throws(SubscriberError) {
        try mirror(
            into: destination, reconciling: reconciling, hasContent: hasContent, isOutOfSync: nil)
    }

    func mirror(
        into destination: some TransactionalDestination, reconciling: Subscriber.Reconcile?,
        hasContent: @escaping @Sendable (TrackedType) async throws -> Bool,
        isOutOfSync: (@Sendable (TrackedType, Date?) async throws -> Bool)?
    ) throws(SubscriberError) {
        var subscriber = Subscriber("mirror", to: destination, positions: positions)
        subscriber.reconcile = reconciling
        subscriber.hasContent = hasContent
        subscriber.isOutOfSync = isOutOfSync
        try add(subscriber)
    }

    /// Delivers every change of every tracked type to a destination, at least once. The watcher's
    /// first-run policy determines which existing samples it gets first.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - name: The name under which the destination's positions are stored. It must be the same
    ///     at each launch.
    /// - Throws: ``SubscriberError/nameInUse(_:)`` if another subscriber has the name.
    public func deliver(
        to destination: some ChangeDestination, named name: String
    ) throws(SubscriberError) {
        try add(Subscriber(name, to: destination, positions: positions))
    }
}

/// Why a subscriber cannot be added.
public enum SubscriberError: Error, Hashable, Sendable {
    /// Another subscriber of the watcher has this name, under which positions are stored.
    case nameInUse(String)
    /// The watcher doesn't track the type with this identifier.
    case notTracked(type: String)
    /// The values of the type with this identifier cannot be converted to the unit, or the type is
    /// no quantity type.
    case incompatibleUnit(type: String, unit: String)
    /// A night handler or a push cannot be added, because the watcher's position store is no
    /// ``PositionFile``.
    case noPositionFile
}

extension Watcher {
    /// How a watcher reads, retries and receives background delivery.
    public struct Configuration: Sendable {
        /// The maximum number of samples in a page; values below 1 count as 1. HealthKit may add
        /// deletions to a page beyond this number. A page of history is larger if more existing
        /// samples have the same start.
        public var pageSize = 2000
        /// The time after which the completion handler of HealthKit's observer query is called at
        /// the latest, even if reading has not finished. Reading continues afterwards. iOS allows
        /// about 30 seconds for a background wake.
        public var budget: Duration = .seconds(25)
        /// The delays before the retries of a failed read or delivery (backoff), in order. If there
        /// are none, failures are not retried automatically.
        ///
        /// A handler that fails again after the last delay is stuck until the next
        /// ``Watcher/start()`` or ``Watcher/sync()``. A locked device, a full disk, missing
        /// authorization and a failing query are retried indefinitely, with the last delay. A
        /// failed comparison of recent days is retried after the third delay; with fewer delays, it
        /// is not.
        public var retryDelays: [Duration] = [
            .seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600),
        ]
        /// How long HealthKit is assumed to keep undelivered deletions, in seconds; seven days by
        /// default. After reading from an older position, a mirror is compared. For a subscriber
        /// that cannot be compared, the position is reported as lost
        /// (``LostPosition/Reason/stale``).
        public var tombstoneLifetime = Tombstones.lifetime
        /// The number of recent days that each start of the watcher compares in a mirror. For 0 or
        /// less, starts compare none.
        public var reconciledDays = 90
        /// Whether HealthKit may launch the app for changes of the tracked types; by default
        /// immediately.
        public var backgroundDelivery: BackgroundDelivery = .enabled(.immediate)

        /// Whether HealthKit launches the app in the background for changes, and the maximum
        /// frequency.
        public enum BackgroundDelivery: Hashable, Sendable {
            /// The watcher does not enable background delivery. It does not disable background
            /// delivery that was enabled before.
            case off
            /// The watcher enables background delivery for observed types, except correlation
            /// types, with a maximum frequency.
            case enabled(HKUpdateFrequency)
        }

        /// Creates a configuration with the default values.
        public init() {}
    }
}

/// Which existing samples a reader without a stored position reads first.
///
/// With every policy, all later changes follow, including samples with older dates, such as those
/// of a watch that was out of reach for hours. A policy that differs from that of an earlier run
/// also applies to existing samples that are still to be read.
public enum FirstRun: Hashable, Sendable {
    /// All existing samples, newest first.
    case everything
    /// Existing samples that start at the date or later, newest first.
    case window(since: Date)
    /// No existing samples, only later changes. A mirror is then never compared.
    case fromNow
}

extension FirstRun {
    /// The earliest start of the history, inclusive; nil without a limit, and for ``fromNow``,
    /// which has no history.
    var earliest: Date? {
        if case .window(let since) = self { return since }
        return nil
    }

    /// Returns a span limited to the history that a reader with this policy reads, in whole days
    /// rounded up; nil if it reads no history.
    func narrowed(_ span: ReconciledSpan, at now: Date) -> ReconciledSpan? {
        switch self {
        case .everything: return span
        case .fromNow: return nil
        case .window(let since):
            let length = (now.timeIntervalSince(since) / 86_400).rounded(.up).clamped
            let days = Int(exactly: length) ?? 0
            if case .days(let count) = span { return .days(min(count, days)) }
            return .days(days)
        }
    }
}

extension Double {
    /// The value limited to 0…1,000,000, the range of the days of a narrowed span.
    fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 1_000_000) }
}
