import HealthEngine

/// A workout of the SDK. Its values are HealthKit's own statistics of the workout, so they stay
/// with the workout and never become samples.
struct OpenWearablesWorkout {
    private(set) var workout: Workout
    private(set) var metadata: Metadata = [:]

    init(_ record: JSONValue, start: Double, end: Double) {
        let name = record["type"]?.string ?? ""
        let activity = Self.activity(name)
        workout = Workout(
            activityType: activity ?? Self.other,
            unknownActivityName: activity == nil && !name.isEmpty ? name : nil)
        for value in record["values"]?.array ?? [] {
            guard let type = value["type"]?.string, let sent = value["value"] else { continue }
            if let number = sent.number {
                add(type, number, value["unit"]?.string, start: start, end: end)
            } else {
                metadata[Self.key(type)] = .string(sent.string ?? sent.text)
            }
        }
    }

    /// A property of a workout's statistics, and its quantity type.
    private struct Statistic {
        var type: String
        /// The unit that the SDK documents.
        var unit: String
        var value: WritableKeyPath<WorkoutStatistics, Double?>

        init(
            _ type: String, _ unit: String,
            _ value: WritableKeyPath<WorkoutStatistics, Double?> = \.average
        ) {
            self.type = "HKQuantityTypeIdentifier" + type
            self.unit = unit
            self.value = value
        }
    }

    private mutating func add(
        _ name: String, _ value: Double, _ unit: String?, start: Double, end: Double
    ) {
        if name == "duration", let sent = Self.unit(unit, like: "s") {
            workout.duration = sent == "s" ? value : nil
            if sent != "s" { keep(name, value, unit) }
        } else if let statistic = statistic(name),
            let symbol = Self.unit(unit, like: statistic.unit)
        {
            add(statistic, value, symbol, start: start, end: end)
        } else if let (key, wanted) = Self.quantities[name],
            let symbol = Self.unit(unit, like: wanted)
        {
            metadata[key] = .quantity(value, unit: symbol)
        } else {
            addNumber(name, value, unit)
        }
    }

    private mutating func add(
        _ statistic: Statistic, _ value: Double, _ unit: String, start: Double, end: Double
    ) {
        let known = workout.statistics.firstIndex { $0.type == statistic.type && $0.unit == unit }
        let index = known ?? workout.statistics.endIndex
        if known == nil {
            workout.statistics.append(
                WorkoutStatistics(type: statistic.type, unit: unit, start: start, end: end))
        }
        workout.statistics[index][keyPath: statistic.value] = value
    }

    private mutating func addNumber(_ name: String, _ value: Double, _ unit: String?) {
        switch name {
        case "indoorWorkout": metadata["HKIndoorWorkout"] = .number(value)
        case "swimmingLocationType": metadata["HKSwimmingLocationType"] = .number(value)
        case "weatherHumidity" where (0...100).contains(value):
            // HealthKit's humidity is a fraction. Some versions send percent.
            let unit = IntakeUnit("%", factor: value > 1.5 ? 0.01 : 1)
            metadata["HKWeatherHumidity"] = .quantity(unit.converted(value), unit: unit.symbol)
        default: keep(name, value, unit)
        }
    }

    /// Returns the metadata key of a value that HealthKit doesn't have.
    private static func key(_ name: String) -> String { "openwearables.\(name.prefix(100))" }

    /// Keeps a value that has no place in HealthKit, or another unit than documented.
    private mutating func keep(_ name: String, _ value: Double, _ unit: String?) {
        let key = Self.key(name)
        if let unit, let known = IntakeUnit.named(unit), known.factor == 1 {
            metadata[key] = .quantity(value, unit: known.symbol)
        } else {
            metadata[key] = .number(value)
        }
    }

    /// Returns HealthKit's symbol of a unit if it has the dimension of the documented one, which
    /// also stands for a missing unit; nil otherwise.
    private static func unit(_ sent: String?, like documented: String) -> String? {
        guard let sent else { return documented }
        guard let unit = IntakeUnit.named(sent), unit.factor == 1,
            unit.isCompatible(with: documented)
        else { return nil }
        return unit.symbol
    }

    // MARK: - Names

    private func statistic(_ name: String) -> Statistic? {
        switch name {
        case "activeEnergyBurned": Statistic("ActiveEnergyBurned", "kcal", \.sum)
        case "basalEnergyBurned": Statistic("BasalEnergyBurned", "kcal", \.sum)
        case "distance": Statistic(distanceName, "m", \.sum)
        case "stepCount": Statistic("StepCount", "count", \.sum)
        case "swimmingStrokeCount": Statistic("SwimmingStrokeCount", "count", \.sum)
        case "minHeartRate": Statistic("HeartRate", "count/min", \.minimum)
        case "averageHeartRate": Statistic("HeartRate", "count/min")
        case "maxHeartRate": Statistic("HeartRate", "count/min", \.maximum)
        case "averageRunningPower": Statistic("RunningPower", "W")
        case "averageRunningSpeed": Statistic("RunningSpeed", "m/s")
        case "averageRunningStrideLength": Statistic("RunningStrideLength", "m")
        case "averageVerticalOscillation": Statistic("RunningVerticalOscillation", "cm")
        case "averageGroundContactTime": Statistic("RunningGroundContactTime", "ms")
        default: nil
        }
    }

    /// The type of the distance. The SDK has walking, cycling, swimming and downhill distances, but
    /// none of wheelchairs.
    private var distanceName: String {
        let type = Workout.distanceType(ofActivity: workout.activityType)
        let name = String(type.dropFirst("HKQuantityTypeIdentifier".count))
        return name == "DistanceWheelchair" ? "DistanceWalkingRunning" : name
    }

    /// Values that HealthKit has as metadata: the key and the documented unit.
    private static let quantities: [String: (key: String, unit: String)] = [
        "elevationAscended": ("HKElevationAscended", "m"),
        "elevationDescended": ("HKElevationDescended", "m"), "lapLength": ("HKLapLength", "m"),
        "averageSpeed": ("HKAverageSpeed", "m/s"), "maxSpeed": ("HKMaximumSpeed", "m/s"),
        "averageMETs": ("HKAverageMETs", "kcal/(kg*hr)"),
        "weatherTemperature": ("HKWeatherTemperature", "degC"),
    ]

    private static let other = 3000

    /// Returns HealthKit's number of an activity; nil for an unknown name.
    ///
    /// Most names are HealthKit's in snake case. The table has the others.
    static func activity(_ name: String) -> Int? {
        if let known = names[name] { return known }
        var camel = ""
        for (index, word) in name.split(separator: "_").enumerated() {
            camel += index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
        }
        return Catalogue.value(named: camel, of: "HKWorkoutActivityType")?.rawValue
    }

    private static let names: [String: Int] = [
        "wheelchair_run": 71, "wheelchair_walk": 70, "strength_training": 50, "hiit": 63,
        "surfing": 45, "skating": 39, "equestrian": 17,
    ]
}
