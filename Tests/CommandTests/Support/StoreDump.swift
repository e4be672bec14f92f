import Foundation
import HealthEngine
import HealthStorage
import Testing

/// A description of a store's content, without sequence numbers.
struct StoreDump: Equatable {
    private(set) var lines: [String] = []

    /// Returns a summary: the number of samples of each type, and their sources.
    static func summary(_ file: String) throws -> [String] {
        let store = try SampleStore(at: file, access: .reading)
        defer { try? store.close() }
        return try store.types().map { "\($0)" } + store.sources(of: nil).map { "\($0)" }
            + store.check().map { "\($0)" }
    }

    init(_ file: String) throws {
        let samples = try CommandRun(["export", "--format", "jsonl", "--out", "-"], store: file)
        try #require(samples.status == 0, "\(samples.errors)")
        lines = samples.output.split(separator: "\n").map(String.init)
        let store = try SampleStore(at: file, access: .reading)
        defer { try? store.close() }
        lines += try store.sources(of: nil).map { "\($0)" }
        lines += try store.exclusions().map { "\($0)" }
        for summary in try store.types() {
            lines.append("\(summary)")
            lines += try store.sources(of: summary.type).map { "\($0)" }
            lines += try StoreDump.statistics(summary, store)
        }
        lines.append("\(try store.homeZone as HomeZone?) \(try store.check())")
    }

    private static func statistics(
        _ summary: TypeSummary, _ store: SampleStore
    ) throws -> [String] {
        let type = summary.type
        guard type.aggregation != nil else { return [] }
        let edges = Array(
            stride(from: summary.first - 100, through: summary.last + 86_400, by: 43_200))
        var rules = StatisticsRules()
        rules.separation = .bySource
        let answer = try store.statistics(SampleQuery(type), over: edges, rules: rules)
        var lines = answer.buckets.map { bucket in
            let own = (bucket.bySource ?? [:]).map { "\(answer.sources[Int($0.key)]) \($0.value)" }
            return "\(type.name) \(bucket.start) \(bucket.merged) \(own.sorted())"
        }
        if type.aggregation == .cumulative {
            for place in stride(from: 0, to: edges.count - 2, by: 20) {
                let days = SampleQuery(type, from: edges[place], to: edges[place + 2])
                lines.append("\(try store.explanation(of: days))")
            }
        }
        return lines
    }
}
