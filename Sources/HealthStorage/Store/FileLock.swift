import Foundation

/// An open file with an advisory lock (`flock`) that can be acquired. The lock is released when
/// this object is released or its process ends.
///
/// ```swift
/// guard let lock = FileLock(path, O_RDWR | O_CREAT) else { throw unwritable(errno) }
/// guard lock.acquire() == .acquired else { throw busy }
/// ```
/// SQLite takes locks of its own on databases; ``FileUse`` inspects these.
final class FileLock: Sendable {
    enum Outcome {
        case acquired
        /// Another process, or another descriptor of this process, holds the lock.
        case heldElsewhere
        /// The file system doesn't support such locks, or has none left.
        case unsupported
    }

    private let descriptor: Int32

    /// Opens a file, or creates it with `mode` if the flags contain `O_CREAT`. Doesn't acquire the
    /// lock. On failure, returns nil and sets `errno`.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0o600) {
        // A failed open must not be closed by `deinit`, which would change `errno`.
        let opened = open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)
        if opened < 0 { return nil }
        descriptor = opened
    }

    // Nothing is written through the descriptor, so an error of close loses nothing.
    deinit { close(descriptor) }

    /// Tries to acquire the exclusive lock without waiting.
    func acquire() -> Outcome { acquire(LOCK_EX) }

    private func acquire(_ kind: Int32) -> Outcome {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            if errno != EINTR { return errno == EWOULDBLOCK ? .heldElsewhere : .unsupported }
        }
        return .acquired
    }

    /// Returns whether a path is still a name of the open file. A symbolic link to the file doesn't
    /// count.
    func isFile(at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// Returns whether another descriptor holds the exclusive lock of a file; false if the file
    /// can't be opened.
    static func isHeld(_ path: String) -> Bool {
        FileLock(path, O_RDONLY)?.acquire(LOCK_SH) == .heldElsewhere
    }
}
