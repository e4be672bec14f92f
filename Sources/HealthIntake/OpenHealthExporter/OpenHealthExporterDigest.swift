import HealthEngine

/// Checks the digests that the footers of a body state.
///
/// A digest is that of the record lines with their line feeds, over the bytes as they were
/// received: senders differ in how they write numbers and escapes, so nothing is serialized again.
struct OpenHealthExporterDigest {
    private static let chunkSize = 256 << 10

    private let body: OpenHealthExporterBody
    /// The offset after the header, in a body of lines.
    private var start = 0
    /// The digest of the records so far, in a document.
    private var sum = SHA256()
    /// Whether the records of the document have no white space between tokens.
    private var isCompact = true

    init(_ body: OpenHealthExporterBody) { self.body = body }

    /// Begins a batch after the header at a place.
    mutating func begin(after header: Range<Int>) throws {
        start = try offset(afterLineOf: header.upperBound)
        (sum, isCompact) = (SHA256(), true)
    }

    /// Adds a record.
    mutating func add(_ record: Range<Int>) throws {
        // Lines are read together, at the footer.
        guard body.form == .documents else { return }
        var white = WhiteSpaceSearch()
        var next = record.lowerBound
        while next < record.upperBound {
            let limit = min(OpenHealthExporterDigest.chunkSize, record.upperBound - next)
            let bytes = try body.bytes.bytes(at: next, limit: limit)
            if bytes.isEmpty { break }
            sum.update(bytes)
            white.read(bytes)
            next += bytes.count
        }
        sum.update([UInt8(ascii: "\n")])
        isCompact = isCompact && !white.isFound
    }

    /// Compares the digest of the records with the one that a footer states, and begins a batch
    /// after it.
    ///
    /// The format defines the digest for lines. A document has none, but its records without white
    /// space are the same bytes as the lines. Records with white space were written again by
    /// another program, and can't be compared.
    ///
    /// - Throws: ``IntakeError/digestMismatch``.
    mutating func end(at place: Range<Int>, _ footer: JSONValue) throws {
        if let stated = OpenHealthExporterDigest.stated(in: footer) {
            if body.form == .lines {
                sum = SHA256()
                try addLines(upTo: place.lowerBound)
            }
            let digest = sum.finish()
            if isCompact, digest != stated { throw IntakeError.digestMismatch }
        }
        try begin(after: place)
    }

    private mutating func addLines(upTo end: Int) throws {
        var next = start
        while next < end {
            let limit = min(OpenHealthExporterDigest.chunkSize, end - next)
            let bytes = try body.bytes.bytes(at: next, limit: limit)
            if bytes.isEmpty { break }
            sum.update(bytes)
            next += bytes.count
        }
    }

    /// The hexadecimal digits of a footer's digest; nil for none and for one of another algorithm.
    private static func stated(in footer: JSONValue) -> String? {
        let name = "sha256:"
        guard let text = footer["contentDigest"]?.string?.lowercased(), text.hasPrefix(name) else {
            return nil
        }
        return String(text.dropFirst(name.count))
    }

    /// Returns the offset after the line feed that follows an offset; that of the next token if
    /// there is none before it.
    private func offset(afterLineOf offset: Int) throws -> Int {
        var place = offset
        while true {
            let bytes = try body.bytes.bytes(at: place, limit: 256)
            if bytes.isEmpty { return place }
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "\n"): return place + 1
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
                default: return place
                }
            }
        }
    }
}

/// Finds white space between the tokens of JSON.
private struct WhiteSpaceSearch {
    private(set) var isFound = false
    private var isInString = false
    private var isEscaped = false

    mutating func read(_ bytes: [UInt8]) {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte <= UInt8(ascii: " ") {
                isFound = true
            }
        }
    }
}
