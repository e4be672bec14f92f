import Foundation

/// A progress line on a terminal's standard error, which is overwritten.
enum Progress {
    static func show(_ words: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(words) …".utf8))
    }

    static func clear() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
