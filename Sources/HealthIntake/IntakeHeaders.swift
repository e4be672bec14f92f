/// The header fields of a request. Names are compared without case.
package struct IntakeHeaders: Sendable {
    private let fields: [String: String]

    /// Creates header fields. Of several with one name, the first one counts.
    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in
            first
        }
    }

    /// The value of a field without surrounding spaces; nil for a missing or empty one.
    package subscript(_ name: String) -> String? {
        guard let value = fields[name.lowercased()] else { return nil }
        var trimmed = value[...]
        while trimmed.first == " " || trimmed.first == "\t" { trimmed.removeFirst() }
        while trimmed.last == " " || trimmed.last == "\t" { trimmed.removeLast() }
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
