public import Foundation
public import OpenHealthKit

/// A script of measurements by phones, watches and apps, and of the events on their way into a
/// store: late syncs, duplicates, edits, deletions and travel.
///
/// ```swift
/// var script = DeviceScript()
/// let watch = script.add(.watch(named: "Ann’s Watch"))
/// let walk = script.measure(
///     .quantity(.stepCount, 842, unit: .count()), from: nine, for: 600, on: watch)
/// script.goOffline(watch, from: nine, for: 11 * 3600)    // reaches the phone in the evening
/// script.edit(walk, to: 850, at: tomorrow)
///
/// let devices = DevicePlayback(script, store: store)
/// try await devices.run(until: evening)                  // one save: 842 steps, eleven hours late
/// ```
/// A script is a value. ``actions`` is computed from it without a clock, random numbers or a store.
public struct DeviceScript: Hashable, Sendable {
    /// A device of a script.
    public struct Device: Hashable, Sendable {
        let index: Int
    }

    /// A measurement of a script, to which later edits and deletions refer.
    public struct Entry: Hashable, Sendable {
        let index: Int
    }

    /// The type and value of a measurement.
    public enum Reading: Hashable, Sendable {
        /// A quantity.
        case quantity(HKQuantityTypeIdentifier, Double, unit: HKUnit)
        /// A category value.
        case category(HKCategoryTypeIdentifier, Int)
    }

    /// The properties of a ``Device``: source, delay in seconds, time zones and offline intervals.
    struct Recorder: Hashable, Sendable {
        var identity: AppIdentity
        var delay: TimeInterval
        var zones: [ZoneChange] = []
        var offlineIntervals: [DateInterval] = []
    }

    /// The time zone of a device from a time on.
    struct ZoneChange: Hashable, Sendable {
        var since: Date
        var zone: String
    }

    struct Measurement: Hashable, Sendable {
        var device: Int
        var reading: Reading
        var start: Date
        var end: Date
        /// The time at which it reaches the store, unless the device is offline.
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

    /// Creates an empty script.
    public init() {}

    /// Adds a device, or an app on a device.
    ///
    /// - Parameters:
    ///   - identity: The source of the samples: ``OpenHealthKit/AppIdentity/watch(named:)``, or an
    ///     app.
    ///   - delay: Seconds from the end of a measurement until it reaches the store, unless the
    ///     device is offline.
    ///   - timeZone: The initial time zone, recorded as `HKMetadataKeyTimeZone` of its samples; nil
    ///     for none.
    /// - Returns: The device, for use in this script.
    public mutating func add(
        _ identity: AppIdentity, delay: TimeInterval = 12, timeZone: TimeZone? = nil
    ) -> Device {
        var recorder = Recorder(identity: identity, delay: delay)
        if let timeZone {
            recorder.zones = [ZoneChange(since: .distantPast, zone: timeZone.identifier)]
        }
        recorders.append(recorder)
        return Device(index: recorders.count - 1)
    }

    /// Adds a measurement.
    ///
    /// - Parameters:
    ///   - reading: The type and value.
    ///   - start: The start of the sample.
    ///   - duration: The duration in seconds; 0 for an instant.
    ///   - device: The device that measures.
    /// - Returns: The entry, for use in this script.
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

    /// Prevents a device from reaching the store in a half-open interval. Measurements, edits and
    /// deletions that are due in the interval arrive at its end.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - start: The start of the interval.
    ///   - duration: The length in seconds; a negative one counts as 0.
    public mutating func goOffline(
        _ device: Device, from start: Date, for duration: TimeInterval
    ) {
        recorders[device.index].offlineIntervals.append(
            DateInterval(start: start, duration: max(0, duration)))
    }

    /// Changes the time zone of a device. Measurements that start then or later record it.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - timeZone: The new time zone.
    ///   - date: The time of the change (inclusive).
    public mutating func travel(_ device: Device, to timeZone: TimeZone, at date: Date) {
        recorders[device.index].zones.append(ZoneChange(since: date, zone: timeZone.identifier))
    }

    /// Saves a measurement once more as a different sample, like a retry of an app without sync
    /// identifiers.
    ///
    /// - Parameters:
    ///   - entry: The measurement to duplicate. Its edits and deletion are not duplicated.
    ///   - date: The time of the second save. It is later if the original is due later, or if the
    ///     device is offline.
    /// - Returns: The entry of the duplicate.
    @discardableResult
    public mutating func duplicate(_ entry: Entry, at date: Date) -> Entry {
        var copy = measurements[entry.index]
        copy.due = max(date, copy.due)
        copy.edits = []
        copy.deletion = nil
        measurements.append(copy)
        return Entry(index: measurements.count - 1)
    }

    /// Changes the value of a measurement. The new sample has the same sync identifier and a higher
    /// version.
    ///
    /// - Parameters:
    ///   - entry: The measurement.
    ///   - value: The new value in the measurement's unit. For a category, it is rounded to an
    ///     integer, the raw value.
    ///   - date: The time of the edit.
    public mutating func edit(_ entry: Entry, to value: Double, at date: Date) {
        measurements[entry.index].edits.append(Edit(date: date, value: value))
    }

    /// Deletes a measurement on the device that wrote it.
    ///
    /// - Parameters:
    ///   - entry: The measurement.
    ///   - date: The time of the deletion, which replaces that of an earlier call.
    public mutating func delete(_ entry: Entry, at date: Date) {
        measurements[entry.index].deletion = date
    }
}

extension DeviceScript.Recorder {
    /// Returns the first time at or after `date` at which the device is not offline.
    func storeArrival(of date: Date) -> Date {
        var date = date
        while let interval = offlineIntervals.first(where: { $0.start <= date && date < $0.end }) {
            date = interval.end
        }
        return date
    }

    /// Returns the identifier of the device's time zone at a time; nil if unknown.
    func zone(at date: Date) -> String? {
        zones.filter { $0.since <= date }.max { $0.since < $1.since }?.zone
    }
}
