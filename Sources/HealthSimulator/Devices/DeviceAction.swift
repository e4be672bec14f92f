public import Foundation

/// The changes that one device makes in a store at one time.
public struct DeviceAction: Hashable, Sendable {
    /// A sample to be saved.
    public struct Record: Hashable, Sendable {
        /// The entry of the script of which this record is a version.
        public var entry: DeviceScript.Entry
        /// The type and value.
        public var reading: DeviceScript.Reading
        /// The start of the sample.
        public var start: Date
        /// The end of the sample.
        public var end: Date
        /// The identifier of the device's time zone at the start; nil if unknown.
        public var timeZone: String?
        /// The sync identifier; nil for entries without edits.
        public var syncIdentifier: String?
        /// The sync version: 1 plus the number of edits so far.
        public var version: Int
    }

    /// The time of the changes.
    public var date: Date
    /// The device that makes the changes.
    public var device: DeviceScript.Device
    /// The samples to be saved in one call.
    public var records: [Record]
    /// The entries to be deleted after the save, in one call.
    public var deletions: [DeviceScript.Entry]
}

extension DeviceScript {
    /// The changes in the store in order of time, then of the devices in the script.
    ///
    /// An entry that is deleted before or when it would reach the store is never saved. Of several
    /// versions that reach the store at the same time, only the last one is saved. Versions that
    /// would arrive with or after the deletion are left out.
    ///
    /// - Complexity: O(n log n) for n measurements and edits, each with a scan of its device's
    ///   offline intervals and time zones.
    public var actions: [DeviceAction] {
        var actions: [Moment: DeviceAction] = [:]
        for index in measurements.indices {
            let entry = Entry(index: index)
            let device = Device(index: measurements[index].device)
            func action(at date: Date, _ change: (inout DeviceAction) -> Void) {
                change(
                    &actions[
                        Moment(date: date, device: device.index),
                        default: DeviceAction(
                            date: date, device: device, records: [], deletions: [])])
            }
            let history = history(of: entry)
            for (date, record) in history.versions {
                action(at: date) { $0.records.append(record) }
            }
            if let date = history.deletion { action(at: date) { $0.deletions.append(entry) } }
        }
        return actions.values.sorted {
            ($0.date, $0.device.index) < ($1.date, $1.device.index)
        }
    }

    private struct Moment: Hashable {
        var date: Date
        var device: Int
    }

    /// Returns when each version of an entry reaches the store, and when its deletion does.
    private func history(
        of entry: Entry
    ) -> (versions: [(Date, DeviceAction.Record)], deletion: Date?) {
        let measurement = measurements[entry.index]
        let recorder = recorders[measurement.device]
        let written = recorder.storeArrival(of: measurement.due)
        let deletion = measurement.deletion
        if let deletion, deletion <= written { return ([], nil) }
        var versions: [(Date, DeviceAction.Record)] = []
        var record = DeviceAction.Record(
            entry: entry, reading: measurement.reading, start: measurement.start,
            end: measurement.end, timeZone: recorder.zone(at: measurement.start),
            syncIdentifier: measurement.edits.isEmpty ? nil : "simulated-\(entry.index)",
            version: 1)
        versions.append((written, record))
        for edit in measurement.edits.sorted(by: { $0.date < $1.date }) {
            if let deletion, edit.date >= deletion { break }
            record.version += 1
            record.reading.change(to: edit.value)
            let arrival = max(written, recorder.storeArrival(of: edit.date))
            if versions.last?.0 == arrival { versions.removeLast() }
            versions.append((arrival, record))
        }
        let deletionArrival = deletion.map { recorder.storeArrival(of: $0) }
        // An edit that would arrive with or after the deletion has no effect.
        if let deletionArrival { versions.removeAll { $0.0 >= deletionArrival } }
        return (versions, deletionArrival)
    }
}

extension DeviceScript.Reading {
    fileprivate mutating func change(to value: Double) {
        switch self {
        case .quantity(let type, _, let unit): self = .quantity(type, value, unit: unit)
        case .category(let type, let old):
            self = .category(type, Int(exactly: value.rounded()) ?? old)
        }
    }
}
