/// The lines of a text, with their positions.
struct LineTexts: Sendable {
    private let text: String
    private let table: LineTable

    init(_ text: String) {
        self.text = text
        table = LineTable(text)
    }

    /// Returns the line and the column of a byte offset, both counted from 1.
    func place(of offset: Int) -> (line: Int, column: Int) { table.place(of: offset) }

    /// Returns the byte offset of a line's start. Lines are counted from 1.
    func offset(of line: Int) -> Int { table.offset(of: line) }

    /// Returns a line without its terminator, or an empty string for a line that doesn't exist.
    subscript(line: Int) -> String {
        let bytes = text.utf8
        guard line > 0, line <= table.count else { return "" }
        let start = bytes.index(bytes.startIndex, offsetBy: table.offset(of: line))
        return String(Substring(bytes[start...].prefix { $0 != 10 && $0 != 13 }))
    }
}

extension String {
    /// Returns whether the bytes of another text occur in this one.
    ///
    /// - Complexity: O(n), unless the first byte of the other text is frequent.
    func hasBytes(of other: String) -> Bool {
        let wanted = Array(other.utf8)
        var text = self
        return text.withUTF8 { bytes in
            guard let first = wanted.first, bytes.count >= wanted.count else { return false }
            var index = 0
            let last = bytes.count - wanted.count
            while index <= last {
                if bytes[index] == first,
                    bytes[index..<index + wanted.count].elementsEqual(wanted)
                {
                    return true
                }
                index += 1
            }
            return false
        }
    }
}
