import Foundation
import HealthEngine
import HealthTesting
import Testing

/// A change of a zone's offset according to Python's zoneinfo: one line of the output of
/// `Fixtures/calendar/transitions.py`.
struct ZoneChange: Sendable {
    var zone: String
    /// The time of the change, in seconds since 2001.
    var time: Double
    /// The offset before the change, in seconds east of UTC.
    var before: Int
    var after: Int
    /// The dates around the change in order, with their first times.
    var days: [(date: CivilDate, start: Double)]
    /// Local times in seconds since 2001, with the times at which clocks show them.
    var localTimes: [(reading: Int, moments: [Double])]

    init?(_ line: Substring) {
        let fields = line.split(separator: "\t").map(String.init)
        guard fields.count == 6, let time = Double(fields[1]), let before = Int(fields[2]),
            let after = Int(fields[3])
        else { return nil }
        (zone, self.time, self.before, self.after) = (fields[0], time, before, after)
        days = ZoneChange.pairs(fields[4]).compactMap { name, value in
            guard let date = CivilDate(name), let start = Double(value) else { return nil }
            return (date, start)
        }
        localTimes = ZoneChange.pairs(fields[5]).compactMap { name, value in
            Int(name).map { ($0, value.split(separator: ",").compactMap { Double($0) }) }
        }
        guard days.count > 5, localTimes.count == 5 else { return nil }
    }

    private static func pairs(_ text: String) -> [(String, String)] {
        text.split(separator: " ").compactMap { pair in
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// Returns all offset changes of zones from 1970 to 2050.
    static func all(of zones: [String]) throws -> [ZoneChange] {
        let script = ProjectFiles.fixtures.appendingPathComponent("calendar/transitions.py")
        return try Python.run(script: script, zones).split(separator: "\n").map {
            try #require(ZoneChange($0), "\($0)")
        }
    }
}
