import HealthEngine

/// The true steps of a simulated person, with the parameters of the simulation.
///
/// Encodes to `{"seed":1,"years":1,…,"days":[{"date":"2025-10-01","steps":8123},…]}`.
public struct GroundTruth: Hashable, Sendable, Codable {
    /// The true steps of one day.
    public struct Day: Hashable, Sendable, Codable {
        /// The date in the home time zone: "2025-10-01".
        public var date: String
        /// The number of steps taken.
        public var steps: Int
    }

    /// The seed of all random numbers.
    public var seed: UInt64
    /// ``SimulatedPerson/years``: the length of the data in years, unless the person's
    /// ``SimulatedPerson/days`` is set.
    public var years: Int
    /// The number of record elements of an export.
    public var records: Int
    /// The raw value of ``SimulatedPerson/Devices``.
    public var devices: String
    /// Whether an app writes day totals of steps.
    public var dailyApp: Bool
    /// The IANA identifier of the home time zone.
    public var homeTimeZone: String
    /// The days with data in order of time.
    public var days: [Day]
}

extension Simulation {
    /// The true steps of each day in the home time zone, independent of what devices recorded.
    public var groundTruth: GroundTruth {
        let midnights = calendar.homeMidnights
        var steps = [Int](repeating: 0, count: calendar.count)
        for localDay in 0..<calendar.count {
            for walk in plan(localDay).walks {
                for day in max(0, localDay - 1)...min(calendar.count - 1, localDay + 1) {
                    let bounds = midnights[day]..<midnights[day + 1]
                    guard bounds.overlaps(walk.start..<walk.end) else { continue }
                    // Both ends are rounded down, so the parts of a walk that crosses midnight add
                    // up.
                    steps[day] +=
                        Int(clamping: walk.steps(before: bounds.upperBound))
                        - Int(clamping: walk.steps(before: bounds.lowerBound))
                }
            }
        }
        return GroundTruth(
            seed: person.seed, years: person.years, records: person.records,
            devices: person.devices.rawValue, dailyApp: person.dailyApp == .present,
            homeTimeZone: person.homeTimeZone,
            days: steps.enumerated().map {
                GroundTruth.Day(date: calendar.date($0.offset).description, steps: $0.element)
            })
    }
}
