import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("Statements whose columns and values have names")
struct StoreStatementTests {
    private enum Column: Int32, StatementField { case sequence, startTime, value }
    private enum Extra: Int32, StatementField { case note }
    private typealias Joined = JoinedFields<Column, Extra>

    private func with(_ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE thing (
                        sequence INTEGER, start_time REAL NOT NULL, value REAL, note TEXT)
                    """)
            try body(db)
        }
    }

    @Test("SQL is made of the names, in their order")
    func texts() {
        #expect(Column.columns == "sequence, start_time, value")
        #expect(Column.inserted == "(sequence, start_time, value) VALUES (?1, ?2, ?3)")
        #expect(
            Column.inserted(rows: 2)
                == "(sequence, start_time, value) VALUES (?1, ?2, ?3), (?4, ?5, ?6)")
        #expect(Column.columns([.value: "NULL"]) == "sequence, start_time, NULL")
        #expect("WHERE value > \(Column.value)" == "WHERE value > ?3")
        #expect(Joined.inserted == "(sequence, start_time, value, note) VALUES (?1, ?2, ?3, ?4)")
        #expect(Joined.allCases.map(\.position) == [0, 1, 2, 3])
        #expect(NoFields.columns.isEmpty)
    }

    @Test("values that are bound by name are read by name")
    func roundTrip() throws {
        try with { db in
            let insert = try StoreStatement<Joined, NoFields>(
                db, "INSERT INTO thing \(Joined.inserted)")
            try insert.bind(Int64(7), to: .first(.sequence))
            try insert.bind(1.5, to: .first(.startTime))
            try insert.bind(orNull: Double.nan, to: .first(.value))
            try insert.bind("a note", to: .second(.note))
            try insert.run()
            let rows = try StoreStatement<SingleField, Joined>(
                db, "SELECT \(Joined.columns) FROM thing WHERE sequence = \(SingleField.value)")
            try rows.bind(Int64(7), to: .value)
            // Read outside the macro, which would copy the noncopyable statement.
            let isFound = try rows.step()
            let (number, start) = (rows.int(.first(.sequence)), rows.double(.first(.startTime)))
            let (isEmpty, value) = (
                rows.isNull(.first(.value)), rows.doubleOrNaN(.first(.value))
            )
            let note = try rows.text(.second(.note))
            let isEnd = try !rows.step()
            #expect(isFound && number == 7 && start == 1.5)
            #expect(isEmpty && value.isNaN)
            #expect(note == "a note")
            #expect(isEnd)
        }
    }

    @Test("several rows are bound at once")
    func rows() throws {
        try with { db in
            let insert = try StoreStatement<Column, NoFields>(
                db, "INSERT INTO thing \(Column.inserted(rows: 2))", rows: 2)
            for row in Int32(0)...1 {
                try insert.bind(row, to: .sequence, row: row)
                try insert.bind(Double(row), to: .startTime, row: row)
                try insert.bindNull(to: .value, row: row)
            }
            try insert.run()
            #expect(try Int.readAll(db, sql: "SELECT sequence FROM thing") == [0, 1])
        }
    }

    @Test("a statement that doesn't read what its names say is refused")
    func misnamed() throws {
        try with { db in
            #expect(throws: StoreError.self) {
                _ = try StoreStatement<NoFields, Column>(db, "SELECT sequence FROM thing")
            }
            #expect(throws: StoreError.self) {
                _ = try StoreStatement<SingleField, SingleField>(
                    db, "SELECT value FROM thing WHERE sequence BETWEEN ? AND ?")
            }
        }
    }

    @Test("a value that SQLite doesn't take is an error that names its place, not the value")
    func refused() throws {
        try with { db in
            let insert = try StoreStatement<Column, NoFields>(
                db, "INSERT INTO thing (sequence) VALUES (\(Column.sequence))")
            try insert.bind(Int64(1), to: .sequence)
            let error = #expect(throws: StoreError.self) { try insert.bind(4711.5, to: .value) }
            #expect(error?.code == .failed)
            #expect(error?.description.hasPrefix("thing.value ") == true)
            #expect(error?.description.contains("4711") == false)
        }
    }

    @Test("a constraint that a row breaks is thrown")
    func constraint() throws {
        try with { db in
            let insert = try StoreStatement<Column, NoFields>(
                db, "INSERT INTO thing \(Column.inserted)")
            try insert.bind(Int64(1), to: .sequence)
            #expect(throws: DatabaseError.self) { try insert.run() }
        }
    }
}
