/// A body of Open Health Exporter: lines, or documents
/// `{"header": …, "records": […], "footer": …}`.
///
/// Several batches can follow each other in one body. ``forEachEntry(_:)`` goes through both forms
/// in the same order: header, records, footer.
struct OpenHealthExporterBody {
    enum Form {
        /// Objects with `kind`, one in a line (NDJSON).
        case lines
        /// Objects with `header`, `records` and `footer`.
        case documents
    }

    /// What an entry is, as far as its place shows it.
    enum Place {
        /// The `header` of a document.
        case header
        /// A line, or an element of the `records` of a document. Its `kind` shows what it is.
        case line
        /// The `footer` of a document.
        case footer
    }

    let bytes: IntakeBody
    let form: Form

    /// Recognizes the form by the first object.
    init(_ body: IntakeBody) throws {
        bytes = body
        var reader = JSONReader(body)
        guard try reader.nextKind() == .object else { throw OpenHealthExporterBody.otherShape }
        var (hasKind, hasRecords) = (false, false)
        try reader.readObject { name, reader in
            let isArray = try reader.nextKind() == .array
            if name == "kind" { hasKind = true }
            if name == "header" || name == "records" && isArray { hasRecords = true }
            try reader.skipValue()
        }
        guard hasKind || hasRecords else { throw OpenHealthExporterBody.otherShape }
        form = hasKind ? .lines : .documents
    }

    private static let otherShape = IntakeError.notThisDialect(
        expected: "lines with “kind”, and no “records”")

    /// Calls `visit` for each header, record and footer, with a reader at its first byte. `visit`
    /// must read or skip it.
    func forEachEntry(_ visit: (_ place: Place, _ reader: inout JSONReader) throws -> Void) throws {
        var reader = JSONReader(bytes)
        while try !reader.isAtEnd() {
            switch form {
            case .lines: try visit(.line, &reader)
            case .documents: try forEachEntry(ofDocument: &reader, visit)
            }
        }
    }

    /// Goes through one document. The header comes first, wherever it is in the document.
    private func forEachEntry(
        ofDocument reader: inout JSONReader,
        _ visit: (_ place: Place, _ reader: inout JSONReader) throws -> Void
    ) throws {
        var (header, footer): (Int?, Int?) = (nil, nil)
        var lists: [Int] = []
        try reader.readObject { name, reader in
            let isArray = try reader.nextKind() == .array
            switch name {
            case "header": header = reader.offset
            case "records" where isArray: lists.append(reader.offset)
            case "footer": footer = reader.offset
            default: break
            }
            try reader.skipValue()
        }
        if let header {
            var part = JSONReader(bytes, at: header)
            try visit(.header, &part)
        }
        for list in lists {
            var part = JSONReader(bytes, at: list)
            try part.readArray { element in
                _ = try element.nextKind()
                try visit(.line, &element)
            }
        }
        if let footer {
            var part = JSONReader(bytes, at: footer)
            try visit(.footer, &part)
        }
    }

    /// Reads the value at a place that ``OpenHealthExporterEntry`` found.
    func value(at place: Range<Int>) throws -> JSONValue {
        guard place.count <= JSONReader.maximumValueBytes else {
            throw IntakeError.recordTooLong(offset: place.lowerBound)
        }
        let text = try bytes.bytes(at: place.lowerBound, limit: place.count)
        var reader = JSONReader(IntakeBody(text))
        return try reader.readValue()
    }
}
