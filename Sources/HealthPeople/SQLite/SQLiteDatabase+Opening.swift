import Foundation
import GRDB
import Synchronization

extension SQLiteDatabase {
    /// Creates a file one after the other: see ``createFile(_:)``.
    private static let creating = Mutex(())

    /// Opens a file, or creates it.
    static func open(_ path: String) throws(SQLError) -> DatabasePool {
        try createFile(path)
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                // GRDB opens the connection that writes with NORMAL, which can lose commits.
                try pool.writeWithoutTransaction { try setUpWriter($0) }
                return pool
            } catch {
                let failure = SQLError(sqlite: error)
                // SQLite doesn't wait for another process that changes the journal mode.
                guard failure.code == .lockTimeout, ContinuousClock.now < deadline else {
                    throw failure
                }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "org.openhealthkit.log"
        configuration.maximumReaderCount = readerLimit
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // GRDB has another limit for the connections that only read.
            let milliseconds = Int(busyTimeout / .milliseconds(1))
            try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
        }
        return configuration
    }

    private static func setUpWriter(_ database: Database) throws {
        // Every commit is on the disk: the log is the only copy of what is acknowledged.
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        #if canImport(Darwin)
            // There, fsync(2) doesn't wait for the disk.
            try database.execute(
                sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
        #endif
    }

    /// Creates an empty file that only its owner can read, unless the file exists. SQLite gives
    /// its other files the same permissions.
    ///
    /// Closing a file releases all locks of this process on it (fcntl(2)). So no other thread may
    /// open the new file with SQLite before this function has closed it.
    private static func createFile(_ path: String) throws(SQLError) {
        let number = creating.withLock { _ in
            let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return errno }
            // Nothing was written, so an error of close loses nothing.
            _ = Foundation.close(descriptor)
            return 0
        }
        switch number {
        case 0, EEXIST: return
        case EACCES, EPERM, EROFS: throw SQLError(.notPermitted)
        case ENOSPC, EDQUOT: throw SQLError(.outOfResources)
        default:
            throw SQLError(
                .unavailable,
                detail: "The file can't be created: \(String(cString: strerror(number))).")
        }
    }

    /// Closes all connections. That of the writer is the last one, so that SQLite copies the
    /// write-ahead log into the file and removes it: a connection that only reads can't do that.
    /// No read may be running.
    static func close(_ pool: DatabasePool) {
        pool.releaseMemory()
        // Everything is committed, so an error of close loses nothing.
        try? pool.close()
    }
}
