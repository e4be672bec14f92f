import HealthEngine

/// A workout of version 1 or 2 of the app's export.
///
/// Its totals become statistics of the workout. The inner series are values of time intervals, such
/// as minutes. They stay with the workout as metadata, and never become samples. What isn't known
/// becomes metadata too.
struct HealthAutoExportWorkout {
    private(set) var workout: Workout
    private(set) var metadata: Metadata
    /// The fields that are still to be read. Of several with one name, the last one counts.
    private var fields: [String: JSONValue] = [:]
    private let start: Double
    private let end: Double
    /// Whether zero means that a total is missing, as in version 1.
    private let omitsZeros: Bool

    init(_ reader: HealthAutoExportReader, _ record: JSONValue, start: Double, end: Double) {
        for member in record.members ?? [] { fields[member.name] = member.value }
        fields = fields.filter { $0.value != .null }
        (self.start, self.end) = (start, end)
        let isVersion1 = ["activeEnergy", "stepCount", "elevation"].contains {
            record[$0]?.members != nil
        }
        omitsZeros = isVersion1 || record["id"] == nil
        for name in ["start", "startDate", "end", "endDate", "source", "metadata"] {
            fields[name] = nil
        }
        let name = record["name"]?.string ?? ""
        let activity = HealthAutoExportActivities.activity(name)
        if record["name"]?.string != nil { fields["name"] = nil }
        workout = Workout(
            activityType: activity ?? HealthAutoExportWorkout.other,
            unknownActivityName: activity == nil && !name.isEmpty
                ? String(name.prefix(200)) : nil)
        metadata = HealthAutoExportReader.metadataEntries(of: record)
        if let duration = record["duration"]?.number, duration >= 0 {
            workout.duration = duration
            fields["duration"] = nil
        }
        addSums()
        let rates = record["heartRateData"]?.array
        addHeartRates(firstPoint: reader.date(rates?.first?["date"])?.seconds)
        addPlace()
        addConditions()
        addSwimming()
        keepRest()
    }

    private static let other = 3000

    /// Adds the route, and the number of locations that it lacks.
    mutating func add(_ route: HealthAutoExportRoute) {
        if let route = route.route { workout.routes.append(route) }
        if route.leftOut > 0 {
            metadata[HealthAutoExportReader.key("routePointsLeftOut")] =
                .number(Double(route.leftOut))
        }
    }

    // MARK: - Statistics

    /// Reads a quantity with a unit of the same dimension as another; nil for none, and for a zero
    /// that means none.
    private func quantity(_ json: JSONValue?, like unit: String) -> HealthAutoExportQuantity? {
        guard let quantity = HealthAutoExportQuantity(json), quantity.isCompatible(with: unit)
        else { return nil }
        return omitsZeros && quantity.value == 0 ? nil : quantity
    }

    private func statistics(_ type: String) -> WorkoutStatistics {
        WorkoutStatistics(type: type, start: start, end: end)
    }

    /// The fields of totals, with the quantity type. Different versions have different names, and
    /// the first one counts.
    private static let sums: [(field: String, type: String, unit: String)] = [
        ("activeEnergyBurned", "ActiveEnergyBurned", "kcal"),
        ("activeEnergy", "ActiveEnergyBurned", "kcal"),
        ("basalEnergyBurned", "BasalEnergyBurned", "kcal"),
        ("basalEnergy", "BasalEnergyBurned", "kcal"),
        ("stepCount", "StepCount", "count"), ("flightsClimbed", "FlightsClimbed", "count"),
        ("totalSwimmingStrokeCount", "SwimmingStrokeCount", "count"),
    ]

    private mutating func addSums() {
        for sum in HealthAutoExportWorkout.sums {
            addSum(sum.field, "HKQuantityTypeIdentifier" + sum.type, like: sum.unit)
        }
        addSum(
            "distance", Workout.distanceType(ofActivity: workout.activityType), like: "m")
    }

    private mutating func addSum(_ field: String, _ type: String, like unit: String) {
        guard let total = quantity(fields[field], like: unit), total.unit != "%",
            !workout.statistics.contains(where: { $0.type == type })
        else { return }
        var part = statistics(type)
        (part.unit, part.sum) = (total.unit, total.value)
        workout.statistics.append(part)
        fields[field] = nil
    }

    /// Adds minimum, average and maximum of the heart rate.
    ///
    /// A defect of the app sends the recovery after the workout as its heart rate. Average and
    /// maximum are wrong then, and don't become statistics.
    private mutating func addHeartRates(firstPoint: Double?) {
        if let firstPoint, firstPoint >= end {
            if fields["heartRateRecovery"] == nil {
                fields["heartRateRecovery"] = fields.removeValue(forKey: "heartRateData")
            }
            return
        }
        var part = statistics("HKQuantityTypeIdentifierHeartRate")
        let parts: [(WritableKeyPath<WorkoutStatistics, Double?>, inner: String, outer: String)] = [
            (\.minimum, "min", "minHeartRate"), (\.average, "avg", "avgHeartRate"),
            (\.maximum, "max", "maxHeartRate"),
        ]
        let whole = fields["heartRate"]
        var read = 0
        for (path, inner, outer) in parts {
            let first = quantity(whole?.member(ignoringCase: inner), like: "count/min")
            let second = quantity(fields[outer], like: "count/min")
            guard let rate = first ?? second, part.unit == nil || part.unit == rate.unit else {
                continue
            }
            part.unit = rate.unit
            part[keyPath: path] = rate.value
            if first != nil { read += 1 }
            if second == rate { fields[outer] = nil }
        }
        if read > 0, read == whole?.members?.count { fields["heartRate"] = nil }
        if part.unit != nil { workout.statistics.append(part) }
    }

