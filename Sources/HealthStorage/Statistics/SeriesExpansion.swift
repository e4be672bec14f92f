import Foundation
import GRDB
import HealthEngine

/// Puts the backing quantities of series in the place of their samples: statistics are over them all,
/// never over the summary value (Semantics §3.8).
///
/// Samples come and go in (start, key) order. A quantity that starts later than its series waits for
/// its turn.
struct SeriesExpansion {
    private let find: PreparedStatement?
    /// In descending order of start, so that the next one is the last.
    private var waiting: [Sample] = []

    init(_ db: Database, _ type: SampleType) throws {
        let mayHaveSeries =
            try type.kind == .quantity
            && Bool.readOne(
                db, sql: "SELECT has_details FROM type WHERE code = ?", arguments: [type.code])
                == true
        find =
            mayHaveSeries
            ? try PreparedStatement(
                db,
                "SELECT content FROM detail "
                    + "WHERE sequence = ? AND substr(content, 1, 10) = '{\"series\":'")
            : nil
    }

    /// Whether any sample of the type may be a series.
    var isNeeded: Bool { find != nil }

    /// Hands on what comes before a sample, and the sample itself unless it is a series.
    @inline(__always)
    mutating func pass(_ sample: Sample, _ next: (Sample) throws -> Void) throws {
        guard let find else { return try next(sample) }
        while let first = waiting.last,
            (first.start, first.key) < (sample.start, sample.key)
        {
            waiting.removeLast()
            try next(first)
        }
        guard let quantities = try SeriesExpansion.quantities(of: sample, find) else {
            return try next(sample)
        }
        waiting += quantities.map { quantity in
            var part = sample
            (part.start, part.end, part.value) = (quantity.start, quantity.end, quantity.value)
            return part
        }
        waiting.sort { ($0.start, $0.key) > ($1.start, $1.key) }
    }

    /// Hands on what is left.
    mutating func finish(_ next: (Sample) throws -> Void) throws {
        while let sample = waiting.popLast() { try next(sample) }
    }

    /// The backing quantities of a sample; nil if it is no series.
    private static func quantities(
        of sample: Sample, _ find: PreparedStatement
    ) throws -> [SeriesQuantity]? {
        var quantities: [SeriesQuantity]?
        try find.forEach(sample.sequence) { row in
            if let text = row.text(0), case .series(let series) = try StoredText.detail(from: text)
            {
                quantities = series
            }
        }
        return quantities
    }
}
