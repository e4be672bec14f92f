public import Foundation

/// Hands over what is saved to and deleted from HealthKit, type by type, and misses nothing.
///
/// ```swift
/// let watcher = Watcher(
///     store: HKHealthStore(), types: [TrackedType(HKQuantityType(.bodyMass))], positions: file)
/// try await watcher.on(.bodyMass, unit: .gramUnit(with: .kilo)) { change in
///     for mass in change.added { print(mass.value) }
/// }
/// await watcher.start()
/// ```
/// One observer wakes it; anchored queries, one for each type and lane, tell what changed. A lane is a
/// destination with a place of its own in every type it reads, so a handler that fails or takes its
/// time holds up no other. A position moves on only once what lies before it is kept: after a crash
/// the same changes come again, none is lost.
///
/// It works while somebody holds it; when it goes, so do its queries. One watcher for each position
/// store is enough; two share the work and may both hand over a change to a plain destination.
public actor Watcher {
    let store: HKHealthStore
    let positions: any PositionStore
    let firstRun: FirstRun
    let configuration: Configuration
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let probe: SyncProbe
    let board = StatusBoard()
    let gate = ReadGate(4)
    let readers = ReaderTable()
    let launches = TaskSlot()
    let renewals = TaskSlot()
    let comparisons = TaskSlot()
    var types: [TrackedType]
    var lanes: [Lane] = []
    var observer: ObserverNudge?
    var isStarted = false
    /// Wakes that come after ``stop()`` find nobody.
    var isStopped = false
    /// Types that HealthKit refuses to observe until they are asked for. Readers look at it too.
    let unasked = Guarded<Set<HKSampleType>>([])
    var delivered: Set<HKSampleType> = []
    var lossHandler: @Sendable (LostPosition) async throws -> Void = { _ in }

    /// A watcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - types: What it reads; see ``track(_:)`` for later ones. Permission is the app's to ask for.
    ///   - positions: Where the places of handlers and plain destinations are kept.
    ///   - firstRun: What a reader without a position begins with.
    ///   - now: The time of day, for how old a position is.
    ///   - clock: What waits are measured with.
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
        for lane in lanes { lane.end?() }
    }

    /// What is read at present.
    public var trackedTypes: [TrackedType] { types }

    /// Called when a lane's position can't be gone on from, before it begins anew.
    ///
    /// Deletions in between may never be told: compare with what HealthKit has. What it throws counts
    /// as a failure of the lane, and it is called again.
    public func onLostPosition(_ body: @escaping @Sendable (LostPosition) async throws -> Void) {
        lossHandler = body
    }

    /// Keeps a destination in step that keeps each batch and its position in one transaction: no
    /// batch is kept twice.
    ///
    /// A sample that is saved while the first run goes on may come as history and as a change.
    ///
    /// - Parameters:
    ///   - reconciling: Compares what the destination holds with HealthKit. Called at each start over
    ///     the last days, and over all where deletions may have been missed: a lost position, or one
    ///     older than HealthKit keeps deletions. A reader that began with a window is compared over
    ///     that; one that began from now on, never.
    ///   - holdsAny: Whether the destination has samples of a type; then a type without a position is
    ///     compared too, once it is read.
    /// - Throws: ``LaneError/nameInUse(_:)`` if there is a mirror already.
    public func mirror(
        into destination: some TransactionalDestination,
        reconciling: (@Sendable ([TrackedType], ReconciledSpan) async throws -> Void)? = nil,
        holdsAny: @escaping @Sendable (TrackedType) async throws -> Bool = { _ in false }
    ) throws(LaneError) {
        try mirror(
            into: destination, reconciling: reconciling, holdsAny: holdsAny, isOutOfStep: nil)
    }

    func mirror(
        into destination: some TransactionalDestination, reconciling: Lane.Reconcile?,
        holdsAny: @escaping @Sendable (TrackedType) async throws -> Bool,
        isOutOfStep: (@Sendable (TrackedType, Date?) async throws -> Bool)?
    ) throws(LaneError) {
        var lane = Lane("mirror", to: destination, positions: positions)
        lane.reconcile = reconciling
        lane.holdsAny = holdsAny
        lane.isOutOfStep = isOutOfStep
        try add(lane)
    }

    /// Hands every change of every tracked type to a destination, at least once.
    ///
    /// - Parameter name: What the destination's positions are kept under, the same at each launch.
    /// - Throws: ``LaneError/nameInUse(_:)``.
    public func deliver(
        to destination: some ChangeDestination, named name: String
    ) throws(LaneError) {
        try add(Lane(name, to: destination, positions: positions))
    }
}

/// Why a lane can't be added.
public enum LaneError: Error, Hashable, Sendable {
    /// Another lane keeps its positions under this name.
    case nameInUse(String)
    /// The watcher doesn't track the type.
    case notTracked(type: String)
    /// Values of the type can't be given in the unit.
    case incompatibleUnit(type: String, unit: String)
    /// What remembers nights needs a ``PositionFile``.
    case noPositionFile
}