    // MARK: - HealthKit's metadata

    /// Adds whether the workout was indoors, and where a person swam.
    private mutating func addPlace() {
        if let isIndoor = fields["isIndoor"]?.bool {
            metadata["HKIndoorWorkout"] = .number(isIndoor ? 1 : 0)
            fields["isIndoor"] = nil
        }
        guard let place = fields["location"]?.string else { return }
        switch HealthAutoExportReader.folded(place) {
        case "indoor": if metadata["HKIndoorWorkout"] == nil { setPlace("HKIndoorWorkout", 1) }
        case "outdoor": if metadata["HKIndoorWorkout"] == nil { setPlace("HKIndoorWorkout", 0) }
        case "pool": setPlace("HKSwimmingLocationType", 1)
        case "openwater": setPlace("HKSwimmingLocationType", 2)
        default: break
        }
    }

    private mutating func setPlace(_ key: String, _ value: Double) {
        metadata[key] = .number(value)
        fields["location"] = nil
    }

    private mutating func addConditions() {
        if let elevation = fields["elevation"], let units = elevation["units"] {
            // Version 1 has one object for both.
            for (inner, outer) in [("ascent", "elevationUp"), ("descent", "elevationDown")] {
                guard let length = elevation[inner], fields[outer] == nil else { continue }
                fields[outer] = .object([
                    .init(name: "qty", value: length), .init(name: "units", value: units),
                ])
            }
            fields["elevation"] = nil
        }
        setQuantity("elevationUp", "HKElevationAscended", like: "m")
        setQuantity("elevationDown", "HKElevationDescended", like: "m")
        setQuantity("temperature", "HKWeatherTemperature", like: "degC")
        setQuantity("humidity", "HKWeatherHumidity", like: "%") {
            $0.unit == "%" && (0...1).contains($0.value)
        }
        // Some versions write kilometers per hour as "m/hr".
        setQuantity("avgSpeed", "HKAverageSpeed", like: "m/s") { $0.unit != "m/hr" }
        setQuantity("maxSpeed", "HKMaximumSpeed", like: "m/s") { $0.unit != "m/hr" }
    }

    private mutating func addSwimming() {
        // Some versions write kilometers as "m". No lap is shorter than a meter.
        setQuantity("lapLength", "HKLapLength", like: "m") { $0.unit != "m" || $0.value >= 1 }
        setEnumeration("strokeStyle", "HKSwimmingStrokeStyle", "HKSwimmingStrokeStyle")
        setEnumeration("salinity", "HKMetadataKeyWaterSalinity", "HKWaterSalinity")
        if let score = fields["swolfScore"]?.number {
            metadata["HKSWOLFScore"] = .number(score)
            fields["swolfScore"] = nil
        }
    }

    /// Moves a field to HealthKit's metadata if its unit suits and its value is credible.
    private mutating func setQuantity(
        _ field: String, _ key: String, like unit: String,
        if isCredible: (HealthAutoExportQuantity) -> Bool = { _ in true }
    ) {
        guard let quantity = quantity(fields[field], like: unit), isCredible(quantity) else {
            return
        }
        metadata[key] = .quantity(quantity.value, unit: quantity.unit)
        fields[field] = nil
    }

    /// Moves a field to HealthKit's metadata if it is a word or a number of an enumeration.
    private mutating func setEnumeration(_ field: String, _ key: String, _ enumeration: String) {
        guard let sent = fields[field] else { return }
        let value =
            sent.integer.flatMap { Catalogue.value($0, of: enumeration)?.rawValue }
            ?? sent.string.flatMap { HealthAutoExportReader.rawValue($0, of: enumeration) }
        guard let value else { return }
        metadata[key] = .number(Double(value))
        fields[field] = nil
    }

    // MARK: - The rest

    /// The maximum length of all series of a workout together, in bytes of JSON.
    private static let maximumSeriesBytes = 512 << 10

    /// Keeps the fields that are left as metadata, series included. Series beyond
    /// ``maximumSeriesBytes`` are left out, and their number of elements is kept.
    private mutating func keepRest() {
        var rest = HealthAutoExportWorkout.maximumSeriesBytes
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let key = HealthAutoExportReader.key(name)
            if let quantity = HealthAutoExportQuantity(value) {
                if omitsZeros && quantity.value == 0 { continue }
                metadata[key] = .quantity(quantity.value, unit: quantity.unit)
                continue
            }
            if value.array?.isEmpty == true || value.string?.isEmpty == true { continue }
            let entry = HealthAutoExportReader.metadataValue(value)
            if case .string(let text) = entry {
                if text.utf8.count > rest {
                    let count = value.array?.count ?? value.members?.count ?? 1
                    metadata[key + ".leftOut"] = .number(Double(count))
                    continue
                }
                rest -= text.utf8.count
            }
            metadata[key] = entry
        }
        fields = [:]
    }
}
