import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("The order in which the rows of a first import arrive")
struct ArrivalOrderTests {
    private static let steps =
        Catalogue.type(
            identifier: "HKQuantityTypeIdentifierStepCount")?.code ?? 0
    private static let heartRate =
        Catalogue.type(
            identifier: "HKQuantityTypeIdentifierHeartRate")?.code ?? 0

    private static func row(
        _ sequence: Int, _ type: Int32, _ start: Double, _ key: Int64
    ) -> StoredRow {
        StoredRow(
            sequence: Int64(sequence), type: type, start: start,
            key: key << ImportedIdentity.occurrenceBits, end: start + 1, created: .nan,
            origin: Int64(1 + sequence % 3), metadata: 0, value: Double(sequence % 50), detail: nil)
    }

    /// Adds rows to a store without triggers and to an order; returns which ones are possible
    /// duplicates, whether that is effective, and the numbers of segments, of all and of wrong ones.
    private func arrive(
        _ rows: [StoredRow], window: Int = 8
    ) throws -> (flagged: [Bool], isEffective: Bool, segments: Int, wrong: Int) {
        let store = try SampleStore.inMemory()
        return try store.write { db in
            try db.execute(sql: Schema.dropEditTriggers)
            let insertion = try RowInsertion(db)
            let sizes = SegmentWriter.Sizes(full: window, minimum: 2, round: .max)
            let order = try ArrivalOrder(db, sizes)
            let flagged = try rows.map { row in
                try insertion.add(row)
                return try order.add(row) == .possibleDuplicate
            }
            try insertion.finish()
            try order.finish()
            let segments = try Int.fetchOne(db, sql: "SELECT count(*) FROM segment") ?? 0
            let wrong = try SegmentAudit.wrongSegments(db)
            try db.execute(sql: Schema.editTriggers)
            return (flagged, order.isEffective, segments, wrong)
        }
    }

    @Test(
        "every repeated identity is a possible duplicate, and segments match the rows",
        arguments: UInt64(0)..<120)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let disorder = Double([0, 1, 10, 100][Int(seed % 4)])
        var time = 0.0
        let rows = (1...600).map { sequence -> StoredRow in
            time += Double(Int.random(in: 0...2, using: &random))
            let late = disorder == 0 ? 0 : Double(Int.random(in: 0...Int(disorder), using: &random))
            return Self.row(
                sequence, Bool.random(using: &random) ? Self.steps : Self.heartRate, time - late,
                Int64.random(in: 0..<3, using: &random))
        }
        let result = try arrive(rows, window: Int.random(in: 4...40, using: &random))
        #expect(result.wrong == 0, "seed \(seed)")
        #expect(result.isEffective, "seed \(seed)")
        #expect(disorder > 1 || result.segments > 10, "seed \(seed)")
        var known: Set<SnapshotWriter.GroupKey> = []
        for (row, isFlagged) in zip(rows, result.flagged) {
            let isKnown = !known.insert(SnapshotWriter.GroupKey(row)).inserted
            #expect(isFlagged || !isKnown, "seed \(seed), row \(row.sequence)")
            if disorder == 0 { #expect(isFlagged == isKnown, "seed \(seed), row \(row.sequence)") }
        }
    }

    @Test("rows in descending order make it ineffective, and leave no segment")
    func descending() throws {
        let rows = (1...8000).map { Self.row($0, Self.steps, -Double($0), 1) }
        let result = try arrive(rows)
        #expect(!result.isEffective)
        #expect(result.segments == 0)
    }

    @Test("too many rows of one start are possible duplicates, and aren't in segments")
    func oneStart() throws {
        let rows = (1...400).map { Self.row($0, Self.steps, 5, Int64($0)) }
        let result = try arrive(rows)
        #expect(result.flagged.contains(true))
        #expect(!result.flagged.prefix(32).contains(true))
        #expect(result.segments == 0)
    }

    @Test("a start of -0 is that of 0")
    func zero() throws {
        let rows = [Self.row(1, Self.steps, 0, 1), Self.row(2, Self.steps, -0.0, 1)]
        #expect(try arrive(rows).flagged == [false, true])
    }
}
