import GRDB
import HealthEngine

extension IntakeWriter {
    /// Takes an activity summary. Its day identifies it, whichever device sends it
    /// (Semantics §15.3). A later one replaces an earlier one.
    func takeSummary(
        _ index: Int, _ summary: ActivitySummary, _ origin: (id: Int64, source: Int64)
    ) throws {
        let sample = page.samples.samples[index]
        let record = page.indices[index]
        let uuid = IntakeUUID.day(startingAt: sample.start)
        let observed = sample.created.isNaN ? moment : sample.created
        guard let stored = try lookup.row(uuid) else {
            if let exported = try lookup.exported(summary, sample) {
                try keepForUndo(index, uuid, origin, exported: exported)
                return note(record, .duplicate)
            }
            _ = try insert(index, uuid, origin)
            return note(record, .accepted)
        }
        let known = try stored.detail.map(StoredText.detail(from:))
        if case .activitySummary(let known) = known, known.agrees(with: summary) {
            return note(record, .duplicate)
        }
        guard observed >= stored.created else { return note(record, .duplicate) }
        _ = try replacement.replace(stored.sequence, reason: .changed)
        _ = try insert(index, uuid, origin)
        note(record, .changed, id: uuid.description)
    }
}

extension IntakeLookup {
    /// Returns the sequence number of an export's same summary of a day; nil for none.
    func exported(_ summary: ActivitySummary, _ sample: Sample) throws -> Int64? {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT sequence, content FROM sample JOIN detail USING (sequence)
                WHERE type = ? AND start_time = ? AND uuid IS NULL
                """, arguments: [sample.type, sample.start])
        let same = try rows.first { row in
            guard case .activitySummary(let other) = try StoredText.detail(from: try row["content"])
            else { return false }
            return other.agrees(with: summary)
        }
        return try same.map { try $0["sequence"] }
    }
}

extension ActivitySummary {
    /// Returns whether another summary of the day has the same numbers, to the printed precision. A
    /// number that is missing is 0, as in HealthKit.
    func agrees(with other: ActivitySummary) -> Bool {
        let energies = [
            (activeEnergyBurned, other.activeEnergyBurned),
            (activeEnergyBurnedGoal, other.activeEnergyBurnedGoal),
        ]
        let others = [
            (appleMoveTime, other.appleMoveTime), (appleMoveTimeGoal, other.appleMoveTimeGoal),
            (appleExerciseTime, other.appleExerciseTime),
            (appleExerciseTimeGoal, other.appleExerciseTimeGoal),
            (appleStandHours, other.appleStandHours),
            (appleStandHoursGoal, other.appleStandHoursGoal),
        ]
        return energies.allSatisfy { one, another in
            TwinMatching.hasSameValue(kilocalories(one), other.kilocalories(another))
        } && others.allSatisfy { TwinMatching.hasSameValue($0 ?? 0, $1 ?? 0) }
    }

    private func kilocalories(_ energy: Double?) -> Double {
        let unit = activeEnergyBurnedUnit ?? "kcal"
        return SampleFilter.Value.convert(energy ?? 0, from: unit, to: "kcal") ?? energy ?? 0
    }
}
