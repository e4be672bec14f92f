import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// A sample in the health store, whether or not the app may see it.
struct ScheduledSample: Hashable, Sendable {
    /// The UUID that HealthKit assigned.
    let uuid: UUID
    /// The number in the schedule.
    let number: Int
    let type: ScheduledType
    let start: Date
    /// The value in the unit of its type; a category's raw value.
    let value: Double
    /// The bundle identifier of its source.
    let bundleIdentifier: String
}

extension ScheduledWorld {
    /// Returns all samples of the tracked types in the health store of the current phone.
    ///
    /// - Throws: `StoreError` if the file can't be read.
    func contents() throws -> [ScheduledSample] {
        turn.lock()
        defer { turn.unlock() }
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

    /// The number of events so far, a logical time for ``isDeleted(_:after:)``.
    var moment: Int { state.withLock { $0.moment } }

    /// Returns whether a sample was deleted after a moment and not saved again.
    ///
    /// - Parameter moment: Deletions up to this moment are ignored.
    func isDeleted(_ number: Int, after moment: Int = 0) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number] else { return false }
            return state.records[number]?.isLive != true && deleted > moment
        }
    }

    /// Returns the numbers of all samples that must be in the health store of the current phone,
    /// except the app's own, with their expected values.
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

    /// Returns whether a sample was ever deleted, or missing from a newer export.
    func wasDeleted(_ number: Int) -> Bool {
        state.withLock { $0.deletions[number] != nil }
    }

    /// Returns the value of a sample at its last deletion by a writer; nil if there was none.
    func deletedValue(of number: Int) -> Double? {
        state.withLock { $0.deletedValues[number] }
    }

    /// Returns whether the health store has purged tombstones since the deletion of a sample. That
    /// of the sample may be left if it was too new.
    func hasForgotten(_ number: Int) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number], let purged = state.purged else {
                return false
            }
            return purged >= deleted
        }
    }
}
