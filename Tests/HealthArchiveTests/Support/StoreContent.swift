import Foundation
import HealthEngine
import HealthStorage

/// What a store holds, without what two ways to the same content may differ in: numbers of rows,
/// occurrence numbers, units and order.
struct StoreContent: Equatable {
    struct Entry: Hashable {
        var type: String
        var source: String
        var start: Double
        var end: Double
        var created: Double?
        var value: String
        var metadata: Metadata
    }

    private(set) var entries: [Entry: Int] = [:]
    /// Sums and averages over buckets of ten days, by type; where the names of sources are left out,
    /// each source's for itself, since the order of sources remembers when each was first seen.
    private(set) var statistics: [String: [String]] = [:]

    /// What a source is called may depend on what a store saw before.
    enum SourceNames { case kept, leftOut }

    init(_ store: SampleStore, names: SourceNames = .kept) throws {
        for summary in try store.types() {
            let type = summary.type
            let batch = try store.samples(SampleQuestion(type))
            let canonical = type.canonicalUnit.flatMap { try? HealthUnit($0) }
            for sample in batch.samples {
                let origin = batch.origins[Int(sample.origin)]
                let conversion = canonical.flatMap { canonical in
                    origin.unit.flatMap { try? HealthUnit($0).conversion(to: canonical) }
                }
                entries[
                    Entry(
                        type: type.identifier,
                        source: origin.source < 0 || names == .leftOut
                            ? "" : batch.sources[Int(origin.source)].name,
                        start: sample.start, end: sample.end,
                        created: sample.created.isNaN ? nil : sample.created,
                        value: StoreContent.text(conversion?(sample.value) ?? sample.value),
                        metadata: batch.metadata(of: sample) ?? [:]),
                    default: 0] += 1
            }
            if type.aggregation != nil {
                statistics[type.identifier] = try sums(type, summary, store, names)
            }
        }
    }

    private func sums(
        _ type: SampleType, _ summary: TypeSummary, _ store: SampleStore, _ names: SourceNames
    ) throws -> [String] {
        let day: Double = 864_000
        let first = (summary.first / day).rounded(.down) * day
        let edges = Array(stride(from: first, through: summary.last + day, by: day))
        var rules = StatisticsRules()
        if names == .leftOut { rules.separation = .bySource }
        return try store.statistics(SampleQuestion(type), over: edges, rules: rules).buckets.map {
            let values = names == .kept ? [$0.merged] : ($0.bySource ?? [:]).map(\.value)
            let texts = values.map { StoreContent.text($0.sum ?? $0.average ?? .nan) }
            return "\($0.start) \(texts.sorted().joined(separator: " "))"
        }
    }

    /// Nine digits: what the importer calls equal.
    private static func text(_ value: Double) -> String {
        value.isNaN ? "none" : String(format: "%.8e", value == 0 ? 0 : value)
    }

    /// What differs, in a sentence; nil for nothing.
    func difference(from other: StoreContent) -> String? {
        for (entry, count) in entries where other.entries[entry] != count {
            return "\(count) times \(entry), there \(other.entries[entry] ?? 0) times"
        }
        for (entry, count) in other.entries where entries[entry] == nil {
            return "not \(entry), there \(count) times"
        }
        for (type, sums) in statistics where other.statistics[type] != sums {
            return "statistics of \(type): \(sums), there \(other.statistics[type] ?? [])"
        }
        return nil
    }
}
