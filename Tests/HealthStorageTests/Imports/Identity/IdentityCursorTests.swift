import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("Identity lookups while a file is read")
struct IdentityCursorTests {
    private typealias GroupKey = SnapshotWriter.GroupKey

    private static func row(_ sequence: Int64, _ place: GroupKey, occurrence: Int64) -> StoredRow {
        StoredRow(
            sequence: sequence, type: place.type, start: place.start, key: place.base + occurrence,
            end: place.start, created: .nan, origin: 1, metadata: 0, value: 1, detail: nil)
    }

    @Test("a cursor finds what a search finds, in any order of lookups and insertions")
    func cursor() throws {
        for seed in UInt64(1)...40 {
            var random = SeededRandom(seed: seed)
            var rows: [StoredRow] = []
            func place() -> GroupKey {
                GroupKey(
                    type: Int32.random(in: 1...2, using: &random),
                    start: Double(Int.random(in: 0..<60, using: &random) / 3),
                    base: Int64.random(in: 0..<3, using: &random) << ImportedIdentity.occurrenceBits
                )
            }
            let store = try SampleStore.inMemory()
            try store.write { db in
                let insert = try StoreStatement<StoredRow.Column, NoFields>(
                    db, "INSERT INTO sample \(StoredRow.Column.inserted)")
                let cursor = try IdentityCursor(db)
                func add() throws {
                    let place = place()
                    let count = rows.count { GroupKey($0) == place }
                    let row = IdentityCursorTests.row(
                        Int64(rows.count + 1), place, occurrence: Int64(count))
                    try row.bind(to: insert)
                    try insert.run()
                    rows.append(row)
                    cursor.invalidate()
                }
                for _ in 0..<80 { try add() }
                for _ in 0..<20 {
                    var places = (0..<12).map { _ in place() }
                    if Bool.random(using: &random) {
                        places.sort { ($0.type, $0.start, $0.base) < ($1.type, $1.start, $1.base) }
                    }
                    for place in places {
                        let group = rows.filter { GroupKey($0) == place }
                        let found = try cursor.first(at: place)
                        #expect(found?.row.key == group.map(\.key).min(), "seed \(seed)")
                        let isUnique = found.map(\.isUnique)
                        #expect(isUnique == found.map { _ in group.count == 1 }, "seed \(seed)")
                        if Int.random(in: 0..<10, using: &random) == 0 { try add() }
                    }
                }
            }
        }
    }

    @Test("a first import whose rows arrive out of order still finds equal records")
    func rowsOutOfOrder() throws {
        // The file repeats itself, so half of all rows arrive late.
        var recording = Recording()
        for index in 0..<12_000 {
            recording.add(.steps, "Phone", Double(index % 6000), Double(index % 6000), 1)
        }
        let file = try TemporaryStore()
        let outcome = try file.add(recording)
        #expect(outcome.records.new == 12_000)
        #expect(outcome.equalRecords.map(\.count) == [6000])
        #expect(try file.open(.reading).check() == [])
        #expect(try file.add(recording).records.unchanged == 12_000)
    }
}
