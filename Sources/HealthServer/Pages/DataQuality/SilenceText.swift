package import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

/// Reads and words the data that phones no longer send.
package enum SilenceText {
    /// Returns a sentence for each device that was in contact daily and isn't any more: "No data
    /// from Anna's iPhone since 3 March 2026." Devices that a person removed are left out.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - now: The current time, in reference seconds.
    ///   - calendar: The calendar of days.
    /// - Throws: `StoreError` if the store can't be read.
    package static func notices(
        _ store: SampleStore, now: Double, in calendar: CalendarBuckets
    ) throws -> [String] {
        let silent = try store.silentDevices(now: now)
        if silent.isEmpty { return [] }
        let removed = removedDevices(besideStore: store.path)
        return silent.filter { !removed.contains($0.name) }.map { sentence($0, calendar) }
    }

    static func sentence(_ device: SilentDevice, _ calendar: CalendarBuckets) -> String {
        "No data from \(PrintableText.name(device.name)) since "
            + DateText.long(calendar.day(device.since)) + "."
    }

    /// Returns the names of devices whose token is revoked. A directory that can't be read has none:
    /// a finding too many is better than none.
    static func removedDevices(besideStore path: String) -> Set<String> {
        let directory = try? AccessDirectory.openIfPresent(besideStore: path)
        let devices = (try? directory?.devices()) ?? []
        let valid = Set(devices.filter { $0.revokedAt == nil }.map(\.name))
        return Set(devices.filter { $0.revokedAt != nil }.map(\.name)).subtracting(valid)
    }
}

extension DataQualityCheck {
    /// Finds devices, types and totals that phones no longer send.
    mutating func checkSilence() throws {
        let silences = try store.silences(now: now, in: calendar)
        if silences.isEmpty { return }
        let removed = SilenceText.removedDevices(besideStore: store.path)
        for silence in silences {
            switch silence {
            case .device(let device):
                if !removed.contains(device.name) { add(device) }
            case .types(let types, let device, let since):
                if !removed.contains(device) { add(types, device, since) }
            case .partialTotals(let types, let device, let days):
                if !removed.contains(device) { add(types, device, partialDays: days) }
            }
        }
    }

    private mutating func add(_ device: SilentDevice) {
        let days = ((now - device.since) / DataQualityCheck.dayLength).rounded(.down)
        add(
            .silentDevice, SilenceText.sentence(device, calendar), since: device.since, nil,
            count: Int(clamping: days),
            advice: "It sent data every day before. Open its app, and check that it may run in the "
                + "background and that the address of this server is right.",
            command: "openhealth devices")
    }

    private mutating func add(_ types: [SampleType], _ device: String, _ since: Double) {
        add(
            .missingType,
            "\(PrintableText.name(device)) has sent no \(listed(types)) since \(day(since)), but "
                + "another source has newer data.",
            since: since, types.count == 1 ? types[0] : nil, count: types.count,
            advice: "Check which types its app sends, and that it may read them in Health.",
            command: "openhealth devices")
    }

    private mutating func add(
        _ types: [SampleType], _ device: String, partialDays days: Int
    ) {
        add(
            .partialTotals,
            "\(PrintableText.name(device)) sends totals of \(listed(types)) before the end of the "
                + "day and not again: on \(days) of the last 7 days.",
            since: nil, types.count == 1 ? types[0] : nil, count: days,
            advice: "The rest of these days is missing. In its app, let the automation send the "
                + "previous seven days.",
            command: "openhealth devices")
    }

    private func listed(_ types: [SampleType]) -> String {
        let words = types.map(TypeText.name).sorted()
        return words.prefix(3).joined(separator: ", ")
            + (words.count > 3 ? " and \(words.count - 3) more" : "")
    }
}
