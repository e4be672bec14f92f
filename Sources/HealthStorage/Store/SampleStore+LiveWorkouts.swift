import Foundation
import GRDB
import HealthEngine

/// An app's workout in progress, as it is stored for its recovery after a crash.
package struct LiveWorkoutRecord: Sendable {
    /// The state of the session and its builder, as the app's library encoded it.
    package let state: String
    /// The samples that the builder collected, in the order in which they were added.
    package let samples: [String]
}

// A workout in progress, in the rows of `store` whose keys begin with "liveWorkout.". The state is
// replaced with each change; samples are only added, so that a long workout is not written again
// and again.
extension SampleStore {
    private static func stateKey(of app: String) -> String { "liveWorkout.state." + app }
    /// Numbers of samples have ten digits, so that keys are in their order.
    private static let samplesPrefix = "liveWorkout.samples."
    private static let numberLength = 10

    /// Returns an app's workout in progress.
    ///
    /// - Parameter app: The bundle identifier of the app.
    /// - Returns: The workout; nil if none is stored.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(parts of all workouts in progress).
    package func liveWorkout(of app: String) throws -> LiveWorkoutRecord? {
        try read { db in
            let state = try String.readOne(
                db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
                arguments: [Self.stateKey(of: app)])
            guard let state else { return nil }
            let samples = try String.readAll(
                db,
                sql: "SELECT CAST(value AS TEXT) FROM store WHERE key GLOB ? "
                    + "AND substr(key, ?) = ? ORDER BY key",
                arguments: [Self.samplesPrefix + "*", Self.appPosition, app])
            return LiveWorkoutRecord(state: state, samples: samples)
        }
    }

    /// Stores the state of an app's workout in progress, and adds samples to it.
    ///
    /// - Parameters:
    ///   - state: The state, which replaces the stored one.
    ///   - samples: The new samples; nil for none.
    ///   - number: The number of the part of samples, from 0 to 9,999,999,999. It must be greater
    ///     than those of the parts before.
    ///   - app: The bundle identifier of the app.
    /// - Throws: ``StoreError`` if the file can't be written. Then nothing changes.
    package func setLiveWorkout(
        _ state: String, adding samples: String?, number: Int, of app: String
    ) throws {
        try write { db in
            let sql = "INSERT OR REPLACE INTO store (key, value) VALUES (?, ?)"
            try db.execute(sql: sql, arguments: [Self.stateKey(of: app), state])
            guard let samples else { return }
            let digits = String(max(0, number))
            let padding = String(repeating: "0", count: max(0, Self.numberLength - digits.count))
            try db.execute(
                sql: sql,
                arguments: [Self.samplesPrefix + padding + digits + "." + app, samples])
        }
    }

    /// Removes an app's workout in progress. Collected samples stay in the store.
    ///
    /// - Parameter app: The bundle identifier of the app.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func removeLiveWorkout(of app: String) throws {
        try write { db in
            try db.execute(
                sql: "DELETE FROM store WHERE key = ? OR (key GLOB ? AND substr(key, ?) = ?)",
                arguments: [
                    Self.stateKey(of: app), Self.samplesPrefix + "*", Self.appPosition, app,
                ])
        }
    }

    /// The position of the app in the key of samples, from 1.
    private static var appPosition: Int { samplesPrefix.count + numberLength + 2 }
}

/// The lock of an app's workout in progress, which the process that records the workout holds.
///
/// A stored workout whose lock is free belongs to a process that ended. The lock is a file beside
/// the store, which is removed when this object is released.
package final class LiveWorkoutLock: Sendable {
    private let lock: FileLock
    private let path: String

    /// Acquires the lock.
    ///
    /// - Parameters:
    ///   - app: The bundle identifier of the app.
    ///   - store: The path of the store.
    /// - Returns: Nil if another process, or this one, holds the lock, or if the file can't be
    ///   created. A file system without locks counts as a free lock.
    package init?(of app: String, beside store: String) {
        var hash = FNV1a()
        hash.add(Array(app.utf8))
        let path = "\(store)-workout-\(String(hash.value, radix: 16))"
        // Another process may remove the file between its opening and the lock.
        for _ in 0..<10 {
            guard let lock = FileLock(path, O_RDWR | O_CREAT) else { return nil }
            guard lock.acquire() != .heldElsewhere else { return nil }
            guard lock.isFile(at: path) else { continue }
            self.lock = lock
            self.path = path
            return
        }
        return nil
    }

    deinit { unlink(path) }
}
