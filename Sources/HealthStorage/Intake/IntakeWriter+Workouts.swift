import GRDB
import HealthEngine

/// Workouts that their activity and times identify, because their format has no stable identifiers
/// (Semantics §15.9).
extension IntakeWriter {
    func takeWorkout(_ index: Int, _ origin: (id: Int64, source: Int64)) throws {
        let sample = page.samples.samples[index]
        let record = page.indices[index]
        var activity = Workout.otherActivity
        if case .workout(let workout)? = page.samples.details[index] {
            activity = workout.activityType
        }
        let uuid = IntakeUUID.workout(sample, activity: activity)
        if let stored = try lookup.workouts(sample, activity: activity).first {
            sequences[index] = stored.sequence
            if stored.uuid == nil {
                try keepForUndo(index, uuid, origin, exported: stored.sequence)
                return note(record, .duplicate)
            }
            return try complete(stored, with: index)
        }
        if try lookup.isDeletedWorkout(sample, activity: activity) {
            return note(record, .rejected, reason: IntakeRejection.Reason.tombstoned.rawValue)
        }
        if try lookup.isDeleted(uuid) || lookup.row(uuid) != nil {
            return note(record, .duplicate)
        }
        sequences[index] = try insert(index, uuid, origin)
        note(record, .accepted)
    }

    /// Adds to a stored workout what it lacks. If the device sent it in the same format with the same
    /// times, what it sends now counts. Workouts with exported content, of programs and of complete
    /// formats stay as they are.
    private func complete(_ stored: IntakeLookup.StoredWorkout, with index: Int) throws {
        let record = page.indices[index]
        let sample = page.samples.samples[index]
        guard let identity = stored.uuid, let row = try lookup.row(identity), row.route != 0,
            try !isComplete(row.route), case .workout(let sent)? = page.samples.details[index]
        else { return note(record, .duplicate) }
        var content = stored.content
        var metadata = row.metadata
        let isOwn = row.route == route && stored.isWithoutIdentifier
        if isOwn, row.start == sample.start, row.end == sample.end {
            content = sent
            content.fillGaps(from: stored.content)
            metadata = try mergedMetadata(row, sample) { known, sent in
                // The app's identifier can be another one each time, and is no change.
                content == stored.content ? known : sent
            }
        } else {
            content.fillGaps(from: sent)
        }
        if content == stored.content, metadata == row.metadata {
            return note(record, .duplicate)
        }
        let memberships = try replacement.replace(row.sequence, reason: .changed)
        let next = replacement.nextSequence()
        try replacement.insert(
            StoredRow(
                sequence: next, type: row.type, start: row.start, key: identity.savedKey,
                end: row.end, created: row.created, origin: row.origin, metadata: metadata,
                value: row.value, detail: nil), identity, .workout(content))
        try replacement.transfer(memberships, to: next)
        try RouteTwins(db).resolve(inWorkout: next)
        sequences[index] = next
        note(record, .changed, id: identity.description)
    }

    /// Returns the id of the stored and the sent metadata together.
    ///
    /// - Parameter chosen: Returns the value of an entry that is in both.
    private func mergedMetadata(
        _ row: IntakeLookup.Row, _ sample: Sample,
        _ chosen: (_ known: MetadataValue, _ sent: MetadataValue) -> MetadataValue
    ) throws -> Int64 {
        guard sample.metadata >= 0 else { return row.metadata }
        let text = try String.readOne(
            db, sql: "SELECT entries FROM metadata WHERE id = ?", arguments: [row.metadata])
        let known = try text.map(StoredText.metadata(from:)) ?? [:]
        let sent = page.samples.metadata[Int(sample.metadata)]
        let all = known.merging(sent, uniquingKeysWith: chosen)
        return all == known ? row.metadata : try interning.metadata(all)
    }

    /// Returns whether the format of a route has everything that HealthKit has of a workout, so that
    /// nothing of another route is added.
    func isComplete(_ route: Int64) throws -> Bool {
        try String.readOne(
            db.cachedStatement(sql: "SELECT dialect FROM intake_route WHERE id = ?"),
            arguments: [route]) == IntakeRoute.completeDialect
    }

    /// Removes the workouts without an identifier whose place one with a UUID takes. It gets what it
    /// lacks from them.
    func removeWorkoutsWithoutIdentifier(_ index: Int, _ workout: Workout) throws {
        var workout = workout
        let stored = try lookup.workouts(
            page.samples.samples[index], activity: workout.activityType)
        let isComplete = try isComplete(route)
        for stored in stored where stored.isWithoutIdentifier {
            if !isComplete { workout.fillGaps(from: stored.content) }
            _ = try replacement.replace(stored.sequence, reason: .replaced)
        }
        page.samples.details[index] = .workout(workout)
    }
}

extension SampleDetail {
    /// Fills the gaps of a workout with what is stored of the same workout.
    mutating func fillGaps(from stored: String?) throws {
        guard case .workout(var workout) = self, let stored,
            case .workout(let known) = try StoredText.detail(from: stored)
        else { return }
        workout.fillGaps(from: known)
        self = .workout(workout)
    }
}

extension Workout {
    /// `HKWorkoutActivityType.other`, also for activities whose name isn't known.
    static let otherActivity = 3000

    /// Returns whether two records can be of one workout: their activities are equal, or one isn't
    /// known.
    static func isSameActivity(_ one: Int, _ other: Int) -> Bool {
        one == other || one == otherActivity || other == otherActivity
    }

    /// Adds what another record of the same workout has and this one lacks.
    mutating func fillGaps(from other: Workout) {
        if activityType == Workout.otherActivity, other.activityType != Workout.otherActivity {
            (activityType, unknownActivityName) = (other.activityType, nil)
        }
        if duration == nil { duration = other.duration }
        if events.isEmpty { events = other.events }
        if activities.isEmpty { activities = other.activities }
        let types = Set(statistics.map(\.type))
        statistics += other.statistics.filter { !types.contains($0.type) }
        if routes.isEmpty { routes = other.routes }
        if zones.isEmpty { zones = other.zones }
    }
}
