import Foundation
import HealthStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes results to standard output.
enum Output {
    static func print(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw CommandError("The output can't be written: \(error.localizedDescription)")
        }
    }

    static func print(_ json: JSONText) throws { try print(json.text + "\n") }
}

/// Writes messages to standard error.
enum Message {
    static func write(_ line: String) { show(line + "\n") }

    /// Writes text without a line break after it; errors are ignored.
    static func show(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// A progress counter on one line of the terminal.
final class ProgressLine: Sendable {
    private let shown = Atomic<Int>(-1)

    /// A new progress line on standard error; nil if standard error is not a terminal.
    static var standardError: ProgressLine? {
        isatty(STDERR_FILENO) == 1 ? ProgressLine() : nil
    }

    func show(_ done: Int, of total: Int) {
        guard shown.exchange(done, ordering: .relaxed) != done else { return }
        Message.show("\r\(done) of \(total)")
    }

    func clear() {
        if shown.load(ordering: .relaxed) >= 0 { Message.show("\r\u{1B}[K") }
    }
}

/// An error that ends the command with its description and the exit status 1.
struct CommandError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

extension String {
    /// Returns the text with some spaces replaced by line breaks, so that lines have at most
    /// `width` characters. Longer words aren't broken.
    func wrapped(to width: Int = 80) -> String {
        var lines: [String] = [""]
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
