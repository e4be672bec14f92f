import HealthEngine
import HealthStorage

/// Reads requests of Health Auto Export's automations “REST API”, JSON, versions 1 and 2.
///
/// ```json
/// {"data": {"metrics": [{"name": "step_count", "units": "count", "data": [
///     {"date": "2026-03-01 00:00:00 +0100", "qty": 8123, "source": "iPhone|Watch"}]}]}}
/// ```
/// The app is closed source, so the reader accepts what has been documented or seen. Most values
/// are totals that the app computed, which never become samples (``HealthAutoExportVerdict``). The
/// app sends no deletions, and no UUIDs that stay the same.
struct HealthAutoExportReader {
    let request: IntakeRequest
    /// The app's identifier of the automation; empty without one. Totals of different automations
    /// are different series.
    let automation: String

    init(_ request: IntakeRequest) {
        self.request = request
        automation = request.headers["automation-id"] ?? ""
    }

    /// The lists of an export, by their names in lower case.
    private enum List: String {
        case metrics, workouts, symptoms, medications, ecg
        case stateOfMind = "stateofmind"
        case cycleTracking = "cycletracking"
        case heartRateNotifications = "heartratenotifications"
    }

    func read(into pages: inout IntakePages) throws {
        var reader = JSONReader(request.body)
        guard try reader.nextKind() == .object else { throw HealthAutoExportReader.otherShape }
        var isExport = false
        try reader.readObject { name, reader in
            let list = List(rawValue: name.lowercased())
            if list != nil || name == "data" { isExport = true }
            if name == "data" {
                try readData(&reader, into: &pages)
            } else {
                // Other senders leave "data" out and have the lists at the root.
                try readMember(name, list, &reader, into: &pages)
            }
        }
        try reader.requireEnd()
        if !isExport { throw HealthAutoExportReader.otherShape }
    }

    private static let otherShape = IntakeError.notThisDialect(
        expected: "“data” with “metrics”, “workouts” or another list")

    private func readData(_ reader: inout JSONReader, into pages: inout IntakePages) throws {
        guard try reader.nextKind() == .object else {
            // Null means the same as a missing list.
            guard try reader.nextKind() == .other, try reader.readValue() == .null else {
                throw HealthAutoExportReader.otherShape
            }
            return
        }
        try reader.readObject { name, reader in
            try readMember(name, List(rawValue: name.lowercased()), &reader, into: &pages)
        }
    }

    /// Reads a list, or keeps a member that isn't known.
    private func readMember(
        _ name: String, _ list: List?, _ reader: inout JSONReader, into pages: inout IntakePages
    ) throws {
        guard try reader.nextKind() == .array else {
            return try readOther(name, list, &reader, into: &pages)
        }
        try reader.readArray { reader in
            switch list {
            case .metrics: try readMetric(&reader, into: &pages)
            case .workouts: try readWorkout(&reader, into: &pages)
            default:
                guard try pages.beginRecord() else { return try reader.skipValue() }
                let record = try reader.readValue()
                if let list {
                    add(record, of: list, to: &pages)
                } else {
                    pages.keepUnknown(name, record)
                }
            }
        }
    }

    /// Reads a member that isn't an array: one record, or none for null.
    private func readOther(
        _ name: String, _ list: List?, _ reader: inout JSONReader, into pages: inout IntakePages
    ) throws {
        let value = try reader.readValue()
        guard value != .null, try pages.beginRecord() else { return }
        if list == nil {
            pages.keepUnknown(name, value)
        } else {
            pages.reject(.type, field: name, value)
        }
    }

    private func add(_ record: JSONValue, of list: List, to pages: inout IntakePages) {
        guard record.members != nil else { return pages.reject(.type, record) }
        switch list {
        case .metrics, .workouts: break
        case .symptoms: addSymptom(record, to: &pages)
        case .medications: addMedication(record, to: &pages)
        case .ecg: addElectrocardiogram(record, to: &pages)
        case .stateOfMind: addStateOfMind(record, to: &pages)
        case .cycleTracking: addCycleEntry(record, to: &pages)
        case .heartRateNotifications: addNotification(record, to: &pages)
        }
    }
}
