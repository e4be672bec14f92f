import CZlib
import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit

/// The app Open Health Exporter, which sends NDJSON in the format `ohe.wire/1`, with tombstones.
///
/// It resends a batch with the same batch ID and the same bytes, or after a restart as a new batch
/// with the same records.
final class OpenHealthExporterApp: PhoneApp {
    private let reader: PhoneReader
    private let token: String
    private let zone: TimeZone
    private let pageSize: Int
    private let exporter: String
    private var sequence = 0

    init(
        _ reader: PhoneReader, token: String, zone: TimeZone, pageSize: Int,
        _ random: inout TortureRandom
    ) {
        self.reader = reader
        self.token = token
        self.zone = zone
        self.pageSize = pageSize
        exporter = random.uuid().description.lowercased()
    }

    private typealias Metric = (id: String, unit: String, healthKitUnit: String, factor: Double)

    private static let metrics: [String: Metric] = [
        "StepCount": ("step_count", "count", "count", 1),
        "HeartRate": ("heart_rate", "bpm", "count/min", 1),
        "RestingHeartRate": ("resting_heart_rate", "bpm", "count/min", 1),
        "HeartRateVariabilitySDNN": ("heart_rate_variability_sdnn", "ms", "ms", 1),
        "ActiveEnergyBurned": ("active_energy", "kcal", "kcal", 1),
        "BasalEnergyBurned": ("basal_energy", "kcal", "kcal", 1),
        "DistanceWalkingRunning": ("walking_running_distance", "km", "km", 1),
        "DistanceCycling": ("cycling_distance", "km", "km", 1),
        "DistanceSwimming": ("swimming_distance", "km", "km", 1),
        "FlightsClimbed": ("flights_climbed", "count", "count", 1),
        "BodyMassIndex": ("body_mass_index", "count", "count", 1),
        "BodyMass": ("body_mass", "kg", "kg", 1), "LeanBodyMass": ("lean_body_mass", "kg", "kg", 1),
        "Height": ("height", "m", "m", 1),
        "BodyFatPercentage": ("body_fat_percentage", "%", "%", 100),
        "OxygenSaturation": ("oxygen_saturation", "%", "%", 100),
        "RespiratoryRate": ("respiratory_rate", "count/min", "count/min", 1),
        "VO2Max": ("vo2_max", "mL/kg/min", "mL/kg*min", 1),
        "BloodGlucose": ("blood_glucose", "mg/dL", "mg/dL", 1),
        "BodyTemperature": ("body_temperature", "degC", "degC", 1),
        "DietaryWater": ("dietary_water", "mL", "mL", 1),
        "BloodPressureSystolic": ("blood_pressure_systolic", "mmHg", "mmHg", 1),
        "BloodPressureDiastolic": ("blood_pressure_diastolic", "mmHg", "mmHg", 1),
        "WalkingSpeed": ("walking_speed", "m/s", "m/s", 1),
    ]

    /// Types that the catalogue lacks, sent as "unmapped" under their HealthKit identifier. The
    /// text names no unit for them; HealthKit's canonical one is used. Percentages are left out,
    /// because their scale is unclear.
    private static let unmapped = [
        "HeadphoneAudioExposure", "DietaryEnergyConsumed", "DietaryProtein", "WaistCircumference",
        "WalkingStepLength", "DietaryCarbohydrates", "DietaryFatTotal",
        "SixMinuteWalkTestDistance",
    ]

    private static let categories = [
        "SleepAnalysis", "AppleStandHour", "MindfulSession", "CervicalMucusQuality",
        "OvulationTestResult",
    ]

    static let types: [HKSampleType] =
        (metrics.keys.sorted() + unmapped).map(PhoneTypes.quantity)
        + categories.map(PhoneTypes.category)
        + [HKCorrelationType(.bloodPressure), HKObjectType.workoutType()]

    // MARK: Batches

    func pass(_ random: inout TortureRandom) throws -> [PhoneRequest] {
        let reason = sequence == 0 ? "backfill" : "delta"
        var records: [(type: String, json: JSONText)] = []
        for type in Self.types {
            let changes = try reader.changes(of: [type])
            records += changes.samples.map { (type.identifier, record(of: $0)) }
            records += changes.deleted.map { (type.identifier, tombstone($0, type)) }
        }
        return records.pages(of: pageSize).map { page in
            sequence += 1
            return Batch(
                records: page, sequence: sequence, reason: reason, exporter: exporter,
                token: token
            ).request(&random)
        }
    }

    private struct Batch: Sendable {
        var records: [(type: String, json: JSONText)]
        var sequence: Int
        var reason: String
        var exporter: String
        var token: String

