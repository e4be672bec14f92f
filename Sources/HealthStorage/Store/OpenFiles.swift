import Foundation
import Synchronization

/// The database files that stores of this process have open, with reference counts.
///
/// Closing any descriptor of a file releases all POSIX record locks that the process holds on it,
/// including SQLite's. Another process that closes the database could then delete the log that this
/// process still writes. So a file may be opened directly only while no store has it open.
enum OpenFiles {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private static let counts = Mutex<[Identity: Int]>([:])

    /// Runs `body`, which opens the file without SQLite, unless a store of this process has the
    /// file open. That store has checked the file already.
    static func unlessOpen(at path: String, _ body: () throws -> Void) rethrows {
        try counts.withLock { counts in
            if let identity = Identity(path), counts[identity] != nil { return }
            try body()
        }
    }

    /// Registers a file as open for the lifetime of this object.
    final class Registration: Sendable {
        private let identity: Identity?

        init(_ path: String) {
            let identity = Identity(path)
            self.identity = identity
            if let identity { counts.withLock { $0[identity, default: 0] += 1 } }
        }

        deinit {
            guard let identity else { return }
            counts.withLock { counts in
                let count = (counts[identity] ?? 1) - 1
                counts[identity] = count > 0 ? count : nil
            }
        }
    }
}

/// Inspects the locks and the header of a SQLite file without opening a connection.
package enum FileUse {
    /// The byte ranges that SQLite locks: the pending, reserved and shared bytes at 1 GiB of the
    /// database, and the lock bytes of its shared memory. In WAL mode, every open connection holds
    /// a lock on the last of these.
    private static let places: [(suffix: String, first: Int, count: Int)] = [
        ("", 0x4000_0000, 512), ("-shm", 120, 9),
    ]

    /// Returns the id of another process that has locked a database; nil if none has. In WAL mode,
    /// that is any process that has it open; in other modes, only one that is reading or writing.
    ///
    /// Call this only for files that this process doesn't have open. Closing the file releases this
    /// process's locks on it.
    package static func process(using path: String) -> Int32? {
        for place in places {
            let descriptor = open(path + place.suffix, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = off_t(place.first)
            lock.l_len = off_t(place.count)
            if fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) {
                return lock.l_pid
            }
        }
        return nil
    }

    /// Returns whether a file's header is that of a store. See ``StoreFile/isStore(path:)``.
    package static func isStore(_ path: String) -> Bool { StoreFile.isStore(path: path) }
}
