import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// One sample of the history.
struct Reading {
    var start: Double
    var end: Double
    var value: Double
    /// The index into ``History/sources``.
    var source: Int32
}

/// The recordings of one person over some years, identical on every run.
///
/// Times are whole seconds, no two samples of a type start at the same time, and values are whole
/// numbers or eighths. Sums are therefore exact in any order of addition.
struct History {
    let years: Int
    /// The midnights: one more than the number of days.
    let days: [Double]

    static let zone = HomeZone(identifier: "Europe/Berlin", reason: .specified)
    static let beatsPerYear = 500_000
    static let stepsPerDay = 200
    static let (watch, phone, strap, scale): (Int32, Int32, Int32, Int32) = (0, 1, 2, 3)
    static let sources = [
        Source(name: "Watch", bundleIdentifier: ""), Source(name: "iPhone", bundleIdentifier: ""),
        Source(name: "Strap", bundleIdentifier: ""), Source(name: "Scale", bundleIdentifier: ""),
    ]

    init(years: Int) throws {
        self.years = years
        let buckets = CalendarBuckets(timeZone: History.zone.timeZone)
        guard let first = buckets.start(year: 2016, month: 1, day: 1),
            let last = buckets.start(year: 2016 + years, month: 1, day: 1)
        else { throw LapError("the calendar has no such years") }
        days = try buckets.edges(from: first, to: last, by: .day)
    }

    static func type(_ name: String) throws -> SampleType {
        guard let type = Catalogue.type(named: name) else { throw LapError("no type: \(name)") }
        return type
    }

    /// Heart rates every five minutes, and every five seconds in a workout with the day's remaining
    /// samples. Some come from a chest strap, and some last several minutes or cross midnight.
    func beats() -> [Reading] {
        var random = Randomness(seed: 1)
        var beats: [Reading] = []
        let (total, count) = (History.beatsPerYear * years, days.count - 1)
        beats.reserveCapacity(total + 1000)
        for day in 0..<count {
            let here = total * (day + 1) / count - total * day / count
            var today: [Reading] = []
            for slot in 0..<280 {
                let start = days[0] + Double(day * 86_400 + slot * 300 + 5 * random.below(50))
                today.append(
                    Reading(
                        start: start, end: start + (random.below(50) == 0 ? 240 : 0),
                        value: Double(50 + random.below(50)),
                        source: random.below(60) == 0 ? History.strap : History.watch))
            }
            let workout = days[0] + Double(day * 86_400 + 3600 * (6 + random.below(14)) + 1)
            for beat in 0..<here - today.count {
                let start = workout + Double(5 * beat)
                today.append(
                    Reading(
                        start: start, end: start, value: Double(800 + random.below(600)) / 8,
                        source: History.watch))
            }
            beats += today.sorted { $0.start < $1.start }
        }
        return beats
    }

    /// Steps of a watch and a phone, often overlapping. The watch's samples start at even seconds.
    func steps() -> [Reading] {
        var random = Randomness(seed: 2)
        var steps: [Reading] = []
        for slot in 0..<(days.count - 1) * History.stepsPerDay {
            for source in [History.watch, History.phone] {
                let start = days[0] + Double(slot * 432 + 2 * random.below(200)) + Double(source)
                steps.append(
                    Reading(
                        start: start, end: start + Double(20 + random.below(400)),
                        value: Double(1 + random.below(300)), source: source))
            }
        }
        steps.removeLast(8)
        return steps.sorted { $0.start < $1.start }
    }

    /// A watch's sleep stages of every night, and the phone's time in bed.
    func sleep() -> [Reading] {
        var random = Randomness(seed: 3)
        var stages: [Reading] = []
        for evening in days.dropLast(2) {
            let bed = evening + 22 * 3600
            stages.append(Reading(start: bed, end: bed + 30_600, value: 0, source: History.phone))
            for stage in 0..<16 {
                let start = bed + 1200 + Double(stage) * 1800
                stages.append(
                    Reading(
                        start: start, end: start + 1800, value: Double(2 + random.below(4)),
                        source: History.watch))
            }
        }
        return stages
    }

    /// One weight in kilograms per morning.
    func weights() -> [Reading] {
        var random = Randomness(seed: 4)
        return days.dropLast().map { day in
            let start = day + 7 * 3600
            return Reading(
                start: start, end: start, value: 80 + Double(random.below(16)) / 8,
                source: History.scale)
        }
    }
}

extension History {
    /// Creates the store if it doesn't exist, with one import, type by type like an archive.
    func makeStore(at path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        let description = SnapshotDescription(
            file: "history.zip", bytes: 1, exportDate: days.last, importedAt: days[0])
        try SampleStore.importSnapshot(into: path, description) { writer, context in
            try context.setHomeZone(History.zone)
            for (name, readings) in [
                ("heartRate", beats()), ("stepCount", steps()), ("sleepAnalysis", sleep()),
                ("bodyMass", weights()),
            ] {
                let type = try History.type(name)
                _ = try writer.type(identifier: type.identifier)
                for first in stride(from: 0, to: readings.count, by: 10_000) {
                    let part = readings[first..<min(first + 10_000, readings.count)]
                    try writer.write(History.batch(type, part))
                }
            }
            guard try writer.finish(.complete).records.new > History.beatsPerYear * years else {
                throw LapError("the history was not taken in")
            }
        }
    }

    private static func batch(_ type: SampleType, _ readings: ArraySlice<Reading>) -> SampleBatch {
        var batch = SampleBatch()
        batch.sources = sources
        batch.origins = sources.indices.map { source in
            let hardware = ["Watch7,1", "iPhone15,2"].dropFirst(source).first
            return Origin(
                source: Int32(source), version: "17.1",
                device: hardware.map { Device(hardwareVersion: $0, softwareVersion: "17.1") },
                unit: type.kind == .category ? nil : type.displayUnit)
        }
        batch.samples = readings.map { reading in
            Sample(
                type: type.code, origin: reading.source, start: reading.start, end: reading.end,
                created: reading.end + 10, value: reading.value)
        }
        return batch
    }
}

/// A SplitMix64 generator, with the same numbers on every machine.
private struct Randomness {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
