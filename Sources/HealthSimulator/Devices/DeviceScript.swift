public import Foundation
public import OpenHealthKit

/// What phones, watches and apps measure, and what befalls it on its way into a store: late syncs,
/// duplicates, edits, deletions, travel.
///
/// ```swift
/// var script = DeviceScript()
/// let watch = script.add(.watch(named: "Ann’s Watch"))
/// let walk = script.measure(.quantity(.stepCount, 842, unit: .count()), from: nine, for: 600, on: watch)
/// script.goOffline(watch, from: nine, for: 11 * 3600)    // reaches the phone in the evening
/// script.edit(walk, to: 850, at: tomorrow)
///
/// let devices = DevicePlayback(script, store: store)
/// try await devices.run(until: evening)                  // one save: 842 steps, eleven hours late
/// ```
/// A script is a value: ``actions`` says what is written when, without a clock, chance or a store.
public struct DeviceScript: Hashable, Sendable {
    /// A device of a script.
    public struct Device: Hashable, Sendable {
        let index: Int
    }

    /// Something measured; what happens to it later is said of it.
    public struct Entry: Hashable, Sendable {
        let index: Int
    }

    /// What is measured.
    public enum Reading: Hashable, Sendable {
        case quantity(HKQuantityTypeIdentifier, Double, unit: HKUnit)
        case category(HKCategoryTypeIdentifier, Int)
    }

    struct Recorder: Hashable, Sendable {
        var identity: AppIdentity
        var delay: TimeInterval
        var zones: [Stay] = []
        var absences: [DateInterval] = []
    }

    struct Stay: Hashable, Sendable {
        var since: Date
        var zone: String
    }

    struct Measurement: Hashable, Sendable {
        var device: Int
        var reading: Reading
        var start: Date
        var end: Date
        /// When it is first due in the store.
        var due: Date
        var edits: [Edit] = []
        var deletion: Date?
    }

    struct Edit: Hashable, Sendable {
        var date: Date
        var value: Double
    }

    private(set) var recorders: [Recorder] = []
    private(set) var measurements: [Measurement] = []

    /// A script in which nothing happens.
    public init() {}

    /// Adds a device, or an app on one.
    ///
    /// - Parameters:
    ///   - identity: Who writes: ``OpenHealthKit/AppIdentity/watch(named:)``, an app of its own.
    ///   - delay: Seconds from the end of a measurement until it is in the store.
    ///   - timeZone: Where it is from the beginning; its samples then carry `HKMetadataKeyTimeZone`.
    public mutating func add(
        _ identity: AppIdentity, delay: TimeInterval = 12, timeZone: TimeZone? = nil
    ) -> Device {
        var recorder = Recorder(identity: identity, delay: delay)
        if let timeZone { recorder.zones = [Stay(since: .distantPast, zone: timeZone.identifier)] }
        recorders.append(recorder)
        return Device(index: recorders.count - 1)
    }

    /// A measurement from `start`, lasting so many seconds; 0 is an instant.
    @discardableResult
    public mutating func measure(
        _ reading: Reading, from start: Date, for duration: TimeInterval = 0, on device: Device
    ) -> Entry {
        let end = start.addingTimeInterval(duration)
        let due = end.addingTimeInterval(recorders[device.index].delay)
        measurements.append(
            Measurement(device: device.index, reading: reading, start: start, end: end, due: due))
        return Entry(index: measurements.count - 1)
    }

    /// The device reaches no store for so long: what is due meanwhile comes at once at the end.
    public mutating func goOffline(
        _ device: Device, from start: Date, for duration: TimeInterval
    ) {
        recorders[device.index].absences.append(
            DateInterval(start: start, duration: max(0, duration)))
    }

    /// The device is in another zone from then on, and says so with what it measures.
    public mutating func travel(_ device: Device, to timeZone: TimeZone, at date: Date) {
        recorders[device.index].zones.append(Stay(since: date, zone: timeZone.identifier))
    }

    /// The same is written once more, as another sample: what an app without sync identifiers does
    /// when it retries.
    @discardableResult
    public mutating func duplicate(_ entry: Entry, at date: Date) -> Entry {
        var copy = measurements[entry.index]
        copy.due = max(date, copy.due)
        copy.edits = []
        copy.deletion = nil
        measurements.append(copy)
        return Entry(index: measurements.count - 1)
    }

    /// The value becomes another: a sample of the same sync identifier and a higher version.
    public mutating func edit(_ entry: Entry, to value: Double, at date: Date) {
        measurements[entry.index].edits.append(Edit(date: date, value: value))
    }

    /// The person deletes it on the device that wrote it.
    public mutating func delete(_ entry: Entry, at date: Date) {
        measurements[entry.index].deletion = date
    }
}

extension DeviceScript.Recorder {
    /// The first moment from `date` on when the device reaches a store.
    func reaches(store date: Date) -> Date {
        var date = date
        while let absence = absences.first(where: { $0.start <= date && date < $0.end }) {
            date = absence.end
        }
        return date
    }

    /// Where the device is.
    func zone(at date: Date) -> String? {
        zones.filter { $0.since <= date }.max { $0.since < $1.since }?.zone
    }
}
