import Foundation
import HealthEngine
import HealthStorage
import Testing

/// Everything a store answers that an Apple Health export can hold, as lines: samples with all they
/// carry, statistics by source, explanations, what is kept beside the samples.
struct StoreAnswers {
    private(set) var lines: [String] = []

    init(_ store: SampleStore) throws {
        let calendar = CalendarBuckets(
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let form = SampleLines(.jsonLines, calendar)
        try store.forEachExportedBatch(ExportSelection(), routes: .within) { exported in
            lines += form.text(exported).split(separator: "\n").map(String.init)
        }
        for summary in try store.types() { try add(summary, store) }
        lines += try store.sources(of: nil).map { "\($0)" }
        lines += try store.characteristics().map { "\($0.key) \($0.value)" }.sorted()
        var kept: [String] = []
        try store.forEachRawElement { kept.append("\($0)") }
        try store.forEachKeptFile { kept.append("\($0.name) \($0)") }
        lines += kept.sorted()
        lines += try store.check().map { "\($0)" }
    }

    private mutating func add(_ summary: TypeSummary, _ store: SampleStore) throws {
        let type = summary.type
        lines.append("\(type.identifier) \(summary.samples) \(summary.first) \(summary.last)")
        guard type.aggregation != nil else { return }
        let edges = Array(
            stride(from: summary.first - 100, through: summary.last + 90_000, by: 40_000))
        var rules = StatisticsRules()
        rules.separation = .bySource
        let answer = try store.statistics(SampleQuestion(type), over: edges, rules: rules)
        for bucket in answer.buckets {
            let own = (bucket.bySource ?? [:]).map {
                "\(answer.sources[Int($0.key)].name) \($0.value)"
            }
            lines.append("\(type.name) \(bucket.start) \(bucket.merged) \(own.sorted())")
        }
        if type.aggregation == .cumulative {
            let question = SampleQuestion(type, from: summary.first, to: summary.last + 1)
            lines.append("\(try store.explanation(of: question))")
        }
    }

    /// What is here and not there, and the other way round; the first few.
    func difference(from other: StoreAnswers) -> [String] {
        lines.difference(from: other.lines).prefix(6).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
    }
}
