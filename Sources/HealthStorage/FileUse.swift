import Foundation

/// Whether a process has a file of SQLite's open.
package enum FileUse {
    /// Where SQLite locks: the last bytes of the first gigabyte of a file, and a few of its shared
    /// memory, of which everyone that has the file open holds one.
    private static let places: [(suffix: String, first: Int, count: Int)] = [
        ("", 0x4000_0000, 512), ("-shm", 120, 9),
    ]

    /// The number of another process that has a database open; nil if none has. For files that this
    /// process has not open itself: looking at them gives up its locks.
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

    /// Whether a file carries the mark of a store.
    package static func isStore(_ path: String) -> Bool { StoreFile.isStore(path: path) }
}
