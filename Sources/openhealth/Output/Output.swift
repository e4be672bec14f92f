import Foundation
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output, or a file, written in large pieces.
struct Output: ~Copyable {
    private var buffer: [UInt8] = []
    private let descriptor: Int32
    /// What the sentence of a failure begins with.
    private let name: String

    init() {
        descriptor = STDOUT_FILENO
        name = "The answer"
    }

    /// Writes to a file that is there, from its beginning.
    init(to path: String, named name: String) throws {
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
        self.name = name
        guard descriptor >= 0 else { throw failure }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    private var failure: NotDone {
        NotDone("\(name) can't be written: \(FileSizeLimit.reason(errno)).")
    }

    mutating func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Hands on what is left.
    ///
    /// - Throws: ``NotDone`` if the disk behind a redirection is full or the reader failed.
    mutating func flush() throws {
        var sent = 0
        while sent < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Foundation.write(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure
            }
            sent += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes one text and is done.
    static func print(_ text: String) throws {
        var output = Output()
        try output.write(text)
        try output.flush()
    }

    /// Writes one text as a whole file, which only its owner may read, over one that is there.
    static func write(_ text: String, toFile path: String) throws {
        let file = try StagedFile(at: path, over: .file)
        var output = try Output(to: file.temporaryPath, named: path.printable)
        try output.write(text)
        try output.flush()
        try file.place()
    }

    static func print(_ json: JSONText) throws { try print(json.text + "\n") }
}

/// Standard error: all that is not the answer.
enum Message {
    static func write(_ line: String) { show(line + "\n") }

    /// Text without a line's end; one that nobody can read is no reason to stop.
    static func show(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
