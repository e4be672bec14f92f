import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit

/// The app Health Auto Export with three automations: discrete metrics as points, sleep
/// unaggregated, and workouts in version 2.
///
/// Each run covers its whole period again. There are no identifiers of samples and no deletions.
final class HealthAutoExportApp: PhoneApp {
    private let reader: PhoneReader
    private let token: String
    private let zone: TimeZone
    private let pageSize: Int
    private let automations: [String]

    init(
        _ reader: PhoneReader, token: String, zone: TimeZone, pageSize: Int,
        _ random: inout TortureRandom
    ) {
        self.reader = reader
        self.token = token
        self.zone = zone
        self.pageSize = pageSize
        automations = (0..<3).map { _ in random.uuid().description }
    }

    private typealias Metric = (
        type: String, name: String, units: String, unit: String, factor: Double
    )

    private static let metrics: [Metric] = [
        ("HeartRate", "heart_rate", "count/min", "count/min", 1),
        ("RestingHeartRate", "resting_heart_rate", "count/min", "count/min", 1),
        ("HeartRateVariabilitySDNN", "heart_rate_variability", "ms", "ms", 1),
        ("OxygenSaturation", "blood_oxygen_saturation", "%", "%", 100),
        ("BodyMass", "weight_body_mass", "kg", "kg", 1),
        ("LeanBodyMass", "lean_body_mass", "kg", "kg", 1), ("Height", "height", "cm", "cm", 1),
        ("BodyMassIndex", "body_mass_index", "count", "count", 1),
        ("BodyFatPercentage", "body_fat_percentage", "%", "%", 100),
        ("BodyTemperature", "body_temperature", "degC", "degC", 1),
        ("RespiratoryRate", "respiratory_rate", "count/min", "count/min", 1),
        ("BloodGlucose", "blood_glucose", "mg/dL", "mg/dL", 1),
        ("VO2Max", "vo2_max", "ml/(kg·min)", "mL/kg*min", 1),
        ("WalkingSpeed", "walking_speed", "km/hr", "km/hr", 1),
        ("WalkingStepLength", "walking_step_length", "cm", "cm", 1),
    ]

    static let types: [HKSampleType] =
        metrics.map { PhoneTypes.quantity($0.type) } + [
            PhoneTypes.sleep, HKObjectType.workoutType(),
        ]

    // MARK: Runs

    func pass(_ random: inout TortureRandom) throws -> [PhoneRequest] {
        let session = random.uuid().description
        var requests: [PhoneRequest] = []
        let samples = Dictionary(
            grouping: try reader.newestFirst(Self.types), by: \.sampleType.identifier)
        for metric in Self.metrics {
            let points = samples[PhoneTypes.quantity(metric.type).identifier] ?? []
            let data = points.reversed().map { sample -> JSONText in
                let value = (sample.value(in: metric.unit) ?? .nan) * metric.factor
                let quantity: [JSONMember] =
                    switch metric.name {
                    case "heart_rate":
                        ["Min", "Avg", "Max"].map { ($0, .number(value)) }
                    case "blood_glucose":
                        [("qty", .number(value)), ("mealTime", "Unspecified")]
                    default: [("qty", .number(value))]
                    }
                return .object([("date", date(sample.startDate)), source(sample)] + quantity)
            }
            requests += data.pages(of: pageSize).map {
                request(0, session, "metrics", metricBody(metric.name, metric.units, $0))
            }
        }
        let sleep = (samples[PhoneTypes.sleep.identifier] ?? []).map { json(ofSleep: $0) }
        requests += sleep.pages(of: pageSize).map {
            request(1, session, "metrics", metricBody("sleep_analysis", "hr", $0))
        }
        let workouts = (samples[HKObjectType.workoutType().identifier] ?? [])
            .compactMap { $0 as? HKWorkout }.map { json(ofWorkout: $0) }
        requests += workouts.pages(of: pageSize).map { request(2, session, "workouts", $0) }
        return requests
    }

    private func metricBody(_ name: String, _ units: String, _ data: [JSONText]) -> [JSONText] {
        [.object(["name": .string(name), "units": .string(units), "data": .array(data)])]
    }

    private func request(
        _ automation: Int, _ session: String, _ array: String, _ items: [JSONText]
    ) -> PhoneRequest {
        let body: JSONText = .object([("data", .object([(array, .array(items))]))])
        return PhoneRequest(
            label: "automation \(automation), \(array)", path: "/v1/intake/health-auto-export",
            headers: [
                ("Content-Type", "application/json"), ("X-API-Key", token),
                ("automation-name", "Automation \(automation)"),
                ("automation-id", automations[automation]), ("automation-aggregation", "None"),
                ("automation-period", "Previous 7 Days"), ("session-id", session),
            ], body: Array(body.text.utf8), records: nil)
    }

    // MARK: Records

    private func date(_ date: Date) -> JSONText {
        .string(PhoneDates.withOffset(date, in: zone))
    }

    private func source(_ sample: HKSample) -> JSONMember {
        ("source", .string(sample.sourceRevision.source.name))
    }

    private func json(ofSleep sample: HKSample) -> JSONText {
        let names = ["In Bed", "Asleep", "Awake", "Core", "Deep", "REM"]
        let value = (sample as? HKCategorySample)?.value ?? -1
        let hours = sample.endDate.timeIntervalSince(sample.startDate) / 3600
        return .object([
            ("startDate", date(sample.startDate)), ("endDate", date(sample.endDate)),
            ("qty", .number(hours)),
            ("value", .string(names.indices.contains(value) ? names[value] : "Unspecified")),
            source(sample),
        ])
    }

    private func json(ofWorkout workout: HKWorkout) -> JSONText {
        func amount(_ value: Double?, _ units: String) -> JSONText? {
            value.map { .object(["qty": .number($0), "units": .string(units)]) }
        }
        let names: [UInt: String] = [
            13: "Cycling", 16: "Elliptical", 20: "Functional Strength Training", 24: "Hiking",
            35: "Rowing", 37: "Running", 46: "Swimming", 50: "Traditional Strength Training",
            52: "Walking", 57: "Yoga", 61: "Downhill Skiing",
            63: "High Intensity Interval Training", 66: "Pilates", 71: "Wheelchair Run Pace",
            3000: "Other",
        ]
        return .object([
            "id": .string(workout.uuid.uuidString),
            "name": .string(names[workout.workoutActivityType.rawValue] ?? "Other"),
            "start": date(workout.startDate), "end": date(workout.endDate),
            "duration": .number(workout.duration),
            "activeEnergyBurned": amount(workout.kilocalories, "kcal"),
            "distance": amount(workout.metres.map { $0 / 1000 }, "km"), "metadata": .object([]),
        ])
    }
}