        func request(_ random: inout TortureRandom) -> PhoneRequest {
            let id = Self.id(&random)
            let now = PhoneDates.utc(Date())
            var content = ""
            for record in records {
                guard case .object(let members) = record.json else { continue }
                let whole: [JSONMember] =
                    members + [
                        ("v", .integer(1)), ("observedAt", .string(now)),
                        ("batchSeq", .integer(sequence)),
                    ]
                content += JSONText.object(whole).sorted.text + "\n"
            }
            let header: JSONText = .object([
                "v": .integer(1), "kind": "batch.header", "spec": "ohe.wire/1",
                "specVersion": "1.0.0", "batchId": .string(id), "exporterId": .string(exporter),
                "seq": .integer(sequence), "emittedAt": .string(now), "reason": .string(reason),
                "producer": .object(["name": "Open Health Exporter", "version": "0.1.0"]),
                "mode": "samples", "recordCount": .integer(records.count),
                "types": .array(Set(records.map(\.type)).sorted().map { .string($0) }),
            ])
            let digest = SHA256.hexadecimal(content.utf8)
            let footer: JSONText = .object([
                "v": .integer(1), "kind": "batch.footer", "batchId": .string(id),
                "counts": .object(["records": .integer(records.count)]),
                "contentDigest": .string("sha256:" + digest), "complete": .bool(true),
            ])
            let text = header.sorted.text + "\n" + content + footer.sorted.text + "\n"
            return request(id, text, random.percent(80))
        }

        private func request(_ id: String, _ text: String, _ isCompressed: Bool) -> PhoneRequest {
            // The two components of a blood pressure are sent twice, and may be one record.
            let pressures = records.count {
                $0.type == HKCorrelationType(.bloodPressure).identifier
            }
            var request = PhoneRequest(
                label: "batch \(sequence), \(records.count) records",
                path: "/v1/intake/open-health-exporter",
                headers: [
                    ("Content-Type", "application/x-ndjson; profile=\"ohe.wire/1\""),
                    ("Idempotency-Key", id), ("Authorization", "Bearer " + token),
                ], body: Array(text.utf8),
                records: max(0, records.count - 2 * pressures)...records.count)
            if isCompressed, let packed = Gzip.compressed(request.body) {
                request.headers.append(("Content-Encoding", "gzip"))
                request.body = packed
            }
            request.rebuilt = { random in
                guard random.percent(70) else { return self.request(&random) }
                return self.request(id, text, isCompressed)
            }
            return request
        }

        /// Returns a UUID of version 7, of the time and random numbers.
        private static func id(_ random: inout TortureRandom) -> String {
            let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
            let time = String(milliseconds, radix: 16)
            let padded = String(repeating: "0", count: 12 - time.count) + time
            let rest = random.uuid().description.lowercased().dropFirst(15)
            return "\(padded.prefix(8))-\(padded.suffix(4))-7\(rest)"
        }
    }

    // MARK: Records

    private func tombstone(_ uuid: UUID, _ type: HKSampleType) -> JSONText {
        let name = type.identifier.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
        return .object([
            "kind": "tombstone", "uuid": .string(uuid.uuidString.lowercased()),
            "metricId": Self.metrics[name].map { .string($0.id) },
            "hkIdentifier": .string(type.identifier), "reason": "healthKitDeleted",
            "bestEffort": .bool(true),
        ])
    }

    private func record(of sample: HKSample) -> JSONText {
        switch sample {
        case let workout as HKWorkout: .object(workoutMembers(workout))
        case let correlation as HKCorrelation: .object(correlationMembers(correlation))
        case let category as HKCategorySample: .object(categoryMembers(category))
        default: .object(quantityMembers(sample))
        }
    }

    private func common(_ sample: HKSample, _ kind: String) -> [JSONMember] {
        var members: [JSONMember] = [
            ("kind", .string(kind)), ("uuid", .string(sample.uuid.uuidString.lowercased())),
            ("hkIdentifier", .string(sample.sampleType.identifier)),
            ("start", .string(PhoneDates.utc(sample.startDate))),
            ("end", .string(PhoneDates.utc(sample.endDate))),
            ("tzOffsetMinutes", .integer(zone.secondsFromGMT(for: sample.startDate) / 60)),
            ("tzId", .string(zone.identifier)), ("tzSource", "deviceCurrent"),
            (
                "source",
                .object([
                    "name": .string(sample.sourceRevision.source.name),
                    "bundleId": .string(sample.sourceRevision.source.bundleIdentifier),
                    "productType": sample.product.map { .string($0) },
                ])
            ),
        ]
        if let device = sample.device {
            let parts: [(String, String?)] = [
                ("name", device.name), ("manufacturer", device.manufacturer),
                ("model", device.model), ("hardwareVersion", device.hardwareVersion),
                ("softwareVersion", device.softwareVersion),
            ]
            let known = parts.compactMap { part in
                part.1.map { JSONMember(part.0, .string($0)) }
            }
            members.append(("device", .object(known)))
        }
        if let entered = sample.metadata?[HKMetadataKeyWasUserEntered] as? NSNumber {
            members.append(("wasUserEntered", .bool(entered.boolValue)))
        }
        return members
    }

