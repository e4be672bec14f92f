import HealthEngine

/// What a simulated person really did, and the settings that made it.
///
/// Encodes to `{"seed":1,"years":1,…,"days":[{"date":"2025-10-01","steps":8123},…]}`.
public struct Truth: Hashable, Sendable, Codable {
    /// What was really walked on one day.
    public struct Day: Hashable, Sendable, Codable {
        /// A day of the home zone: "2025-10-01".
        public var date: String
        public var steps: Int
    }

    public var seed: UInt64
    public var years: Int
    public var records: Int
    public var devices: String
    public var dailyApp: Bool
    public var homeTimeZone: String
    public var days: [Day]
}

extension Simulation {
    /// Steps really taken on each day of the home zone, whoever recorded them.
    ///
    /// - Complexity: O(days).
    public var truth: Truth {
        let midnights = calendar.homeMidnights
        var steps = [Int](repeating: 0, count: calendar.count)
        for lived in 0..<calendar.count {
            for walk in plan(lived).walks {
                for day in max(0, lived - 1)...min(calendar.count - 1, lived + 1) {
                    let bounds = midnights[day]..<midnights[day + 1]
                    guard bounds.overlaps(walk.start..<walk.end) else { continue }
                    // Whole steps: rounding both ends down loses none at a midnight.
                    steps[day] +=
                        Int(clamping: walk.steps(before: bounds.upperBound))
                        - Int(clamping: walk.steps(before: bounds.lowerBound))
                }
            }
        }
        return Truth(
            seed: person.seed, years: person.years, records: person.records,
            devices: person.devices.rawValue, dailyApp: person.dailyApp == .present,
            homeTimeZone: person.homeTimeZone,
            days: steps.enumerated().map {
                Truth.Day(date: calendar.date($0.offset).description, steps: $0.element)
            })
    }
}
