public import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// A sample in the health store, whether or not the app may see it.
public struct ScheduledSample: Hashable, Sendable {
    /// The UUID that HealthKit gives it.
    public let uuid: UUID
    /// The number it goes by in the schedule.
    public let number: Int
    /// Its type.
    public let type: ScheduledType
    /// When it begins.
    public let start: Date
    /// Its value in the unit it was saved in; a category's raw value.
    public let value: Double
    /// Who saved it.
    public let bundleIdentifier: String
}

extension ScheduledWorld {
    /// All samples of the tracked types in the health store of the present phone.
    ///
    /// - Throws: `StoreError`, if the file can't be read.
    public func contents() throws -> [ScheduledSample] {
        turn.lock()
        defer { turn.unlock() }
        let file = phone.file
        return try settings.types.flatMap { type -> [ScheduledSample] in
            let batch = try file.samples(
                SampleQuestion(try file.type(named: type.sampleType.identifier)))
            return try batch.samples.compactMap { sample in
                guard let uuid = UUID(uuidString: try file.uuid(of: sample)) else { return nil }
                return ScheduledSample(
                    uuid: uuid, number: Self.number(at: sample.start), type: type,
                    start: Date(timeIntervalSinceReferenceDate: sample.start), value: sample.value,
                    bundleIdentifier: batch.source(of: sample).bundleIdentifier)
            }
        }
    }

    /// How many things have happened so far: a moment that ``isDeleted(_:after:)`` understands.
    public var moment: Int { state.withLock { $0.moment } }

    /// Whether a person or device deleted a sample, and after which moment nobody wrote it again.
    ///
    /// - Parameter moment: Deletions up to it don't count.
    public func isDeleted(_ number: Int, after moment: Int = 0) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number] else { return false }
            return state.records[number]?.isLive != true && deleted > moment
        }
    }

    /// The numbers of all samples that must be in the health store, but for the app's own, with the
    /// value that each must have.
    public func expected() -> [Int: Double] {
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
    /// The number of the sample that starts at a date.
    public static func number(of start: Date) -> Int {
        number(at: start.timeIntervalSinceReferenceDate)
    }

    /// Whether a sample was ever deleted by a person or device, or vanished with an import or phone.
    public func wasDeleted(_ number: Int) -> Bool {
        state.withLock { $0.deletions[number] != nil }
    }

    /// The value that a sample had when it was last deleted; nil if it never was.
    public func deletedValue(of number: Int) -> Double? {
        state.withLock { $0.deletedValues[number] }
    }

    /// Whether the health store has forgotten that a sample was deleted.
    public func hasForgotten(_ number: Int) -> Bool {
        state.withLock { state in
            guard let deleted = state.deletions[number], let purged = state.purged else {
                return false
            }
            return purged >= deleted
        }
    }
}
