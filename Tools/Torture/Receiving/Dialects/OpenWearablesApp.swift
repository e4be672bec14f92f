import Foundation
import HealthStorage
import OpenHealthKit

/// An app with the Open Wearables SDK, version 0.6 or 0.13.
///
/// It ignores deletions. Its first export has the newest samples first; the samples at the border
/// of two pages are sent twice. Version 0.6 sends each type by itself, 0.13 mixes types. After a
/// failed attempt, the body is built anew.
final class OpenWearablesApp: PhoneApp {
    enum Version: String { case six = "0.6.0", thirteen = "0.13.0" }

    private let version: Version
    private let reader: PhoneReader
    private let token: String
    private let pageSize: Int
    private var pages = 0

    init(_ version: Version, _ reader: PhoneReader, token: String, pageSize: Int) {
        self.version = version
        self.reader = reader
        self.token = token
        self.pageSize = pageSize
    }

    /// The text of the unit, the unit in which HealthKit returns the value, and a factor.
    private typealias Unit = (text: String, unit: String, factor: Double)

    private static let units: [String: Unit] = [
        "StepCount": ("count", "count", 1), "FlightsClimbed": ("count", "count", 1),
        "HeartRate": ("bpm", "count/min", 1), "RestingHeartRate": ("bpm", "count/min", 1),
        "HeartRateVariabilitySDNN": ("ms", "ms", 1), "ActiveEnergyBurned": ("Cal", "kcal", 1),
        "BasalEnergyBurned": ("Cal", "kcal", 1), "DietaryEnergyConsumed": ("Cal", "kcal", 1),
        "DistanceWalkingRunning": ("m", "m", 1), "DistanceCycling": ("m", "m", 1),
        "DistanceSwimming": ("m", "m", 1), "DistanceDownhillSnowSports": ("m", "m", 1),
        "WalkingStepLength": ("m", "m", 1), "Height": ("m", "m", 1),
        "WaistCircumference": ("m", "m", 1), "SixMinuteWalkTestDistance": ("m", "m", 1),
        "WalkingSpeed": ("m/s", "m/s", 1), "WalkingAsymmetryPercentage": ("%", "%", 1),
        "WalkingDoubleSupportPercentage": ("%", "%", 1), "BodyFatPercentage": ("%", "%", 1),
        "OxygenSaturation": ("%", "%", 100), "BodyMass": ("kg", "kg", 1),
        "LeanBodyMass": ("kg", "kg", 1), "BodyMassIndex": ("count", "count", 1),
        "BodyTemperature": ("degC", "degC", 1),
        "RespiratoryRate": ("breaths/min", "count/min", 1), "BloodGlucose": ("mg/dL", "mg/dL", 1),
        "InsulinDelivery": ("IU", "IU", 1), "BloodPressureSystolic": ("mmHg", "mmHg", 1),
        "BloodPressureDiastolic": ("mmHg", "mmHg", 1), "VO2Max": ("mL/kg/min", "mL/kg*min", 1),
        "DietaryCarbohydrates": ("g", "g", 1), "DietaryProtein": ("g", "g", 1),
        "DietaryFatTotal": ("g", "g", 1), "DietaryWater": ("L", "L", 1),
    ]

    private static let categories = [
        "SleepAnalysis", "MindfulSession", "MenstrualFlow", "CervicalMucusQuality",
        "OvulationTestResult", "SexualActivity",
    ]

    static let types: [HKSampleType] =
        units.keys.sorted().map(PhoneTypes.quantity) + categories.map(PhoneTypes.category)
        + [HKObjectType.workoutType()]

    // MARK: Passes

    func pass(_ random: inout TortureRandom) throws -> [PhoneRequest] {
        let isFirst = !reader.hasAnchor(of: Self.types)
        let samples =
            isFirst
            ? try reader.newestFirst(Self.types) : try reader.changes(of: Self.types).samples
        // The anchor is taken at the end of the export. No device writes meanwhile.
        if isFirst { _ = try reader.changes(of: Self.types) }
        var groups = [samples]
        if version == .six {
            let byType = Dictionary(grouping: samples, by: \.sampleType.identifier)
            groups = Self.types.compactMap { byType[$0.identifier] }
        }
        return groups.flatMap { cut($0, isFirst) }.map { request($0, &random) }
    }

    /// Cuts samples into pages. In the first export, each page also has the samples of the previous
    /// page with the end date of its last one.
    private func cut(_ samples: [HKSample], _ isFirst: Bool) -> [[HKSample]] {
        var pages = samples.pages(of: pageSize)
        guard isFirst else { return pages }
        for index in pages.indices.dropFirst() {
            let border = pages[index - 1].last?.endDate
            pages[index] = pages[index - 1].filter { $0.endDate == border } + pages[index]
        }
        return pages
    }

