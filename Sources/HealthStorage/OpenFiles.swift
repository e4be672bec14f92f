import Foundation
import Synchronization

/// The files that stores of this process have open.
///
/// Closing any descriptor of a file gives up every lock that the process has on it, SQLite's too
/// (POSIX record locks). Another process that closes the file would then take itself for the last one
/// and remove the log that this one still writes. So a file is looked at by hand only while no store
/// has it open.
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

    /// Looks at a file by hand, unless a store has it open: then it was looked at before.
    static func look(at path: String, _ body: () throws -> Void) rethrows {
        try counts.withLock { counts in
            if let identity = Identity(path), counts[identity] != nil { return }
            try body()
        }
    }

    /// Says that a file is open, for as long as it lives.
    final class Mark: Sendable {
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
