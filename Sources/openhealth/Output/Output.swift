import Foundation
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output or a file, with a buffer of 64 KiB.
struct Output: ~Copyable {
    private var buffer: [UInt8] = []
    private let descriptor: Int32
    /// The name of the output at the beginning of error messages.
    private let name: String

    init() {
        descriptor = STDOUT_FILENO
        name = "The output"
    }

    /// Opens an existing file for writing from its beginning.
    ///
    /// - Throws: ``CommandError`` if it can't be opened.
    init(to path: String, named name: String) throws {
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
        self.name = name
        guard descriptor >= 0 else { throw failure }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    private var failure: CommandError {
        let fault = FileFault(errorNumber: errno)
        return CommandError("\(name) can't be written: \(fault).".followed(by: fault.advice))
    }

    mutating func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 1 << 16 { try flush() }
    }

    mutating func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Writes what is left in the buffer.
    ///
    /// - Throws: ``CommandError`` if that fails, for example because the disk is full or a pipe is
    ///   closed.
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

    /// Writes a text to standard output.
    static func print(_ text: String) throws {
        var output = Output()
        try output.write(text)
        try output.flush()
    }

    /// Writes a text to a file that only its owner can read. When it is complete, it replaces an
    /// existing file, unless that is a store.
    ///
    /// - Throws: ``CommandError`` or `StoreError` if the file can't be written.
    static func write(_ text: String, toFile path: String) throws {
        let file = try StagedFile(at: path, over: .file)
        var output = try Output(to: file.temporaryPath, named: path.printable)
        try output.write(text)
        try output.flush()
        try file.commit()
    }

    static func print(_ json: JSONText) throws { try print(json.text + "\n") }
}

/// Messages on standard error.
enum Message {
    static func write(_ line: String) { show(line + "\n") }

    /// Writes text without adding a newline. After an error the rest of the text is dropped.
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
