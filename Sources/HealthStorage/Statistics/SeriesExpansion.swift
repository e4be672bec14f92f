import Foundation
import GRDB
import HealthEngine

/// Replaces series samples with their quantities. Statistics cover all quantities of a series,
/// never its summary value (Semantics §3.8).
///
/// Input and output are in (start, key) order. A quantity is held back until a sample arrives that
/// follows it in this order, or the input ends.
struct SeriesExpansion {
    private let find: PreparedStatement<SingleField>?
    /// The quantities held back, in descending order, so that the next one is the last.
    private var pending: [Sample] = []

    init(_ db: Database, _ type: SampleType) throws {
        let mayHaveSeries =
            try type.kind == .quantity
            && Bool.readOne(
                db, sql: "SELECT has_details FROM type WHERE code = ?", arguments: [type.code])
                == true
        let opening = StoredText.opening(.series)
        find =
            mayHaveSeries
            ? try PreparedStatement(
                db,
                "SELECT content FROM detail WHERE sequence = \(SingleField.value) "
                    + "AND substr(content, 1, \(opening.utf8.count)) = '\(opening)'")
            : nil
    }

    /// Whether the type is a quantity type whose samples can have details, and so be series.
    var isNeeded: Bool { find != nil }

    /// Passes on the held-back quantities before a sample, and the sample itself unless it is a
    /// series.
    @inline(__always)
    mutating func pass(_ sample: Sample, _ next: (Sample) throws -> Void) throws {
        guard let find else { return try next(sample) }
        while let first = pending.last,
            (first.start, first.key) < (sample.start, sample.key)
        {
            pending.removeLast()
            try next(first)
        }
        guard let quantities = try SeriesExpansion.quantities(of: sample, find) else {
            return try next(sample)
        }
        pending += quantities.map { quantity in
            var part = sample
            (part.start, part.end, part.value) = (quantity.start, quantity.end, quantity.value)
            return part
        }
        pending.sort { ($0.start, $0.key) > ($1.start, $1.key) }
    }

    /// Passes on the remaining quantities.
    mutating func finish(_ next: (Sample) throws -> Void) throws {
        while let sample = pending.popLast() { try next(sample) }
    }

    /// Returns the quantities of a sample; nil if it isn't a series.
    private static func quantities(
        of sample: Sample, _ find: PreparedStatement<SingleField>
    ) throws -> [SeriesQuantity]? {
        var quantities: [SeriesQuantity]?
        try find.forEach(sample.sequence) { row in
            if let text = try row.text(.value),
                case .series(let series) = try StoredText.detail(from: text)
            {
                quantities = series
            }
        }
        return quantities
    }
}
