/// An export as a list of tags, and mutations of it.
struct MutatedExport {
    /// The start, without the tag of the export's date, which tests replace.
    static let head = ["<HealthData locale=\"de_DE\">"]
    static let date = "<ExportDate value=\"DATE\"/>"

    private static let at =
        "startDate=\"2024-03-10 09:00:00 +0100\" endDate=\"2024-03-10 09:05:00 +0100\""

    private static func record(_ hour: Int, _ value: Int) -> String {
        "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"P\" unit=\"count\" "
            + "creationDate=\"2024-03-11 09:00:00 +0100\" "
            + "startDate=\"2024-03-10 \(hour):00:00 +0100\" "
            + "endDate=\"2024-03-10 \(hour):05:00 +0100\" value=\"\(value)\""
    }

    private static let member =
        "<Record type=\"HKQuantityTypeIdentifierDietaryEnergyConsumed\" sourceName=\"B\" "
        + "unit=\"kcal\" \(at) value=\"250\"/>"

    /// One element of each kind, with one tag per item.
    static let intact = MutatedExport(
        tags: head + [
            date, "<Me HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeNotSet\"/>",
            record(10, 1) + "/>", record(11, 2) + ">",
            "<MetadataEntry key=\"HKTimeZone\" value=\"Europe/Berlin\"/>", "</Record>",
            record(12, 3) + ">", "<MetadataEntry key=\"Note\" value=\"a &amp; b\"/>", "</Record>",
            "<Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" sourceName=\"W\" "
                + "unit=\"ms\" \(at) value=\"40\">",
            "<HeartRateVariabilityMetadataList>",
            "<InstantaneousBeatsPerMinute bpm=\"61\" time=\"09:00:00,67\"/>",
            "<InstantaneousBeatsPerMinute bpm=\"62\" time=\"9:00:01.61 AM\"/>",
            "</HeartRateVariabilityMetadataList>", "</Record>",
            "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"W\" \(at) "
                + "value=\"HKCategoryValueSleepAnalysisAsleepCore\"/>", member,
            "<Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"B\" \(at)>",
            "<MetadataEntry key=\"HKFoodType\" value=\"Porridge\"/>", member, "</Correlation>",
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"5\" "
                + "durationUnit=\"min\" sourceName=\"W\" \(at)>",
            "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-10 09:01:00 +0100\" "
                + "duration=\"1\" durationUnit=\"min\"/>",
            "<WorkoutActivity uuid=\"U\" startDate=\"2024-03-10 09:00:00 +0100\" "
                + "endDate=\"2024-03-10 09:05:00 +0100\" duration=\"5\" durationUnit=\"min\">",
            "<WorkoutStatistics type=\"HKQuantityTypeIdentifierHeartRate\" average=\"120\" "
                + "unit=\"count/min\"/>", "</WorkoutActivity>",
            "<WorkoutRoute sourceName=\"W\" \(at)>",
            "<Location date=\"2024-03-10 09:01:00 +0100\" latitude=\"1\" longitude=\"2\"/>",
            "<FileReference path=\"/workout-routes/r.gpx\"/>", "</WorkoutRoute>", "</Workout>",
            "<ActivitySummary dateComponents=\"2024-03-10\" activeEnergyBurned=\"400\"/>",
            "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"H\" \(at)>",
            "<SensitivityPoint frequencyValue=\"1000\" frequencyUnit=\"Hz\" "
                + "leftEarValue=\"15\" leftEarUnit=\"dBHL\"/>", "</Audiogram>",
            "<VisionPrescription type=\"HKVisionPrescriptionTypeIdentifierGlasses\" "
                + "dateIssued=\"2024-03-10 09:00:00 +0100\">",
            "<RightEye sphere=\"-1.5\" sphereUnit=\"D\"/>", "</VisionPrescription>",
            "<ClinicalRecord type=\"HKClinicalTypeIdentifierLabResultRecord\" "
                + "identifier=\"C\" sourceName=\"K\" fhirVersion=\"4.0.1\" "
                + "receivedDate=\"2024-03-10 09:00:00 +0100\"/>",
            "<StateOfMind valence=\"0.5\">", "<Label>", "</Label>", "</StateOfMind>",
            "</HealthData>",
        ])

    var tags: [String]

    /// Returns the file, dated noon of a day in May 2024.
    func text(day: Int) -> String {
        let number = day < 10 ? "0\(day)" : "\(day)"
        return tags.joined(separator: "\n")
            .replacing("DATE", with: "2024-05-\(number) 12:00:00 +0200") + "\n"
    }

    /// The indices of start and end tags, except those of the root.
    var pairedTags: [Int] {
        tags.indices.dropFirst().dropLast().filter { !tags[$0].hasSuffix("/>") }
    }

    mutating func damage(using random: inout some RandomNumberGenerator) {
        guard let index = tags.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: tags.remove(at: index)
        case 2: tags.insert(tags[index], at: tags.indices.randomElement(using: &random) ?? 0)
        case 3: tags.swapAt(index, tags.indices.randomElement(using: &random) ?? 0)
        case 4: replaceNumber(at: index, using: &random)
        case 5: replaceValue(at: index, using: &random)
        case 6: nest(at: index, using: &random)
        case 7: tags[index] = tags[index].replacing("/>", with: ">")
        case 8: tags[index] = String(tags[index].prefix(Int.random(in: 0..<40, using: &random)))
        default: tags.removeSubrange(index..<min(tags.count, index + 3))
        }
    }

    private mutating func replaceNumber(
        at index: Int, using random: inout some RandomNumberGenerator
    ) {
        let numbers = [
            "1e308", "-1e308", "9e999", "nan", "-0", "1e-320", String(repeating: "9", count: 400),
            "0x1p3", "", "9223372036854775808", "٣", "1.7976931348623157e308",
        ]
        let number = numbers.randomElement(using: &random) ?? ""
        let digits = tags[index].indices.filter { tags[index][$0].isNumber }
        guard let place = digits.randomElement(using: &random) else { return }
        let rest = tags[index][place...].drop { $0.isNumber }
        tags[index] = tags[index][..<place] + number + rest
    }

    private mutating func replaceValue(
        at index: Int, using random: inout some RandomNumberGenerator
    ) {
        var parts = tags[index].split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return }
        let values = [
            "", "UTC", "Etc/GMT+99", "-", "<", "&#0;", "\u{1}", "2024-03-10 09:00:00 +1800",
            "9999-12-31 23:59:59 -1800", "HKCategoryValueNotApplicable", "HKQuantityTypeIdentifier",
            String(repeating: "x", count: 1 << Int.random(in: 1...19, using: &random)),
        ]
        let place = 1 + 2 * Int.random(in: 0..<parts.count / 2, using: &random)
        parts[place] = Substring(values.randomElement(using: &random) ?? "")
        tags[index] = parts.joined(separator: "\"")
    }

    private mutating func nest(at index: Int, using random: inout some RandomNumberGenerator) {
        let names = [
            "Record", "Correlation", "Workout", "Halo", "MetadataEntry", "WorkoutActivity",
        ]
        let name = names.randomElement(using: &random) ?? "Halo"
        let depth = 1 << Int.random(in: 0...10, using: &random)
        tags.insert(contentsOf: Array(repeating: "<\(name)>", count: depth), at: index)
        if Bool.random(using: &random) {
            let end = Int.random(in: index + depth...tags.count, using: &random)
            tags.insert(contentsOf: Array(repeating: "</\(name)>", count: depth), at: end)
        }
    }
}
