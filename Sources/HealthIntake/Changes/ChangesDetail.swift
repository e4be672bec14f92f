import HealthEngine
import HealthStorage

/// Reads the details of samples: `{"series":[…]}`, as `openhealth export --format jsonl` writes
/// them, with exact times.
enum ChangesDetail {
    /// Returns the detail of a sample; nil without one.
    ///
    /// - Throws: A kind of a later version is unknown by its name. A workout or an activity summary
    ///   without its detail is invalid, and so is a detail that its type can't have.
    static func detail(
        of record: JSONValue, _ type: SampleType
    ) throws(UnreadableRecord) -> SampleDetail? {
        let isRequired = type.kind == .workout || type.kind == .activitySummary
        guard let value = record["detail"] else {
            if isRequired { throw .invalid(.value, field: "detail") }
            return nil
        }
        guard let members = value.members, members.count == 1, let member = members.first else {
            throw .invalid(.value, field: "detail")
        }
        guard let kind = SampleDetail.Name(rawValue: member.name) else {
            throw .unknown("detail." + member.name)
        }
        guard isPossible(kind, for: type) else { throw .invalid(.type, field: "detail") }
        let field = "detail.\(kind.rawValue)"
        switch kind {
        case .workout: return .workout(try ChangesWorkout.workout(member.value, field))
        case .activitySummary: return .activitySummary(try summary(member.value, field))
        case .heartbeats: return .heartbeats(try heartbeats(member.value, field))
        case .series: return .series(try series(member.value, field))
        case .route: return .route(try route(member.value, field))
        case .clinicalRecord:
            return .clinicalRecord(try ChangesClinical.record(member.value, field))
        case .document: return .document(try ChangesClinical.document(member.value, field))
        case .verifiableClinicalRecord:
            return .verifiableClinicalRecord(
                try ChangesClinical.verifiableRecord(member.value, field))
        case .medicationDose: return .medicationDose(try medicationDose(member.value, field))
        case .numbers: return try numbers(member.value, field, type)
        case .audiogram: return .audiogram(try ChangesAudiogram.audiogram(member.value, field))
        case .visionPrescription:
            return .visionPrescription(
                try ChangesVisionPrescription.prescription(member.value, field))
        }
    }

    private static func isPossible(_ kind: SampleDetail.Name, for type: SampleType) -> Bool {
        switch kind {
        case .workout: type.kind == .workout
        case .activitySummary: type.kind == .activitySummary
        case .series: type.kind == .quantity
        case .heartbeats: type.name == "heartbeatSeries" || type.name == "heartRateVariabilitySDNN"
        case .route: type.name == "workoutRoute"
        case .numbers:
            type.kind == .other && type.name != "workoutRoute" && type.name != "visionPrescription"
                && !type.holdsDocuments
        case .clinicalRecord: type.isClinicalRecord
        case .document: type.identifier == ClinicalDocument.typeIdentifier
        case .verifiableClinicalRecord:
            type.identifier == VerifiableClinicalRecord.typeIdentifier
        case .medicationDose: type.name == "medicationDoseEvent"
        case .audiogram: type.name == "audiogram"
        case .visionPrescription: type.name == "visionPrescription"
        }
    }

