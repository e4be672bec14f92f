import HealthEngine

/// A workout. The contract has no fields for it, so only the activity is read. Other fields become
/// metadata with their names.
struct HealthSaveWorkout {
    let workout: Workout
    let metadata: Metadata

    init(_ record: JSONValue) throws(UnreadableRecord) {
        guard let activity = HealthSaveWorkout.activity(of: record) else {
            throw .unknown("workout without activity")
        }
        workout = activity
        var metadata: Metadata = [:]
        for member in record.members ?? []
        where !HealthSaveWorkout.readFields.contains(member.name) {
            let key = "healthsave." + String(member.name.prefix(100))
            switch member.value {
            case .null: continue
            case .bool(let flag): metadata[key] = .number(flag ? 1 : 0)
            case .number(let number) where number.isFinite: metadata[key] = .number(number)
            case .string(let text): metadata[key] = .string(text)
            default: metadata[key] = .string(member.value.text)
            }
        }
        self.metadata = metadata
    }

    /// Returns a workout of the activity that a record names; nil if it names none.
    private static func activity(of record: JSONValue) -> Workout? {
        for field in activityFields {
            // A number in "value" can be anything.
            if field != "value", let raw = record[field]?.integer {
                return Workout(activityType: raw)
            }
            guard let name = record[field]?.string, !name.isEmpty else { continue }
            let key = HealthSaveMetric.folded(name)
            let known = Catalogue.values(of: Catalogue.workoutActivityType).first {
                HealthSaveMetric.folded($0.name) == key
                    || HealthSaveMetric.folded($0.exportedName) == key
            }
            return Workout(
                activityType: known?.rawValue ?? other,
                unknownActivityName: known == nil ? String(name.prefix(200)) : nil)
        }
        return nil
    }

    private static let other = 3000

    /// The possible fields of the activity, in order of precedence.
    private static let activityFields = [
        "workoutActivityType", "workout_activity_type", "activityType", "activity_type",
        "workoutType", "workout_type", "activity", "value",
    ]

    /// The fields that are read elsewhere.
    private static let readFields = Set<String>(
        activityFields + HealthSaveTime.starts + HealthSaveTime.ends
            + ["uuid", "source", "tzOffsetMinutes", "motionContext"])
}
