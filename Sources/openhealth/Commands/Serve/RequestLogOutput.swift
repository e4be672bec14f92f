import Foundation
import HealthStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the log of requests is written.
enum RequestLogOutput: Hashable, Sendable {
    case standardError, standardOutput
    case file(String)
    /// There is no log.
    case nowhere

    /// - Parameter option: The value of `--log`; nil if it isn't given.
    init(option: String?) {
        self =
            switch option {
            case nil: .standardError
            case "-": .standardOutput
            case "none": .nowhere
            case let path?: .file(path)
            }
    }

    /// The name of this computer. It isn't looked up in the network, which could take seconds.
    static var hostName: String {
        var name = [UInt8](repeating: 0, count: 256)
        let isKnown = name.withUnsafeMutableBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
            return gethostname(start, bytes.count - 1) == 0
        }
        return isKnown ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : "unknown"
    }

    /// Returns the function that writes lines, and returns whether it has; nil for no log.
    ///
    /// - Throws: ``CommandError`` if the file can't be opened.
    func writer() throws -> (@Sendable (String) -> Bool)? {
        // A reader of the log that ends must not end the server.
        signal(SIGPIPE, SIG_IGN)
        switch self {
        case .standardError: return { AppendedFile.write($0, to: STDERR_FILENO) }
        case .standardOutput: return { AppendedFile.write($0, to: STDOUT_FILENO) }
        case .file(let path):
            let file = try AppendedFile(at: path)
            return { file.write($0) }
        case .nowhere: return nil
        }
    }
}

/// A file to whose end text is written. If it is renamed or deleted, for example by `logrotate`, it
/// is created again with the next text.
private final class AppendedFile: Sendable {
    private struct Opened {
        var descriptor: Int32
        var identity: Identity?
    }

    /// The file system and the inode of a file.
    private struct Identity: Hashable {
        var device: Int?
        var file: Int?

        /// Returns nil if there is no file at the path.
        init?(_ path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            else { return nil }
            device = (attributes[.systemNumber] as? NSNumber)?.intValue
            file = (attributes[.systemFileNumber] as? NSNumber)?.intValue
        }
    }

    private let path: String
    private let opened: Mutex<Opened>

    /// - Throws: ``CommandError`` if the file can't be opened.
    init(at path: String) throws {
        self.path = path
        guard let file = AppendedFile.open(path) else {
            let fault = FileFault(errorNumber: errno)
            throw CommandError(
                "The log \(path.printable) can't be opened: \(fault).".followed(by: fault.advice))
        }
        opened = Mutex(file)
    }

    deinit { close(opened.withLock { $0.descriptor }) }

    /// Opens or creates a file that only its owner can read.
    ///
    /// - Returns: nil if that fails, with the reason in `errno`.
    private static func open(_ path: String) -> Opened? {
        let descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        return Opened(descriptor: descriptor, identity: Identity(path))
    }

    /// Writes text, and returns whether all of it was written.
    func write(_ text: String) -> Bool {
        opened.withLock { opened in
            if opened.identity == nil || opened.identity != Identity(path) {
                guard let file = AppendedFile.open(path) else { return false }
                close(opened.descriptor)
                opened = file
            }
            return AppendedFile.write(text, to: opened.descriptor)
        }
    }

    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process has made the shared output nonblocking.
                usleep(10_000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
