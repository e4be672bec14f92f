import GRDB
import HealthEngine

/// Counts the visible samples of a store by type and source, with the range of their times.
///
/// An undetermined end counts as the start. Neighbouring samples usually have the same type and
/// source, so the dictionary is updated only when one changes.
struct ExtentTally {
    typealias Extents = [StoreContents.TypeAndSource: StoreContents.Extent]

    private let table: SourceTable
    private let visibility: Visibility
    private var extents: Extents = [:]
    private var place = StoreContents.TypeAndSource(type: -1)
    private var extent = StoreContents.Extent()
    private var isShown = false
    private var earliest = -Double.infinity
    /// The index of the latest sample's origin in ``table``; nil before the first.
    private var origin: Int32?

    private init(_ table: SourceTable, _ visibility: Visibility) {
        self.table = table
        self.visibility = visibility
    }

    /// Returns the extents of all samples.
    ///
    /// - Complexity: O(samples), from columns where there are segments.
    static func all(
        _ db: Database, _ table: SourceTable, _ visibility: Visibility
    ) throws -> Extents {
        var tally = ExtentTally(table, visibility)
        let rows = try StoreStatement<SegmentSpan, Column>(
            db,
            "SELECT \(Column.columns) FROM sample INDEXED BY sample_order \(SegmentSpan.condition)")
        let contents = try StoreStatement<SingleField, ContentColumn>(
            db,
            "SELECT \(ContentColumn.columns) FROM segment WHERE id = \(SingleField.value)")
        var columns = SampleColumns()
        for type in try SampleStore.presentTypeCodes(db).sorted() {
            for part in try SegmentRange.parts(of: type, db) {
                switch part {
                case .rows(let from, let until): try tally.add(rows, type, from, until)
                case .segment(let segment):
                    try contents.bind(segment.id, to: .value)
                    defer { contents.reset() }
                    guard try contents.step() else { throw StoreError(.damagedSegments) }
                    try contents.withBytes(.content) { bytes in
                        try PackedColumns.read(
                            bytes, into: &columns, index: table.index(ofSamplesOrigin:))
                    }
                    tally.add(columns, type)
                }
            }
        }
        tally.endRun()
        return tally.extents
    }

    /// Returns the extents of the samples above a sequence number.
    static func samples(
        after sequence: Int64, _ db: Database, _ table: SourceTable, _ visibility: Visibility
    ) throws -> Extents {
        var tally = ExtentTally(table, visibility)
        let rows = try StoreStatement<SingleField, Column>(
            db, "SELECT \(Column.columns) FROM sample WHERE sequence > \(SingleField.value)")
        try rows.bind(sequence, to: .value)
        while try rows.step() { tally.add(rows) }
        tally.endRun()
        return tally.extents
    }

    private enum Column: Int32, StatementField { case type, origin, startTime, endTime }
    private enum ContentColumn: Int32, StatementField { case content }

    private mutating func add(
        _ rows: borrowing StoreStatement<SegmentSpan, Column>, _ type: Int32,
        _ from: SegmentPosition, _ until: SegmentPosition
    ) throws {
        try rows.bind(type, from, until)
        defer { rows.reset() }
        while try rows.step() { add(rows) }
    }

    private mutating func add<Parameter>(_ row: borrowing StoreStatement<Parameter, Column>) {
        add(
            Int32(truncatingIfNeeded: row.int(.type)), table.index(ofOrigin: row.int(.origin)),
            row.double(.startTime), row.double(.endTime))
    }

    private mutating func add(_ columns: SampleColumns, _ type: Int32) {
        for index in columns.start.indices {
            let origin = columns.origins[columns.origin.isEmpty ? 0 : Int(columns.origin[index])]
            add(type, origin, columns.start[index], columns.end[index])
        }
    }

    private mutating func add(_ type: Int32, _ origin: Int32, _ start: Double, _ end: Double) {
        if self.origin != origin || place.type != type { begin(type, origin) }
        guard isShown, start >= earliest else { return }
        extent.samples += 1
        extent.first = min(extent.first, start)
        extent.last = max(extent.last, end < Sample.undeterminedEnd ? end : start)
    }

    private mutating func begin(_ type: Int32, _ origin: Int32) {
        self.origin = origin
        let index = origin < 0 ? -1 : table.origins[Int(origin)].source
        let source = index < 0 ? nil : table.entries[Int(index)].id
        let next = StoreContents.TypeAndSource(type: type, source: source)
        if next == place { return }
        endRun()
        place = next
        let grant = visibility[type].withoutObjects
        isShown = !grant.isHidden && (grant.onlySource == nil || grant.onlySource == source)
        earliest = source.map(grant.earliest(of:)) ?? grant.earliest ?? -.infinity
    }

    private mutating func endRun() {
        if extent.samples > 0 { extents[place, default: StoreContents.Extent()].add(extent) }
        extent = StoreContents.Extent()
    }
}
