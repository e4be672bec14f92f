@testable import HealthArchive

/// A stream of bytes in memory that returns `pieces` of them at a time. The last size is repeated.
final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private var pieces: [Int]
    private var position = 0

    init(_ bytes: [UInt8], pieces: [Int] = [1 << 20]) {
        self.bytes = bytes
        self.pieces = pieces
    }

    var consumedByteCount: Int64 { Int64(position) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let piece = pieces.count > 1 ? pieces.removeFirst() : pieces[0]
        let count = min(piece, buffer.count, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }

    /// Returns the whole content of a stream, read `piece` bytes at a time.
    static func readAll(_ stream: any ByteStream, piece: Int = 4096) throws -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try stream.read(into: buffer)
            if count == 0 { return result }
            result += buffer[..<count]
        }
    }
}

/// A parsing event of the scanner or libxml2, as a value that can be compared.
enum ScanEvent: Hashable, CustomStringConvertible {
    case start(String, [Pair])
    case end(String)
    case text(String)
    case skipped(String)

    struct Pair: Hashable {
        var name: String
        var value: String
    }

    var description: String {
        switch self {
        case .start(let name, let pairs):
            "<\(name)" + pairs.map { " \($0.name)=\(Array($0.value.utf8))" }.joined() + ">"
        case .end(let name): "</\(name)>"
        case .text(let text): "\(text.debugDescription)"
        case .skipped(let text): "skipped \(text.debugDescription)"
        }
    }
}

struct Scan: Equatable {
    var events: [ScanEvent] = []
    var offsets: [Int64] = []
    var repairs: [Repair: Int] = [:]
    var ending: ElementScanner.Ending?
    var version: Int?
    var error: ArchiveError?

    /// Scans `bytes` in `pieces`, with an initial buffer of `capacity` bytes.
    init(_ bytes: [UInt8], pieces: [Int] = [1 << 20], capacity: Int = 1 << 12) {
        var scanner = ElementScanner(
            reading: MemoryStream(bytes, pieces: pieces), name: "test.xml",
            bufferByteCount: capacity)
        do {
            while let event = try scanner.next() { add(event) }
        } catch let failure {
            error = failure
        }
        repairs = scanner.repairs
        ending = scanner.ending
        version = scanner.exportVersion
    }

    init(_ text: String, pieces: [Int] = [1 << 20], capacity: Int = 1 << 12) {
        self.init(Array(text.utf8), pieces: pieces, capacity: capacity)
    }

    private mutating func add(_ event: ElementScanner.Event) {
        switch event {
        case .start(let tag):
            let pairs = tag.attributes.map {
                ScanEvent.Pair(name: $0.nameString, value: $0.string)
            }
            events.append(.start(tag.nameString, pairs))
            if tag.isEmpty { events.append(.end(tag.nameString)) }
            offsets.append(tag.offset)
        case .end(let tag):
            events.append(.end(tag.nameString))
            offsets.append(tag.offset)
        case .text(let text):
            events.append(.text(text.string))
            offsets.append(text.offset)
        case .skipped(let fragment):
            events.append(.skipped(String(decoding: fragment.raw, as: UTF8.self)))
            offsets.append(fragment.offset)
        }
    }

    /// The events as libxml2 reports them: texts trimmed after decoding, without blank ones.
    var trimmed: [ScanEvent] {
        events.compactMap {
            guard case .text(let text) = $0 else { return $0 }
            let rest = ScanEvent.trim(text)
            return rest.isEmpty ? nil : .text(rest)
        }
    }
}

extension ScanEvent {
    static func trim(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = {
            $0.value == 32 || $0.value == 9 || $0.value == 10 || $0.value == 13
        }
        var scalars = text.unicodeScalars[...]
        scalars = scalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(scalars)
    }
}