    private func request(_ samples: [HKSample], _ random: inout TortureRandom) -> PhoneRequest {
        pages += 1
        // Foundation's writer on the phone orders keys arbitrarily, and may escape slashes.
        let escapes = random.percent(50)
        let records = samples.map { sample -> SyncBody.Record in
            let (array, json) = json(sample)
            let text = json.shuffled(&random).text
            return (array, escapes ? text.replacingOccurrences(of: "/", with: "\\/") : text)
        }
        let authorization =
            version == .six
            ? random.pick([("Authorization", token), ("X-Open-Wearables-API-Key", token)])
            : ("Authorization", "Bearer " + token)
        return SyncBody(
            records: records, version: version.rawValue, authorization: authorization,
            label: "page \(pages) of \(version.rawValue), \(records.count) records"
        ).request(&random)
    }

    /// The records of a request. Each attempt has them in another order, with another timestamp.
    private struct SyncBody: Sendable {
        typealias Record = (array: String, text: String)

        var records: [Record]
        var version: String
        var authorization: (String, String)
        var label: String

        func request(_ random: inout TortureRandom) -> PhoneRequest {
            let records = random.shuffled(records)
            let arrays = random.shuffled(["workouts", "records", "sleep"]).map { name in
                let texts = records.filter { $0.array == name }.map(\.text)
                return "\"\(name)\":[" + texts.joined(separator: ",") + "]"
            }
            let members = random.shuffled([
                "\"provider\":\"apple\"", "\"sdkVersion\":\"\(version)\"",
                "\"syncTimestamp\":\"\(PhoneDates.utc(Date()))\"",
                "\"data\":{" + arrays.joined(separator: ",") + "}",
            ])
            return PhoneRequest(
                label: label, path: "/api/v1/sdk/users/4f6c1a08-person/sync",
                headers: [("Content-Type", "application/json"), authorization],
                body: Array("{\(members.joined(separator: ","))}".utf8),
                records: records.count...records.count, rebuilt: { self.request(&$0) })
        }
    }

    // MARK: Records

    private func json(_ sample: HKSample) -> (array: String, json: JSONText) {
        if let workout = sample as? HKWorkout { return ("workouts", json(ofWorkout: workout)) }
        if sample.sampleType == PhoneTypes.sleep { return ("sleep", json(ofSleep: sample)) }
        var value: JSONText = .null
        var unitText: JSONText = .null
        let name = sample.sampleType.identifier.replacingOccurrences(
            of: "HKQuantityTypeIdentifier", with: "")
        if let unit = Self.units[name], let number = sample.value(in: unit.unit) {
            value = .number(number * unit.factor)
            unitText = .string(unit.text)
        } else if let category = sample as? HKCategorySample {
            value = .integer(category.value)
        }
        return (
            "records",
            .object(
                common(sample, type: sample.sampleType.identifier) + [
                    ("value", value), ("unit", unitText), ("metadata", metadata(sample)),
                ])
        )
    }

    private func json(ofSleep sample: HKSample) -> JSONText {
        let names: [Int: String] = [
            0: "in_bed", 1: "sleeping", 2: "awake", 3: version == .six ? "light" : "core",
            4: "deep", 5: "rem",
        ]
        let stage = names[(sample as? HKCategorySample)?.value ?? -1] ?? "unknown"
        return .object(
            common(sample, type: nil) + [
                ("stage", .string(stage)), ("values", .null), ("metadata", .null),
            ])
    }

    private func json(ofWorkout workout: HKWorkout) -> JSONText {
        var values: [JSONText] = []
        func add(_ type: String, _ value: Double?, _ unit: String) {
            guard let value else { return }
            values.append(
                .object([
                    "type": .string(type), "value": .number(value), "unit": .string(unit),
                ]))
        }
        add("duration", workout.duration, "s")
        add("activeEnergyBurned", workout.kilocalories, "kcal")
        add("distance", workout.metres, "m")
        let pulse = workout.statistics(for: PhoneTypes.quantity("HeartRate"))
        let perMinute = HKUnit(from: "count/min")
        add("minHeartRate", pulse?.minimumQuantity()?.doubleValue(for: perMinute), "bpm")
        add("averageHeartRate", pulse?.averageQuantity()?.doubleValue(for: perMinute), "bpm")
        add("maxHeartRate", pulse?.maximumQuantity()?.doubleValue(for: perMinute), "bpm")
        if let indoor = workout.metadata?[HKMetadataKeyIndoorWorkout] as? NSNumber {
            add("indoorWorkout", indoor.doubleValue, "bool")
        }
        if let mets = workout.metadata?[HKMetadataKeyAverageMETs] as? HKQuantity {
            add("averageMETs", mets.doubleValue(for: HKUnit(from: "kcal/kg*hr")), "kcal/kg/hr")
        }
        let empty: [JSONMember] = [
            "title", "notes", "segments", "laps", "route", "samples", "metadata",
        ].map { ($0, .null) }
        let type = Self.activities[workout.workoutActivityType.rawValue] ?? "other"
        return .object(common(workout, type: type) + [("values", .array(values))] + empty)
    }

