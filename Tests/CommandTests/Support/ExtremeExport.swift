import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit

/// An export whose records are all valid and contain extreme numbers and dates.
struct ExtremeExport {
    static let values = [
        "0", "-0.0", "5e-324", "2.2e-308", "1e-300", "0.1", "1", "8214", "-1", "-8214.5",
        "999999999999999.9", "1e15", "9007199254740993", "9.3e18", "1e19", "-1e19", "1e22",
        "1.7e308", "-1.7e308",
    ]
    /// The first and last days that an import accepts, and days with many records.
    static let days = [
        "1862-01-01 00:00:00 +0000", "1900-01-01 00:00:00 +0053", "1970-01-01 00:00:00 +0000",
        "2000-12-31 23:59:59 +0000", "2024-03-10 08:00:00 +0100", "2024-03-10 09:00:00 +0100",
        "2024-03-10 23:30:00 +0100", "2024-03-11 00:10:00 +0100", "2024-03-11 03:00:00 +0100",
        "2024-03-31 01:30:00 +0100", "2139-01-01 00:00:00 +1400",
    ]
    /// Times for fields without date limits.
    static let moments =
        days + [
            "0000-01-01 00:00:00 +0000", "0001-01-01 00:00:00 +0000", "1582-10-10 12:00:00 +0000",
            "4001-01-01 00:00:00 +0000", "9999-12-31 23:59:59 -1200",
        ]

    private var random: SeededRandom
    private(set) var text = ""

    /// Creates an export.
    ///
    /// - Parameter perType: The number of records of each type.
    init(seed: UInt64, types: [SampleType], perType: Int) {
        random = SeededRandom(seed: seed)
        text = "<HealthData locale=\"de_DE\">\n <ExportDate value=\"2024-04-01 10:00:00 +0200\"/>\n"
        text += " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"0000-01-01\"/>\n"
        for type in types { for _ in 0..<perType { add(type) } }
        for day in ["0000-01-01", "1582-10-10", "1900-02-28", "2024-03-10"] { addRings(day) }
        text += "</HealthData>\n"
    }

    /// Returns two or three types of each kind, and those that pages show.
    static func fewTypes(_ random: inout SeededRandom) -> [SampleType] {
        let shown = [
            "stepCount", "distanceWalkingRunning", "activeEnergyBurned", "heartRate", "bodyMass",
            "height", "oxygenSaturation", "sleepAnalysis", "mindfulSession", "bloodPressure",
            "workout",
        ].compactMap(Catalogue.type(named:))
        return shown + allTypes.shuffled(using: &random).prefix(3)
    }

    static let allTypes = Catalogue.types.filter {
        [.quantity, .category, .correlation, .workout].contains($0.kind)
    }

    private mutating func value() -> String {
        Self.values.randomElement(using: &random) ?? "0"
    }

    /// Returns a start, an end that isn't before it, and a creation date.
    private mutating func times() -> String {
        let start = Int.random(in: 0..<Self.days.count, using: &random)
        let isLong = Int.random(in: 0..<4, using: &random) == 0
        let end = isLong ? Int.random(in: start..<Self.days.count, using: &random) : start
        let created = Self.moments.randomElement(using: &random) ?? Self.days[start]
        return " creationDate=\"\(created)\" startDate=\"\(Self.days[start])\""
            + " endDate=\"\(Self.days[end])\""
    }

    private mutating func source() -> String {
        let name = ["Watch", "Phone", "Scale"].randomElement(using: &random) ?? "Watch"
        return " sourceName=\"\(name)\" sourceVersion=\"1\""
    }

    private mutating func add(_ type: SampleType) {
        switch type.kind {
        case .quantity: text += " \(quantity(type))\n"
        case .category:
            let names = type.valueEnumeration.map(Catalogue.values(of:)) ?? []
            let value = names.randomElement(using: &random)?.exportedName ?? "0"
            text += " <Record type=\"\(type.identifier)\"\(source()) value=\"\(value)\""
            text += "\(times())/>\n"
        case .correlation:
            let names =
                type.name == "food"
                ? ["dietaryProtein"] : ["bloodPressureSystolic", "bloodPressureDiastolic"]
            let members = names.compactMap(Catalogue.type(named:)).map { quantity($0) }
            text += " <Correlation type=\"\(type.identifier)\"\(source())\(times())>"
            text += members.joined() + "</Correlation>\n"
        case .workout: addWorkout()
        default: break
        }
    }

    private mutating func quantity(_ type: SampleType) -> String {
        "<Record type=\"\(type.identifier)\"\(source()) unit=\"\(type.displayUnit ?? "count")\""
            + " value=\"\(value())\"\(times())><MetadataEntry key=\"HKWasUserEntered\""
            + " value=\"\(value())\"/></Record>"
    }

