/// Reads an upload of a form without script (`multipart/form-data`) in parts of any size: first
/// short fields, then one file, whose bytes are passed on as they arrive.
struct MultipartReader {
    /// What was read.
    enum Event: Hashable {
        /// A field, which is short.
        case field(name: String, value: String)
        /// The next bytes of the file.
        case file([UInt8])
    }

    private enum State {
        /// Before the first boundary.
        case preamble
        /// After a boundary: the end of the form, or of the line.
        case afterBoundary
        /// In the header of a part.
        case header
        case field(name: String)
        case file
        /// After the last boundary, or after the file. What follows is ignored.
        case end
    }

    /// The maximum bytes of a boundary, a header or a field.
    private static let maximumLength = 8_192

    private let delimiter: [UInt8]
    private var state = State.preamble
    /// The bytes that aren't part of an event yet. The first boundary has no line break before it,
    /// so that one is added.
    private var pending: [UInt8] = Array("\r\n".utf8)

    /// - Parameter boundary: The boundary in the header `Content-Type`.
    /// - Throws: ``UploadRefusal`` if it is empty or longer than 70 characters.
    init(boundary: String) throws {
        guard (1...70).contains(boundary.utf8.count) else { throw UploadRefusal.notAForm }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Reads the next bytes.
    ///
    /// - Throws: ``UploadRefusal`` for what isn't such a form.
    /// - Complexity: O(n) for n bytes.
    mutating func read(_ bytes: [UInt8]) throws -> [Event] {
        pending += bytes
        var events: [Event] = []
        while try advance(&events) {}
        return events
    }

    /// Returns whether the form has ended, or at least its file.
    var isAtEnd: Bool { if case .end = state { true } else { false } }

    /// Reads on in the pending bytes. Returns false if more bytes are needed.
    private mutating func advance(_ events: inout [Event]) throws -> Bool {
        switch state {
        case .end:
            pending = []
            return false
        case .preamble:
            guard let found = try upTo(delimiter) else { return false }
            pending.removeFirst(found + delimiter.count)
            state = .afterBoundary
        case .afterBoundary:
            guard pending.count >= 2 else { return false }
            let isLine = pending.starts(with: Array("\r\n".utf8))
            guard isLine || pending.starts(with: Array("--".utf8)) else {
                throw UploadRefusal.notAForm
            }
            // The line break stays: it begins the header, which can be empty.
            state = isLine ? .header : .end
        case .header:
            guard let found = try upTo(Array("\r\n\r\n".utf8)) else { return false }
            try begin(String(decoding: pending[..<found], as: UTF8.self))
            pending.removeFirst(found + 4)
        case .field(let name):
            guard let found = try upTo(delimiter) else { return false }
            events.append(
                .field(name: name, value: String(decoding: pending[..<found], as: UTF8.self)))
            pending.removeFirst(found + delimiter.count)
            state = .afterBoundary
        case .file: return readFile(&events)
        }
        return true
    }

    private mutating func readFile(_ events: inout [Event]) -> Bool {
        if let found = Self.position(of: delimiter, in: pending) {
            if found > 0 { events.append(.file(Array(pending[..<found]))) }
            state = .end
            return true
        }
        // The last bytes may be the beginning of a boundary.
        let count = pending.count - delimiter.count + 1
        guard count > 0 else { return false }
        events.append(.file(Array(pending[..<count])))
        pending.removeFirst(count)
        return false
    }

    /// Returns the position of some bytes; nil if they haven't arrived yet.
    ///
    /// - Throws: ``UploadRefusal`` if they should have.
    private func upTo(_ bytes: [UInt8]) throws -> Int? {
        if let found = Self.position(of: bytes, in: pending), found <= Self.maximumLength {
            return found
        }
        guard pending.count <= Self.maximumLength + bytes.count else {
            throw UploadRefusal.notAForm
        }
        return nil
    }

    /// Begins the part with a header such as `Content-Disposition: form-data; name="csrf"`.
    private mutating func begin(_ header: String) throws {
        let line = header.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-disposition:")
        }
        guard let line, let name = Self.value(of: "name", in: line) else {
            throw UploadRefusal.notAForm
        }
        state = Self.value(of: "filename", in: line) == nil ? .field(name: name) : .file
    }

    /// Returns a quoted parameter of a header. Browsers encode quotation marks in it.
    private static func value(of name: String, in line: Substring) -> String? {
        guard let start = line.firstRange(of: "; \(name)=\"") else { return nil }
        let rest = line[start.upperBound...]
        return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }

    /// Returns the first position of some bytes, which begin with a carriage return; nil without
    /// all of them.
    private static func position(of bytes: [UInt8], in text: [UInt8]) -> Int? {
        var start = text.startIndex
        while let found = text[start...].firstIndex(of: UInt8(ascii: "\r")) {
            guard text.count - found >= bytes.count else { return nil }
            if text[found...].starts(with: bytes) { return found }
            start = found + 1
        }
        return nil
    }
}
