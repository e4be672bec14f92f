import Foundation

/// A file held open under an advisory lock (`flock`), which is released with this value or its
/// process.
///
/// ```swift
/// guard let lock = FileLock(path, O_RDWR | O_CREAT) else { throw unwritable(errno) }
/// guard lock.take() == .taken else { throw busy }
/// ```
/// Except for SQLite's own locks, which ``FileUse`` inspects, this is the only file lock.
/// HealthSync keeps its files in SQLite and needs none.
final class FileLock {
    enum Outcome {
        case taken
        /// Another process, or another descriptor of this process, holds the lock.
        case heldElsewhere
        /// The file system doesn't support such locks, or has none left.
        case unsupported
    }

    private let descriptor: Int32

    /// Opens a file, or creates it if the flags say so. On failure, returns nil and sets `errno`.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0o600) {
        // A failed open must not be closed by `deinit`, which would change `errno`.
        let opened = open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)
        if opened < 0 { return nil }
        descriptor = opened
    }

    // Nothing is written through the descriptor, so an error of close loses nothing.
    deinit { close(descriptor) }

    /// Tries to take the exclusive lock without waiting.
    func take() -> Outcome { take(LOCK_EX) }

    private func take(_ kind: Int32) -> Outcome {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            if errno != EINTR { return errno == EWOULDBLOCK ? .heldElsewhere : .unsupported }
        }
        return .taken
    }

    /// Returns whether a path still leads to the open file.
    func isFile(at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// Returns whether another descriptor holds the lock of a file; false if there is no file.
    static func isHeld(_ path: String) -> Bool {
        FileLock(path, O_RDONLY)?.take(LOCK_SH) == .heldElsewhere
    }
}
