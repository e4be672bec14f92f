import HealthEngine
import HealthStorage

/// Reads batches of HealthSave, versions 1 and 2.
///
/// ```json
/// {"schema_version": 2, "metric": "step_count", "batch_index": 0, "total_batches": 1,
///  "samples": [{"uuid": "…", "startDate": "2026-03-01T08:00:00Z",
///               "endDate": "2026-03-01T08:10:00Z", "qty": 420, "unit": "count"}],
///  "deletions": [{"uuid": "…", "deletedAt": null}]}
/// ```
/// A batch has one metric. The app also sends totals that HealthKit merged, among the samples and
/// without a UUID. Only version 2 has UUIDs and deletions.
struct HealthSaveReader {
    let request: IntakeRequest

    init(_ request: IntakeRequest) { self.request = request }

    func read(into pages: inout IntakePages) throws {
        let batch = try HealthSaveBatch(request)
        if let completion = batch.completion { pages.completions = [completion] }
        var reader = JSONReader(request.body)
        try reader.readObject { name, reader in
            guard try reader.nextKind() == .array else { return try reader.skipValue() }
            try reader.readArray { reader in
                guard try pages.beginRecord() else { return try reader.skipValue() }
                let record = try reader.readValue()
                switch name {
                case "samples": add(record, of: batch, to: &pages)
                case "deletions": delete(record, from: &pages)
                default: pages.keepUnknown(name, record)
                }
            }
        }
    }

    private func add(_ record: JSONValue, of batch: HealthSaveBatch, to pages: inout IntakePages) {
        do throws(UnreadableRecord) {
            switch try HealthSaveRecord(record, of: batch) {
            case .sample(let sample): pages.add(sample)
            case .total(let total): pages.add(total)
            }
        } catch { pages.keep(record, error, id: record["uuid"]?.string) }
    }

    private func delete(_ record: JSONValue, from pages: inout IntakePages) {
        let text = record["uuid"]?.string
        guard let uuid = SampleUUID(text ?? "") else {
            return pages.reject(.identifier, field: "uuid", id: text, record)
        }
        pages.delete(uuid, .deleted)
    }
}
