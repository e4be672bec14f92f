import Foundation

/// A request for calendar buckets.
public struct CalendarRequest: Hashable, Sendable {
    /// The IANA name of the time zone.
    public var zone: String
    /// `hour`, `day`, `week-monday`, `week-sunday`, `month`, `year`, or a step from `from` such as
    /// `P1M`; `make_borders.py` has the list.
    public var unit: String
    /// Local dates such as "2024-03-31", which mean the start of that date. `to` is exclusive.
    public var from: String
    /// The end, exclusive.
    public var to: String
}

extension CalendarRequest {
    /// Returns the boundaries according to Python's zoneinfo: each request of
    /// `Fixtures/calendar/borders.tsv`, with the boundaries of its buckets in seconds since 2001.
    ///
    /// - Returns: The requests with their boundaries, in file order.
    /// - Throws: ``ScenarioError`` with file and line.
    public static func boundaries() throws -> [(request: CalendarRequest, boundaries: [Double])] {
        let file = ProjectFiles.fixtures.appendingPathComponent("calendar/borders.tsv")
        let text = try String(contentsOf: file, encoding: .utf8)
        var result: [(request: CalendarRequest, boundaries: [Double])] = []
        for (offset, line) in text.split(separator: "\n").enumerated() where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t").map { String($0) }
            let numbers = fields.last?.split(separator: " ").map { Double($0) } ?? []
            let boundaries = numbers.compactMap { $0 }
            guard fields.count == 5, boundaries.count == numbers.count, boundaries.count > 1 else {
                throw ScenarioError(
                    path: file.path, line: offset + 1,
                    message: "expected zone, unit, from, to and boundaries, separated by tabs")
            }
            let request = CalendarRequest(
                zone: fields[0], unit: fields[1], from: fields[2], to: fields[3])
            result.append((request, boundaries))
        }
        return result
    }
}
