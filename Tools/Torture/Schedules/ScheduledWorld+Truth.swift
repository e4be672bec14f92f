import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// A sample in the health store, whether or not the app may see it.
struct ScheduledSample: Hashable, Sendable {
    /// The UUID in the health store.
    let uuid: UUID
    /// The number of the sample in the schedule, decoded from ``start``.
    let number: Int
    let type: ScheduledType
    let start: Date
    /// The value in the unit of its type; a category's raw value.
    let value: Double
    /// The bundle identifier of the sample's source.
    let bundleIdentifier: String
}

extension ScheduledWorld {
    /// Returns all samples of the schedule's types in the health store of the current phone.
    ///
    /// - Throws: `StoreError` if the file can't be read.
    func contents() throws -> [ScheduledSample] {
        lock.lock()
        defer { lock.unlock() }
        let file = phone.file
        return try settings.types.flatMap { type -> [ScheduledSample] in
            let batch = try file.samples(
                SampleQuery(try file.type(named: type.sampleType.identifier)))
            return try batch.samples.compactMap { sample in
                guard let uuid = UUID(uuidString: try file.uuid(of: sample)) else { return nil }
                return ScheduledSample(
                    uuid: uuid, number: Self.number(at: sample.start), type: type,
                    start: Date(timeIntervalSinceReferenceDate: sample.start), value: sample.value,
                    bundleIdentifier: batch.source(of: sample).bundleIdentifier)
            }
        }
    }

    /// The number of events played so far, used as a logical time by ``isDeleted(_:after:)``.
    var moment: Int { state.withLock { $0.moment } }

    /// Returns whether a sample was deleted after a moment, and no device or import has saved it
    /// again. Saves by the app are not considered.
    ///
    /// - Parameter moment: A value of ``ScheduledWorld/moment``. Deletions up to it are ignored.
    func isDeleted(_ number: Int, after moment: Int = 0) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number] else { return false }
            return state.records[number]?.isLive != true && deleted > moment
        }
    }

    /// Returns the expected values of all samples that must be in the health store of the current
    /// phone, by number. Samples of the app are left out.
    func expected() -> [Int: Double] {
        state.withLock { state in
            let live = state.records.filter {
                $0.value.isLive && $0.value.writer != .app
                    && $0.value.phone == state.phones.count - 1
            }
            return Dictionary(
                uniqueKeysWithValues: live.map {
                    ($0.key, $0.value.type.value(number: $0.key, version: $0.value.version))
                })
        }
    }
}

extension ScheduledWorld {
    /// Returns the number of the sample that starts at a date.
    static func number(of start: Date) -> Int {
        number(at: start.timeIntervalSinceReferenceDate)
    }

    /// Returns whether a sample was ever deleted, or removed by an export that lacks it.
    func wasDeleted(_ number: Int) -> Bool {
        state.withLock { $0.deletions[number] != nil }
    }

    /// Returns the value of a sample at its latest deletion, without deletions by imports; nil if
    /// there was none.
    func deletedValue(of number: Int) -> Double? {
        state.withLock { $0.deletedValues[number] }
    }

    /// Returns whether the health store has purged tombstones since the latest deletion of a
    /// sample. If the sample's tombstone was too recent, it may still be there.
    func hasForgotten(_ number: Int) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number], let purged = state.purged else {
                return false
            }
            return purged >= deleted
        }
    }
}
