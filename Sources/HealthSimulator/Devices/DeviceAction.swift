public import Foundation

/// What one device does to a store at one moment.
public struct DeviceAction: Hashable, Sendable {
    /// A sample to be written.
    public struct Record: Hashable, Sendable {
        /// Whose versions this is one of.
        public var entry: DeviceScript.Entry
        public var reading: DeviceScript.Reading
        public var start: Date
        public var end: Date
        /// Where the device was when the measurement began.
        public var timeZone: String?
        /// Only entries that are edited some day have one.
        public var syncIdentifier: String?
        /// 1, and one more with every edit.
        public var version: Int
    }

    public var date: Date
    public var device: DeviceScript.Device
    /// Written in one save.
    public var records: [Record]
    /// Deleted after that, in one call.
    public var deletions: [DeviceScript.Entry]
}

extension DeviceScript {
    /// What happens to the store, in order of time; devices in the order they were added.
    ///
    /// What is deleted before it ever reached the store is never written, and of several edits that
    /// reach it together only the last is.
    ///
    /// - Complexity: O(n log n), and O(n) for each device's absences.
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

    /// When each version of an entry reaches the store, and when its deletion does.
    private func history(
        of entry: Entry
    ) -> (versions: [(Date, DeviceAction.Record)], deletion: Date?) {
        let measurement = measurements[entry.index]
        let recorder = recorders[measurement.device]
        let written = recorder.reaches(store: measurement.due)
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
            let arrival = max(written, recorder.reaches(store: edit.date))
            if versions.last?.0 == arrival { versions.removeLast() }
            versions.append((arrival, record))
        }
        let gone = deletion.map { recorder.reaches(store: $0) }
        // An edit that would arrive together with the deletion changes nothing.
        if let gone { versions.removeAll { $0.0 >= gone } }
        return (versions, gone)
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