    private mutating func addWorkout() {
        func moment() -> String { Self.moments.randomElement(using: &random) ?? "" }
        text += " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\""
        text += " duration=\"\(value())\" durationUnit=\"min\"\(source())\(times())>\n"
        text += "  <WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"\(moment())\""
        text += " duration=\"\(value())\" durationUnit=\"min\"/>\n"
        for (type, unit) in [("ActiveEnergyBurned", "kcal"), ("DistanceWalkingRunning", "km")] {
            text += "  <WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\""
            text += " startDate=\"\(moment())\" endDate=\"\(moment())\""
            text += " sum=\"\(value())\" unit=\"\(unit)\"/>\n"
        }
        text += "  <WorkoutStatistics type=\"HKQuantityTypeIdentifierHeartRate\""
        text += " startDate=\"\(moment())\" endDate=\"\(moment())\" average=\"\(value())\""
        text += " minimum=\"\(value())\" maximum=\"\(value())\" unit=\"count/min\"/>\n"
        text += "  <WorkoutRoute\(source())\(times())>"
        text += "<FileReference path=\"/workout-routes/route.gpx\"/></WorkoutRoute>\n </Workout>\n"
    }

    private mutating func addRings(_ day: String) {
        text += " <ActivitySummary dateComponents=\"\(day)\""
        for name in [
            "activeEnergyBurned", "activeEnergyBurnedGoal", "appleMoveTime", "appleExerciseTime",
            "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
        ] { text += " \(name)=\"\(value())\"" }
        text += " activeEnergyBurnedUnit=\"kcal\"/>\n"
    }

    /// A route with points anywhere, at any time.
    var route: String {
        let points = Self.moments.enumerated().map { index, moment in
            let time = moment.prefix(19).replacingOccurrences(of: " ", with: "T") + "Z"
            let value = Self.values[index % Self.values.count]
            return "<trkpt lon=\"\(Double(index) * 25 - 180)\" lat=\"\(90 - Double(index) * 13)\">"
                + "<ele>\(value)</ele><time>\(time)</time><extensions><speed>\(value)</speed>"
                + "<course>\(value)</course></extensions></trkpt>"
        }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    /// Writes the export with its route. Returns the path of the export.
    func write(into folder: String) throws -> String {
        let export = folder + "/apple_health_export"
        try FileManager.default.createDirectory(
            atPath: export + "/workout-routes", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: export + "/export.xml"))
        try Data(route.utf8).write(
            to: URL(fileURLWithPath: export + "/workout-routes/route.gpx"))
        return export
    }
}

/// Samples of an app with extreme numbers and dates, saved one at a time because HealthKit refuses
/// some.
struct ExtremeSaves {
    static let values = [
        0, -0.0, .leastNonzeroMagnitude, 1e-300, 0.1, 1, 8214, -1, 1e15, 9.3e18, 1e19, -1e19, 1e22,
        1.7e308,
        -1.7e308,
    ]
    /// Times from year 0 to beyond year 9999; some occur several times.
    static let times = [
        -63_145_000_000, -63_113_904_000, -13_197_600_000, -3_187_296_000, -978_307_200, 0,
        731_746_800, 731_746_800, 731_746_800, 731_750_400, 731_803_000, 63_113_904_000,
        252_423_000_000, 1e12, -1e12, 1e15, 1e19, -1e19, 1e300,
    ]

    private var random: SeededRandom
    private(set) var saved = 0
    private(set) var refused = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func value() -> Double { Self.values.randomElement(using: &random) ?? 0 }

    private mutating func times() -> (Date, Date) {
        let start = Self.times.randomElement(using: &random) ?? 0
        let lengths: [Double] = [0, 0, 1, 600, 86_400, 252_460_000_000]
        let end = start + (lengths.randomElement(using: &random) ?? 0)
        return (
            Date(timeIntervalSinceReferenceDate: start), Date(timeIntervalSinceReferenceDate: end)
        )
    }

    private mutating func quantity(_ type: SampleType) -> HKQuantitySample? {
        let object = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        guard let symbol = type.displayUnit else { return nil }
        let (start, end) = times()
        return HKQuantitySample(
            type: object, quantity: HKQuantity(unit: HKUnit(from: symbol), doubleValue: value()),
            start: start, end: end)
    }

    private mutating func sample(_ type: SampleType) -> HKSample? {
        let (start, end) = times()
        switch type.kind {
        case .quantity: return quantity(type)
        case .category:
            let values = type.valueEnumeration.map(Catalogue.values(of:)) ?? []
            return HKCategorySample(
                type: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier)),
                value: values.randomElement(using: &random)?.rawValue ?? 0, start: start, end: end)
        case .workout:
            let energy = HKQuantity(unit: .kilocalorie(), doubleValue: value())
            let distance = HKQuantity(unit: .meter(), doubleValue: value())
            if Bool.random(using: &random) {
                return HKWorkout(
                    activityType: .running, start: start, end: end, duration: value(),
                    totalEnergyBurned: energy, totalDistance: distance, metadata: nil)
            }
            let (from, to) = times()
            let event = HKWorkoutEvent(
                type: .pause, dateInterval: DateInterval(start: from, end: to), metadata: nil)
            return HKWorkout(
                activityType: .running, start: start, end: end, workoutEvents: [event],
                totalEnergyBurned: energy, totalDistance: distance, metadata: nil)
        default: return nil
        }
    }

    /// Saves `perType` samples of each type into a store.
    mutating func save(_ types: [SampleType], perType: Int, into path: String) async throws {
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        for type in types {
            for _ in 0..<perType {
                guard let sample = sample(type) else { continue }
                do {
                    try await store.save(sample)
                    saved += 1
                } catch let error as HKError where error.code == .errorInvalidArgument {
                    refused += 1
                }
            }
        }
    }
}
