import Foundation
import HealthEngine
import HealthStorage

/// The cost of a process's first query to a store.
///
/// Opening is timed separately. So is computing the days' boundaries, because the peer receives its
/// days.
struct FirstQuery {
    var opening: Double
    var answering: Cost
    var borders: Double
    var digest: UInt64

    /// - Parameter sources: The names of the sources to include; empty for all.
    init(store path: String, type name: String, years: Int, sources: [String]) throws {
        var history: History?
        borders = try seconds { history = try History(years: years) }
        let type = try History.type(name)
        var store: SampleStore?
        opening = try seconds { store = try SampleStore(at: path, access: .reading) }
        var buckets: [Statistics] = []
        answering = try Cost(of: {
            guard let store, let history else { return }
            let query = SampleQuery(type, sources: sources)
            buckets = try store.statistics(query, over: history.days).buckets
        })
        digest = Digest(buckets).value
        try store?.close()
    }

    var lines: String {
        "\(answering.wall) \(answering.processor)\n\(opening)\n\(borders)\n\(digest)"
    }

    /// Measures it in a new process.
    init(asking path: String, _ type: String, years: Int, sources: [String] = []) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--first", path, type, String(years)] + sources
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        guard lines.count == 4, let answering = Cost(String(lines[0])),
            let opening = Double(lines[1]), let borders = Double(lines[2]),
            let digest = UInt64(lines[3])
        else { throw LapError("the process that asks first doesn't answer") }
        (self.answering, self.opening, self.borders, self.digest) =
            (answering, opening, borders, digest)
    }
}
