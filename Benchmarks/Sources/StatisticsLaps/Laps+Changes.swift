import Foundation
import HealthEngine
import HealthStorage

extension Laps {
    /// Times one added or removed heart rate and a query over all years, in a copy of the store.
    mutating func changing() throws {
        let copy = path + ".changing"
        let files = FileManager.default
        func remove() {
            for suffix in ["", "-wal", "-shm", ".lock"] {
                try? files.removeItem(atPath: copy + suffix)
            }
        }
        remove()
        for suffix in ["", "-wal"] where files.fileExists(atPath: path + suffix) {
            try files.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        defer { remove() }
        var changing = Changing(
            store: try SampleStore(at: copy, access: .writing),
            other: try SampleStore(at: copy, access: .writing), type: try History.type("heartRate"),
            readings: beats)
        let plain = ReferenceStatistics(days: history.days)
        _ = try changing.store.statistics(SampleQuery(changing.type), over: history.days)
        for round in 0...rounds {
            for change in Changing.Change.allCases {
                let made = try changing.make(change, at: time(of: change, round, changing))
                var result: [Statistics] = []
                let seconds = try seconds {
                    result = try changing.store.statistics(
                        SampleQuery(changing.type), over: history.days
                    ).buckets
                }
                guard Digest(result).value == Digest(plain.averages(changing.readings)).value
                else { throw LapError("a wrong day after \(change.rawValue)") }
                if round == 0 { continue }
                add("committing \(change.rawValue)", made)
                add("heart rate after \(change.rawValue)", seconds)
            }
        }
        try changing.other.close()
        try changing.store.close()
        for change in Changing.Change.allCases {
            report("committing \(change.rawValue)")
            report("heart rate after \(change.rawValue)")
        }
    }

    /// Returns the time of the reading to change, a different one in every round.
    private func time(
        of change: Changing.Change, _ round: Int, _ changing: Changing
    ) -> Double {
        switch change {
        case .end: changing.readings[changing.readings.count - 1].start
        case .middle: beats[beats.count / 2 + 1000 * round].start
        case .elsewhere: beats[beats.count / 3 + 1000 * round].start
        case .deletion: beats[beats.count / 4 + 1000 * round].start
        }
    }
}

/// A store and its expected contents, changed together.
private struct Changing {
    enum Change: String, CaseIterable {
        case end = "one more at the end"
        case middle = "one in the middle"
        case deletion = "a deletion"
        case elsewhere = "another's change"
    }

    let store: SampleStore
    /// A second connection to the same file.
    let other: SampleStore
    let type: SampleType
    var readings: [Reading]

    /// Adds a reading half a second after the one at a time, or deletes that one.
    ///
    /// - Returns: The seconds until the commit.
    mutating func make(_ change: Change, at time: Double) throws -> Double {
        guard let place = readings.firstIndex(where: { $0.start == time }) else {
            throw LapError("no reading to change")
        }
        if change == .deletion {
            readings.remove(at: place)
            return try delete(at: time)
        }
        let reading = Reading(start: time + 0.5, end: time + 0.5, value: 75, source: 0)
        readings.insert(reading, at: place + 1)
        return try save(reading, in: change == .elsewhere ? other : store)
    }

    private func save(_ reading: Reading, in store: SampleStore) throws -> Double {
        var batch = SampleBatch()
        batch.sources = [Source(name: "Laps", bundleIdentifier: "com.example.laps")]
        batch.origins = [Origin(source: 0, version: "1", unit: type.displayUnit)]
        batch.samples = [
            Sample(
                type: type.code, origin: 0, start: reading.start, end: reading.end,
                value: reading.value)
        ]
        let uuid = SampleUUID(high: UInt64.random(in: 1 ... .max), low: .random(in: 0 ... .max))
        return try seconds { try store.save(batch, uuids: [uuid], at: reading.end) }
    }

    private func delete(at time: Double) throws -> Double {
        var found: (SampleUUID, String)?
        let question = SampleQuery(type, from: time, to: time + 0.25)
        try store.forEachBatch(question) { batch, uuids in
            for (sample, uuid) in zip(batch.samples, uuids) where sample.start == time {
                found = SampleUUID(uuid).map { ($0, batch.source(of: sample).bundleIdentifier) }
            }
        }
        guard let found else { throw LapError("no sample to delete") }
        return try seconds { try store.delete([found.0], by: found.1) }
    }
}