    private func common(_ sample: HKSample, type: String?) -> [JSONMember] {
        var zone: JSONText = .null
        if version == .thirteen, let name = sample.metadata?[HKMetadataKeyTimeZone] as? String,
            let known = TimeZone(identifier: name)
        {
            zone = .string(PhoneDates.offset(known.secondsFromGMT(for: sample.startDate)))
        }
        return (type.map { [("type", .string($0))] } ?? []) + [
            ("id", .string(sample.uuid.uuidString)), ("parentId", .null),
            ("startDate", .string(PhoneDates.utc(sample.startDate))),
            ("endDate", .string(PhoneDates.utc(sample.endDate))), ("zoneOffset", zone),
            ("source", source(sample)),
        ]
    }

    private func source(_ sample: HKSample) -> JSONText {
        let revision = sample.sourceRevision
        let product = sample.product
        let system = revision.operatingSystemVersion
        let isPhone = product?.hasPrefix("iPhone") == true || product?.hasPrefix("iPad") == true
        let kind = product?.hasPrefix("Watch") == true ? "watch" : isPhone ? "phone" : nil
        var members: [JSONMember] = [
            ("appId", .string(revision.source.bundleIdentifier)), ("deviceId", .null),
            ("deviceName", .text(sample.device?.name)),
            ("deviceManufacturer", .text(sample.device?.manufacturer)),
            ("deviceModel", .text(product)), ("deviceType", .text(kind)),
            ("recordingMethod", .null),
            ("deviceHardwareVersion", .text(sample.device?.hardwareVersion)),
            ("deviceSoftwareVersion", .text(sample.device?.softwareVersion)),
            (
                "operatingSystemVersion",
                .object([
                    "majorVersion": .integer(system.majorVersion),
                    "minorVersion": .integer(system.minorVersion),
                    "patchVersion": .integer(system.patchVersion),
                ])
            ),
        ]
        if version == .thirteen { members.append(("name", .string(revision.source.name))) }
        return .object(members)
    }

    /// Every metadata value as text.
    private func metadata(_ sample: HKSample) -> JSONText {
        guard let metadata = sample.metadata, !metadata.isEmpty else { return .null }
        return .object(
            metadata.sorted { $0.key < $1.key }.map { ($0.key, .string("\($0.value)")) })
    }

    private static let activities: [UInt: String] = [
        1: "american_football", 2: "archery", 3: "australian_football", 4: "badminton",
        5: "baseball", 6: "basketball", 7: "bowling", 8: "boxing", 9: "climbing", 10: "cricket",
        11: "cross_training", 12: "curling", 13: "cycling", 14: "dance",
        15: "dance_inspired_training", 16: "elliptical", 17: "equestrian", 18: "fencing",
        19: "fishing", 20: "functional_strength_training", 21: "golf", 22: "gymnastics",
        23: "handball", 24: "hiking", 25: "hockey", 26: "hunting", 27: "lacrosse",
        28: "martial_arts", 29: "mind_and_body", 30: "mixed_metabolic_cardio_training",
        31: "paddle_sports", 32: "play", 33: "preparation_and_recovery", 34: "racquetball",
        35: "rowing", 36: "rugby", 37: "running", 38: "sailing", 39: "skating",
        40: "snow_sports", 41: "soccer", 42: "softball", 43: "squash", 44: "stair_climbing",
        45: "surfing", 46: "swimming", 47: "table_tennis", 48: "tennis", 49: "track_and_field",
        50: "strength_training", 51: "volleyball", 52: "walking", 53: "water_fitness",
        54: "water_polo", 55: "water_sports", 56: "wrestling", 57: "yoga", 58: "barre",
        59: "core_training", 60: "cross_country_skiing", 61: "downhill_skiing",
        62: "flexibility", 63: "hiit", 64: "jump_rope", 65: "kickboxing", 66: "pilates",
        67: "snowboarding", 68: "stairs", 69: "step_training", 70: "wheelchair_walk",
        71: "wheelchair_run", 72: "tai_chi", 73: "mixed_cardio", 74: "hand_cycling",
        75: "disc_sports", 76: "fitness_gaming", 77: "cardio_dance", 78: "social_dance",
        79: "pickleball", 80: "cooldown", 82: "swim_bike_run", 83: "transition",
        84: "underwater_diving", 3000: "other",
    ]
}
