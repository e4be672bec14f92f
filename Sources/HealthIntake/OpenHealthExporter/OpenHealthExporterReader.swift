import HealthEngine
import HealthStorage

/// Reads requests of Open Health Exporter, format `ohe.wire/1`.
///
/// ```
/// {"kind": "batch.header", "batchId": "0196…", "exporterId": "…", "recordCount": 1, …}
/// {"kind": "sample.quantity", "uuid": "…", "hkIdentifier": "HKQuantityTypeIdentifierStepCount",
///  "start": "2026-03-01T08:00:00Z", "end": "2026-03-01T08:10:00Z", "value": 420,
///  "unit": "count", …}
/// {"kind": "batch.footer", "contentDigest": "sha256:…", "complete": true, …}
/// ```
/// Each record is one line. The same batch can also be one document with `header`, `records` and
/// `footer`. Records have HealthKit's UUIDs, and deletions arrive as tombstones. The body is read
/// once before any record is passed on, so that a batch with a wrong digest leaves nothing behind.
struct OpenHealthExporterReader {
    let request: IntakeRequest

    init(_ request: IntakeRequest) { self.request = request }

    func read(into pages: inout IntakePages) throws {
        let body = try OpenHealthExporterBody(request.body)
        let outline = try OpenHealthExporterOutline(body, receivedAt: request.receivedAt)
        var batch = OpenHealthExporterBatch()
        try body.forEachEntry { place, reader in
            _ = try reader.nextKind()
            let offset = reader.offset
            let record = try reader.readValue()
            switch (place, record["kind"]?.string) {
            case (.header, _), (.line, "batch.header"):
                batch = OpenHealthExporterBatch(header: record)
            case (.footer, _), (.line, "batch.footer"): batch = OpenHealthExporterBatch()
            default:
                guard try pages.beginRecord() else { return }
                let content: OpenHealthExporterRecord
                do throws(UnreadableRecord) {
                    content = try OpenHealthExporterRecord(
                        record, of: batch, receivedAt: request.receivedAt)
                } catch {
                    return pages.keep(record, error, id: record["uuid"]?.string)
                }
                try add(content, record, at: offset, outline, to: &pages)
            }
        }
    }

    /// Adds what a record contains. Nothing for a record that is part of another one of the body:
    /// a component of a correlation, or the route of a workout.
    private func add(
        _ content: OpenHealthExporterRecord, _ record: JSONValue, at offset: Int,
        _ outline: OpenHealthExporterOutline, to pages: inout IntakePages
    ) throws {
        switch content {
        case .sample(let sample): if !outline.isComponent(sample) { pages.add(sample) }
        case .dose(let sample, let medication):
            pages.add(sample)
            pages.add(medication)
        case .correlation(let correlation):
            let parent = pages.add(correlation.sample)
            for component in try outline.components(of: correlation, at: offset) {
                pages.add(component, memberOf: parent)
            }
        case .workout(let workout):
            pages.add(workout.sample(with: try outline.route(of: workout, at: offset)))
        case .route(let route):
            // The workout can be in an earlier request. If it comes later, it doesn't find the route.
            if !outline.hasWorkout(of: route) {
                pages.add(LateRoute(workout: route.parent, points: route.points), record)
            }
        case .total(let total): pages.add(total)
        case .deletion(let uuid, let reason): pages.delete(uuid, reason)
        }
    }
}
