/// Splits received bytes into lines of limited length.
struct LineSplitter {
    /// The maximum length of a line in bytes.
    static let maximumLength = 16 << 20

    enum Event: Hashable, Sendable {
        /// A line without its end.
        case line([UInt8])
        /// The end of a line that was too long and has been dropped.
        case tooLong
    }

    private let maximumLength: Int
    private var line: [UInt8] = []
    private var isTooLong = false

    init(maximumLength: Int = LineSplitter.maximumLength) { self.maximumLength = maximumLength }

    /// Returns the lines that end in the bytes. Empty lines are left out.
    mutating func receive(_ bytes: some Collection<UInt8>) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            if let event = self.end() { events.append(event) }
            rest = rest[rest.index(after: end)...]
        }
        add(rest)
        return events
    }

    /// Returns the last line, if it has no end.
    mutating func finish() -> Event? { end() }

    private mutating func add(_ bytes: some Collection<UInt8>) {
        if isTooLong { return }
        guard line.count + bytes.count <= maximumLength else {
            isTooLong = true
            line = []
            return
        }
        line.append(contentsOf: bytes)
    }

    private mutating func end() -> Event? {
        defer {
            line = []
            isTooLong = false
        }
        if isTooLong { return .tooLong }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let isEmpty = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return isEmpty ? nil : .line(line)
    }
}
