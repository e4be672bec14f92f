import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit

/// The app HealthSave with its contract v2: quantities and sleep with UUIDs, and deletions.
///
/// A batch has one metric and one source. The contract shows no fields of workouts, so none are
/// sent.
final class HealthSaveApp: PhoneApp {
    private let reader: PhoneReader
    private let token: String
    private let zone: TimeZone
    private let pageSize: Int
    private var runs = 0

    init(_ reader: PhoneReader, token: String, zone: TimeZone, pageSize: Int) {
        self.reader = reader
        self.token = token
        self.zone = zone
        self.pageSize = pageSize
    }

    /// Metric names. Three are in the text; the others are named in the same way.
    private static let metrics: [(type: String, metric: String, unit: String)] = [
        ("StepCount", "step_count", "count"), ("FlightsClimbed", "flights_climbed", "count"),
        ("DistanceWalkingRunning", "distance_walking_running", "m"),
        ("ActiveEnergyBurned", "active_energy_burned", "kcal"),
        ("BasalEnergyBurned", "basal_energy_burned", "kcal"),
        ("HeartRate", "heart_rate", "count/min"),
        ("RestingHeartRate", "resting_heart_rate", "count/min"),
        ("HeartRateVariabilitySDNN", "heart_rate_variability", "ms"),
        ("BodyMass", "body_mass", "kg"), ("BodyMassIndex", "bmi", "count"),
        ("RespiratoryRate", "respiratory_rate", "count/min"),
    ]

    static let types: [HKSampleType] = metrics.map { PhoneTypes.quantity($0.type) }

    private struct Group {
        var source: HKSourceRevision?
        var device: HKDevice?
        var samples: [JSONText] = []
        var deletions: [JSONText] = []
    }

    func pass(_ random: inout TortureRandom) throws -> [PhoneRequest] {
        runs += 1
        let run = random.uuid().description
        var requests: [PhoneRequest] = []
        for metric in Self.metrics {
            let changes = try reader.changes(of: [PhoneTypes.quantity(metric.type)])
            var pages: [Group] = []
            let bySource = Dictionary(grouping: changes.samples) {
                $0.sourceRevision.source.bundleIdentifier
            }
            for (_, samples) in bySource.sorted(by: { $0.key < $1.key }) {
                pages += samples.pages(of: pageSize).map { page in
                    Group(
                        source: page[0].sourceRevision, device: page[0].device,
                        samples: page.map { json($0, metric.unit) })
                }
            }
            if !changes.deleted.isEmpty {
                let deletions = changes.deleted.map { uuid -> JSONText in
                    .object([
                        ("uuid", .string(uuid.uuidString)), ("deletedAt", .null),
                    ])
                }
                if pages.isEmpty { pages = [Group()] }
                pages[pages.count - 1].deletions = deletions
            }
            for (index, page) in pages.enumerated() {
                requests.append(
                    request(page, metric.metric, index, of: pages.count, run, &random))
            }
        }
        return requests
    }

    private func json(_ sample: HKSample, _ unit: String) -> JSONText {
        .object([
            "uuid": .string(sample.uuid.uuidString),
            "startDate": .string(PhoneDates.utc(sample.startDate)),
            "endDate": .string(PhoneDates.utc(sample.endDate)),
            "qty": sample.value(in: unit).map { .number($0) }, "unit": .string(unit),
            "tzOffsetMinutes": .integer(zone.secondsFromGMT(for: sample.startDate) / 60),
            "source": .string(sample.sourceRevision.source.name),
        ])
    }

    private func request(
        _ page: Group, _ metric: String, _ index: Int, of count: Int, _ run: String,
        _ random: inout TortureRandom
    ) -> PhoneRequest {
        let batch = random.uuid().description
        let body: JSONText = .object([
            "schema_version": .integer(2), "metric": .string(metric),
            "batch_index": .integer(index), "total_batches": .integer(count),
            "samples": .array(page.samples), "deletions": .array(page.deletions),
            "device": .object([
                "name": .text(page.device?.name), "model": .text(page.device?.model),
            ]),
            "source_bundle_id": .text(page.source?.source.bundleIdentifier),
        ])
        let bytes = Array(body.text.utf8)
        let records = page.samples.count + page.deletions.count
        return PhoneRequest(
            label: "\(metric) \(index) of \(count)", path: "/api/v2/apple/batch",
            headers: [
                ("Content-Type", "application/json"), ("x-api-key", token),
                ("Idempotency-Key", batch), ("X-HealthSave-Schema-Version", "2"),
                ("X-HealthSave-Batch-ID", batch), ("X-HealthSave-Batch-Index", "\(index)"),
                ("X-HealthSave-Total-Batches", "\(count)"), ("X-HealthSave-Metric", metric),
                ("X-HealthSave-Payload-Hash", SHA256.hexadecimal(bytes)),
                ("X-HealthSave-Sync-Run-ID", run),
                ("X-HealthSave-Full-Export", runs == 1 ? "true" : "false"),
                ("X-HealthSave-Anchor-Present", runs == 1 ? "false" : "true"),
            ], body: bytes, records: records...records)
    }
}
