import HealthPeople
import Testing

/// Typed access to the columns of a row.
@Suite struct RowTests {
    private let row = SQLRow([.integer(1), .text("secret"), .null, .real(1.5), .bytes([1])])

    @Test("A column of another type is an error without its value") func otherType() {
        let error = #expect(throws: SQLError.self) { try row.int(1) }
        #expect(error?.code == .unexpectedValue(column: 1))
        #expect(error?.description.contains("secret") == false)
    }

    @Test("A column that doesn't exist is an error", arguments: [-1, 5, .max, .min])
    func missing(_ column: Int) {
        #expect(throws: SQLError.self) { try row.optionalInt(column) }
    }

    @Test("NULL is an error where a value is required, and nil elsewhere") func null() throws {
        #expect(throws: SQLError.self) { try row.text(2) }
        #expect(try row.optionalText(2) == nil)
        #expect(try row.optionalInt(2) == nil)
        #expect(try row.optionalDouble(2) == nil)
        #expect(try row.optionalBytes(2) == nil)
        #expect(try row.optionalBool(2) == nil)
    }

    @Test("An integer is read as a real number and, if 0 or 1, as a boolean")
    func conversions() throws {
        #expect(try row.double(0) == 1)
        #expect(try row.bool(0))
        #expect(throws: SQLError.self) { try SQLRow([.integer(2)]).bool(0) }
    }

    @Test("Each type is read by its accessor") func accessors() throws {
        #expect(try row.int(0) == 1)
        #expect(try row.text(1) == "secret")
        #expect(try row.double(3) == 1.5)
        #expect(try row.bytes(4) == [1])
    }
}
