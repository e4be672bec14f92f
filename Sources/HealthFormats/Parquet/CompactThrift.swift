/// A writer of Thrift's compact protocol, in which Parquet writes page headers and the footer.
///
/// Each structure is built as bytes of its own, so fields can be written in any nesting:
///
/// ```swift
/// var column = CompactThrift()
/// column.add(1, int32: 5)
/// column.add(3, texts: ["value"])
/// var footer = CompactThrift()
/// footer.add(4, structures: [column.structure])
/// ```
/// Fields of a structure are added in ascending order of their numbers.
struct CompactThrift {
    private var bytes: [UInt8] = []
    private var lastField = 0

    /// The type codes of the protocol.
    private enum Code {
        static let isTrue: UInt8 = 1
        static let isFalse: UInt8 = 2
        static let int16: UInt8 = 4
        static let int32: UInt8 = 5
        static let int64: UInt8 = 6
        static let binary: UInt8 = 8
        static let list: UInt8 = 9
        static let structure: UInt8 = 12
    }

    /// The fields so far with the stop field, as a complete structure.
    var structure: [UInt8] { bytes + [0] }

    mutating func add(_ field: Int, flag: Bool) {
        header(field, flag ? Code.isTrue : Code.isFalse)
    }

    mutating func add(_ field: Int, int16 value: Int16) {
        header(field, Code.int16)
        CompactThrift.append(zigzag: Int64(value), to: &bytes)
    }

    mutating func add(_ field: Int, int32 value: Int32) {
        header(field, Code.int32)
        CompactThrift.append(zigzag: Int64(value), to: &bytes)
    }

    mutating func add(_ field: Int, int64 value: Int64) {
        header(field, Code.int64)
        CompactThrift.append(zigzag: value, to: &bytes)
    }

    mutating func add(_ field: Int, text: String) { add(field, binary: Array(text.utf8)) }

    mutating func add(_ field: Int, binary value: [UInt8]) {
        header(field, Code.binary)
        CompactThrift.append(UInt64(value.count), to: &bytes)
        bytes += value
    }

    /// Adds a structure, whose bytes end with its stop field.
    mutating func add(_ field: Int, structure: [UInt8]) {
        header(field, Code.structure)
        bytes += structure
    }

    mutating func add(_ field: Int, structures: [[UInt8]]) {
        list(field, Code.structure, structures.count)
        for structure in structures { bytes += structure }
    }

    mutating func add(_ field: Int, int32s: [Int32]) {
        list(field, Code.int32, int32s.count)
        for value in int32s { CompactThrift.append(zigzag: Int64(value), to: &bytes) }
    }

    mutating func add(_ field: Int, texts: [String]) {
        list(field, Code.binary, texts.count)
        for text in texts {
            CompactThrift.append(UInt64(text.utf8.count), to: &bytes)
            bytes += text.utf8
        }
    }

    private mutating func list(_ field: Int, _ code: UInt8, _ count: Int) {
        header(field, Code.list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | code)
        } else {
            bytes.append(0xF0 | code)
            CompactThrift.append(UInt64(count), to: &bytes)
        }
    }

    private mutating func header(_ field: Int, _ code: UInt8) {
        let distance = field - lastField
        if (1...15).contains(distance) {
            bytes.append(UInt8(distance) << 4 | code)
        } else {
            bytes.append(code)
            CompactThrift.append(zigzag: Int64(field), to: &bytes)
        }
        lastField = field
    }

    private static func append(zigzag value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    /// Appends an unsigned number in seven-bit groups, the lowest first (LEB128).
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
