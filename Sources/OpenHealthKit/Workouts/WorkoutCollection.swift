import Foundation
import HealthEngine

/// The state of a workout builder: what it has collected, and its phase (Semantics §10.8).
///
/// ```
/// waiting ─begin─► collecting ─end─► ended ─finish─► finished
///    └────────────────┴────discard─────┴───────────► discarded
/// ```
/// A call that the phase does not permit throws an error and has no effect.
struct WorkoutCollection {
    enum Phase: String, Codable, Sendable {
        case waiting, collecting, ended, finished, discarded
    }

    private(set) var phase = Phase.waiting
    private(set) var start: Date?
    private(set) var end: Date?
    private(set) var metadata: [String: Any] = [:]
    private(set) var events: [HKWorkoutEvent] = []
    private(set) var activities: [WorkoutActivity] = []
    /// The UUIDs of the associated samples by type, without duplicates, in the order of addition.
    private(set) var samples: [HKSampleType: [UUID]] = [:]
    private var associated: Set<UUID> = []

    init() {}

    /// Restores a collection with the UUIDs of its samples.
    init(_ snapshot: WorkoutCollectionSnapshot, samples: [HKSampleType: [UUID]]) {
        phase = snapshot.phase
        start = snapshot.start.map(Date.init(timeIntervalSinceReferenceDate:))
        end = snapshot.end.map(Date.init(timeIntervalSinceReferenceDate:))
        metadata = SampleMetadata(snapshot.metadata).values
        events = snapshot.events.map(HKWorkoutEvent.init(_event:))
        activities = snapshot.activities
        self.samples = samples
        associated = Set(samples.values.joined())
    }

    mutating func begin(at date: Date) throws(HKError) {
        try require(.waiting, "beginCollection")
        start = date
        phase = .collecting
    }

    /// Checks whether samples can be added.
    ///
    /// - Throws: `errorInvalidArgument` outside the collecting phase, for samples that start before
    ///   the collection, and for workouts and series. A sample may have the same start as the
    ///   collection.
    func checkSamples(_ samples: [HKSample]) throws(HKError) {
        try require(.collecting, "addSamples")
        for sample in samples {
            if sample is HKWorkout || sample is HKSeriesSample {
                throw HKError(
                    .errorInvalidArgument, "A \(sample.sampleType) can't be part of a workout")
            }
            if let start, sample.startDate < start {
                throw HKError(
                    .errorInvalidArgument,
                    "Sample of \(sample.sampleType) starts before the workout's collection")
            }
        }
    }

    /// Associates stored samples; those that are already associated have no effect.
    mutating func associate(_ samples: [HKSample]) {
        for sample in samples where associated.insert(sample.uuid).inserted {
            self.samples[sample.sampleType, default: []].append(sample.uuid)
        }
    }

    func isAssociated(_ uuid: UUID) -> Bool { associated.contains(uuid) }

    /// Adds events.
    ///
    /// - Throws: `errorInvalidArgument` outside the collecting phase and for events that end before
    ///   the collection begins.
    mutating func add(_ events: [HKWorkoutEvent]) throws(HKError) {
        try require(.collecting, "addWorkoutEvents")
        if let start, events.contains(where: { $0.dateInterval.end < start }) {
            throw HKError(.errorInvalidArgument, "A workout event ends before the workout begins")
        }
        self.events += events
    }

    /// Merges metadata; a later value replaces an earlier one with the same key.
    ///
    /// - Throws: `errorInvalidArgument` for a finished or discarded workout and for values that are
    ///   not text, numbers, dates or quantities.
    mutating func add(_ metadata: [String: Any]) throws(HKError) {
        try requireOpen("addMetadata")
        if let key = SampleMetadata(values: metadata).unsupportedKeys.first {
            throw HKError(
                .errorInvalidArgument,
                "Metadata for \(key) is neither text, number, date nor quantity")
        }
        self.metadata.merge(metadata) { _, new in new }
    }

    mutating func add(_ activity: WorkoutActivity) throws(HKError) {
        try requireOpen("addWorkoutActivity")
        if let end = activity.end, let start = activity.start, end < start {
            throw HKError(.errorInvalidArgument, "A workout activity ends before it starts")
        }
        if activities.contains(where: { $0.uuid == activity.uuid }) {
            throw HKError(.errorInvalidArgument, "The workout activity was already added")
        }
        activities.append(activity)
    }

    mutating func updateActivity(_ uuid: UUID, end date: Date) throws(HKError) {
        let index = try index(ofActivity: uuid)
        let end = date.timeIntervalSinceReferenceDate
        if let start = activities[index].start, end < start {
            throw HKError(.errorInvalidArgument, "A workout activity ends before it starts")
        }
        activities[index].end = end
    }

    mutating func updateActivity(_ uuid: UUID, adding metadata: [String: Any]) throws(HKError) {
        let index = try index(ofActivity: uuid)
        activities[index].metadata.merge(SampleMetadata(values: metadata).stored) { _, new in new }
    }

    private func index(ofActivity uuid: UUID) throws(HKError) -> Int {
        try requireOpen("updateActivity")
        guard let index = activities.firstIndex(where: { $0.uuid == uuid.uuidString }) else {
            throw HKError(.errorInvalidArgument, "No workout activity \(uuid) has been added")
        }
        return index
    }

    mutating func end(at date: Date) throws(HKError) {
        try require(.collecting, "endCollection")
        if let start, date < start {
            throw HKError(.errorInvalidArgument, "The workout ends before it starts")
        }
        end = date
        phase = .ended
    }

    func checkFinish() throws(HKError) { try require(.ended, "finishWorkout") }

    mutating func finish() { phase = .finished }

    /// Discards the workout, unless it is finished. Samples that were saved are kept in the store.
    mutating func discard() { if phase != .finished { phase = .discarded } }

    /// Returns the seconds from the start of the collection to a date, without pauses; 0 if the
    /// collection has not begun or starts after the date.
    ///
    /// - Parameters:
    ///   - date: The date; after the end of the collection, its end is used.
    ///   - events: Further events whose pauses are subtracted.
    func elapsedTime(at date: Date, additional events: [HKWorkoutEvent] = []) -> TimeInterval {
        guard let start else { return 0 }
        return (self.events + events).map(\.value).activeTime(
            from: start.timeIntervalSinceReferenceDate,
            to: min(date, end ?? date).timeIntervalSinceReferenceDate)
    }

    private func requireOpen(_ call: String) throws(HKError) {
        if phase == .finished || phase == .discarded { throw phaseError(for: call) }
    }

    private func require(_ expected: Phase, _ call: String) throws(HKError) {
        if phase != expected { throw phaseError(for: call) }
    }

    private func phaseError(for call: String) -> HKError {
        let state =
            switch phase {
            case .waiting: "its collection hasn’t started"
            case .collecting: "its collection is running"
            case .ended: "its collection has ended"
            case .finished: "its workout is finished"
            case .discarded: "its workout is discarded"
            }
        return HKError(
            .errorInvalidArgument, "\(call) is not allowed on the workout builder now: \(state).")
    }
}
