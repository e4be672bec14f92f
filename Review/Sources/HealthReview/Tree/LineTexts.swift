/// The lines of a text, where they begin and what they say.
struct LineTexts: Sendable {
    private let text: String
    private let table: LineTable

    init(_ text: String) {
        self.text = text
        table = LineTable(text)
    }

    /// The line and the column of a byte, both from 1.
    func place(of offset: Int) -> (line: Int, column: Int) { table.place(of: offset) }

    /// The byte that a line begins with, lines counting from 1.
    func offset(of line: Int) -> Int { table.offset(of: line) }

    /// A line without its end; empty where there is none.
    subscript(line: Int) -> String {
        let bytes = text.utf8
        guard line > 0, line <= table.count else { return "" }
        let start = bytes.index(bytes.startIndex, offsetBy: table.offset(of: line))
        return String(Substring(bytes[start...].prefix { $0 != 10 && $0 != 13 }))
    }
}

extension String {
    /// Whether another text's bytes stand somewhere in this one.
    ///
    /// - Complexity: O(n) unless the other repeats its first byte much.
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