    private func quantityMembers(_ sample: HKSample) -> [JSONMember] {
        let identifier = sample.sampleType.identifier
        let name = identifier.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
        let metric = Self.metrics[name]
        let unit =
            metric?.healthKitUnit ?? Catalogue.type(identifier: identifier)?.canonicalUnit ?? ""
        let value = (sample.value(in: unit) ?? .nan) * (metric?.factor ?? 1)
        return common(sample, "sample.quantity") + [
            ("metricId", .string(metric?.id ?? identifier)),
            ("semantics", metric == nil ? "unmapped" : "curated"), ("value", .number(value)),
            ("unit", .string(metric?.unit ?? unit)),
        ]
    }

    private func categoryMembers(_ sample: HKCategorySample) -> [JSONMember] {
        let stages = [
            "inBed", "asleepUnspecified", "awake", "asleepCore", "asleepDeep", "asleepREM",
        ]
        let isSleep = sample.sampleType == PhoneTypes.sleep
        let name =
            isSleep
            ? stages.indices.contains(sample.value)
                ? stages[sample.value] : "unknown_\(sample.value)" : "raw_\(sample.value)"
        return common(sample, "sample.category") + [
            ("metricId", .string(sample.sampleType.identifier)), ("semantics", "unmapped"),
            ("categoryValue", .integer(sample.value)), ("categoryName", .string(name)),
            ("durationSeconds", .number(sample.endDate.timeIntervalSince(sample.startDate))),
        ]
    }

    private func correlationMembers(_ sample: HKCorrelation) -> [JSONMember] {
        let components = sample.objects.sorted { $0.uuid.uuidString < $1.uuid.uuidString }.map {
            member -> JSONText in
            let name = member.sampleType.identifier
                .replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
            return .object([
                "uuid": .string(member.uuid.uuidString.lowercased()),
                "metricId": .string(Self.metrics[name]?.id ?? ""),
                "hkIdentifier": .string(member.sampleType.identifier),
                "value": member.value(in: "mmHg").map { .number($0) }, "unit": "mmHg",
            ])
        }
        return common(sample, "sample.correlation") + [
            ("correlationType", "bloodPressure"), ("components", .array(components)),
        ]
    }

    private func workoutMembers(_ sample: HKWorkout) -> [JSONMember] {
        var totals: [JSONMember] = []
        func add(_ name: String, _ value: Double?, _ unit: String) {
            guard let value else { return }
            totals.append(
                (
                    name,
                    .object([
                        "value": .number(value), "unit": .string(unit), "statistic": "sum",
                    ])
                ))
        }
        add("active_energy", sample.kilocalories, "kcal")
        add("distance", sample.metres.map { $0 / 1000 }, "km")
        let words: [UInt: String] = [
            37: "running", 52: "walking", 13: "cycling", 46: "swimming",
            63: "highIntensityIntervalTraining", 50: "traditionalStrengthTraining",
            20: "functionalStrengthTraining", 57: "yoga",
        ]
        let activity = sample.workoutActivityType.rawValue
        let events = (sample.workoutEvents ?? []).map { event -> JSONText in
            let names = [
                "", "pause", "resume", "lap", "marker", "motionPaused", "motionResumed",
                "segment",
            ]
            let raw = event.type.rawValue
            return .object([
                "timestamp": .string(PhoneDates.utc(event.dateInterval.start)),
                "type": .string(names.indices.contains(raw) ? names[raw] : "raw_\(raw)"),
                "durationSeconds": .number(event.dateInterval.duration),
            ])
        }
        return common(sample, "workout") + [
            ("activityType", .string(words[activity] ?? "raw_\(activity)")),
            ("activityTypeRaw", .integer(Int(activity))),
            ("durationSeconds", .number(sample.duration)), ("totals", .object(totals)),
            ("events", .array(events)), ("hasRoute", .bool(false)),
            ("seriesIncluded", .array([])),
        ]
    }
}

/// Compression in the gzip format.
enum Gzip {
    /// Returns the compressed bytes; nil if zlib fails.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        // 15 bits of window, plus 16 for the gzip format.
        guard
            deflateInit2_(
                &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let isComplete = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isComplete else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