    private static func series(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> [SeriesQuantity] {
        var series: [SeriesQuantity] = []
        for element in try ChangesFields.elements(value, field) {
            let quantity = SeriesQuantity(
                start: try ChangesFields.instant(element["start"], field + ".start"),
                end: try ChangesFields.instant(element["end"], field + ".end"),
                value: try ChangesFields.number(element["value"], field + ".value"))
            guard quantity.end >= quantity.start else {
                throw .invalid(.endBeforeStart, field: field + ".end")
            }
            series.append(quantity)
        }
        guard !series.isEmpty else { throw .invalid(.value, field: field) }
        return series.sorted { $0.start < $1.start }
    }

    /// Reads the points of a route in order of time.
    static func route(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> [RoutePoint] {
        var points: [RoutePoint] = []
        for element in try ChangesFields.elements(value, field) {
            points.append(try point(element, field))
        }
        return points.sorted { $0.time < $1.time }
    }

    private static func point(
        _ element: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> RoutePoint {
        func number(_ name: String) throws(UnreadableRecord) -> Double? {
            try ChangesFields.optionalNumber(element[name], "\(field).\(name)")
        }
        guard let latitude = try number("latitude"), (-90...90).contains(latitude) else {
            throw .invalid(.value, field: field + ".latitude")
        }
        guard let longitude = try number("longitude"), (-180...180).contains(longitude) else {
            throw .invalid(.value, field: field + ".longitude")
        }
        // As in Core Location, a negative accuracy, course or speed marks an unknown value.
        return RoutePoint(
            time: try ChangesFields.instant(element["time"], field + ".time"),
            latitude: latitude, longitude: longitude, altitude: try number("altitude") ?? 0,
            horizontalAccuracy: try number("horizontalAccuracy") ?? -1,
            verticalAccuracy: try number("verticalAccuracy") ?? -1,
            course: try number("course") ?? -1, speed: try number("speed") ?? -1,
            courseAccuracy: try number("courseAccuracy"),
            speedAccuracy: try number("speedAccuracy"))
    }

    private static func heartbeats(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> [Heartbeat] {
        var beats: [Heartbeat] = []
        for element in try ChangesFields.elements(value, field) {
            let bpm = try ChangesFields.optionalNumber(element["bpm"], field + ".bpm")
            let offset = try ChangesFields.optionalNumber(element["offset"], field + ".offset")
            guard bpm != nil || offset != nil else { throw .invalid(.value, field: field) }
            var beat = Heartbeat(
                bpm: bpm ?? .nan, time: element["time"]?.string ?? "", offset: offset)
            beat.precededByGap = element["gap"]?.bool ?? false
            beats.append(beat)
        }
        return beats
    }

    /// Reads lists of numbers. Those of an audiogram become its content.
    private static func numbers(
        _ value: JSONValue, _ field: String, _ type: SampleType
    ) throws(UnreadableRecord) -> SampleDetail {
        guard let members = value.members else { throw .invalid(.value, field: field) }
        var numbers: [String: [Double]] = [:]
        for member in members {
            var list: [Double] = []
            for element in try ChangesFields.elements(member.value, field) {
                list.append(try ChangesFields.number(element, field))
            }
            numbers[member.name] = list
        }
        if let name = numbers.impossibleName(ofType: type.name) {
            throw .invalid(.range, field: "\(field).\(name)")
        }
        let detail = SampleDetail.numbers(numbers)
        return detail.audiogram(ofType: type.name).map(SampleDetail.audiogram) ?? detail
    }

    private static func summary(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> ActivitySummary {
        func number(_ name: String) throws(UnreadableRecord) -> Double? {
            try ChangesFields.optionalNumber(value[name], "\(field).\(name)")
        }
        guard let date = value["date"]?.string else {
            throw .invalid(.date, field: field + ".date")
        }
        var summary = ActivitySummary(date: date)
        summary.activeEnergyBurned = try number("activeEnergyBurned")
        summary.activeEnergyBurnedGoal = try number("activeEnergyBurnedGoal")
        summary.activeEnergyBurnedUnit = value["activeEnergyBurnedUnit"]?.string
        summary.appleMoveTime = try number("appleMoveTime")
        summary.appleMoveTimeGoal = try number("appleMoveTimeGoal")
        summary.appleExerciseTime = try number("appleExerciseTime")
        summary.appleExerciseTimeGoal = try number("appleExerciseTimeGoal")
        summary.appleStandHours = try number("appleStandHours")
        summary.appleStandHoursGoal = try number("appleStandHoursGoal")
        return summary
    }
}
