import Foundation
import HealthEngine
import HealthStorage

/// The contents of a store as HealthSave's status shows them: the number and time range of samples
/// by group of types.
enum StatusSummary {
    private static let groups = [
        "heartRate": "heart_rate", "heartRateVariabilitySDNN": "hrv",
        "oxygenSaturation": "blood_oxygen", "sleepAnalysis": "sleep_sessions",
        "workout": "workouts",
    ]

    /// Returns the groups that have samples. All other quantities are “quantity_samples”.
    static func json(_ types: [TypeSummary]) -> JSONText {
        var parts: [String: (count: Int, first: Double, last: Double)] = [:]
        for type in types {
            let isWorkout = type.type.kind == .workout
            let known = isWorkout ? "workouts" : groups[type.type.name]
            guard let name = known ?? (type.type.kind == .quantity ? "quantity_samples" : nil)
            else { continue }
            let part = parts[name] ?? (0, .infinity, -.infinity)
            parts[name] = (
                part.count + type.samples, min(part.first, type.first), max(part.last, type.last)
            )
        }
        return .object(
            parts.sorted { $0.key < $1.key }.map { name, part in
                (
                    name,
                    .object([
                        "count": .integer(part.count), "oldest": .string(text(part.first)),
                        "newest": .string(text(part.last)),
                    ])
                )
            })
    }

    private static func text(_ time: Double) -> String {
        Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601)
    }
}
