import Foundation
import HealthReview

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output and standard error.
enum Stream {
    case output

    /// The reader is gone, or the disk behind a redirection is full.
    struct Broken: Error, CustomStringConvertible {
        var description: String
    }

    /// Writes the answer.
    func write(_ text: String) throws(Broken) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = Self.put(bytes, STDOUT_FILENO)
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw Broken(
                    description: "The answer can't be written: \(String(cString: strerror(errno)))."
                )
            }
        }
    }

    /// Writes what isn't the answer; nobody may be there to read it.
    static func message(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = put(bytes, STDERR_FILENO)
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Colour only on a terminal, and not under `NO_COLOR`.
    static var ink: ReviewOutcome.Ink {
        let environment = ProcessInfo.processInfo.environment
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .plain }
        if environment["TERM"] == "dumb" { return .plain }
        return isatty(STDOUT_FILENO) == 1 ? .colored : .plain
    }

    private static func put(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }
}
