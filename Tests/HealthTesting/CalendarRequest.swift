import Foundation

/// Calendar buckets as someone would ask for them.
public struct CalendarRequest: Hashable, Sendable {
    /// IANA name of the time zone.
    public var zone: String
    /// `hour`, `day`, `week-monday`, `week-sunday`, `month`, `year`, or a step from `from` such as
    /// `P1M`; `make_borders.py` has the list.
    public var unit: String
    /// Local dates, "2024-03-31", for the first moment of that date; `to` is exclusive.
    public var from: String
    public var to: String
}

extension CalendarRequest {
    /// What Python's zoneinfo found: each request of `Fixtures/calendar/borders.tsv` with the
    /// borders of its buckets in reference seconds.
    ///
    /// - Throws: ``ScenarioError`` with file and line.
    public static func borders() throws -> [(request: CalendarRequest, borders: [Double])] {
        let file = ProjectFiles.fixtures.appendingPathComponent("calendar/borders.tsv")
        let text = try String(contentsOf: file, encoding: .utf8)
        var result: [(request: CalendarRequest, borders: [Double])] = []
        for (offset, line) in text.split(separator: "\n").enumerated() where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t").map { String($0) }
            let numbers = fields.last?.split(separator: " ").map { Double($0) } ?? []
            let borders = numbers.compactMap { $0 }
            guard fields.count == 5, borders.count == numbers.count, borders.count > 1 else {
                throw ScenarioError(
                    path: file.path, line: offset + 1,
                    message: "expected zone, unit, from, to and borders, parted by tabs")
            }
            let request = CalendarRequest(
                zone: fields[0], unit: fields[1], from: fields[2], to: fields[3])
            result.append((request, borders))
        }
        return result
    }
}
