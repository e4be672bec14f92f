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

    /// An error while writing to standard output, for example because the reader has closed it or
    /// the disk is full.
    struct WriteError: Error, CustomStringConvertible {
        var description: String
    }

    /// Writes to standard output.
    func write(_ text: String) throws(WriteError) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = Self.put(bytes, STDOUT_FILENO)
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw WriteError(
                    description: "The answer can't be written: \(String(cString: strerror(errno)))."
                )
            }
        }
    }

    /// Writes to standard error. Failures are ignored.
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

    /// The style of text on standard output: coloured on a terminal, otherwise plain. It is also
    /// plain if `NO_COLOR` is set and not empty, or if `TERM` is `dumb`.
    static var textStyle: ReviewOutcome.TextStyle {
        let environment = ProcessInfo.processInfo.environment
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .plain }
        if environment["TERM"] == "dumb" { return .plain }
        return isatty(STDOUT_FILENO) == 1 ? .colored : .plain
    }

    private static func put(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }
}
