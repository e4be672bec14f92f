import Foundation
import HealthTesting

/// An export generated from a seed, with every element of the format that doesn't come from a
/// program.
struct SyntheticPerson {
    private(set) var elements: [String] = []
    /// The files by their path in the export.
    private(set) var files: [(String, String)] = []
    private var random: SeededRandom
    /// The export's date, in seconds since 2001.
    private var exported = 720_000_000

    private static let first = 700_000_000
    private static let sources = [
        ("Watch", "Watch6,1"), ("Anna’s “iPhone”, 2\n🏃", "iPhone14,2"), ("App ]]> & Co", nil),
    ]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for _ in 0..<40 { addRecord() }
        for _ in 0..<3 { addPressure() }
        for number in 0..<Int.random(in: 1...4, using: &random) { addWorkout(number) }
        for day in 0..<3 { addRings(day) }
        addRawElements()
        elements.shuffle(using: &random)
    }

    /// Returns the same person's export a day later, without some of the records.
    func nextDayExport(omitting count: Int) -> SyntheticPerson {
        var later = self
        later.exported += 86_400
        let records = elements.indices.filter { elements[$0].hasPrefix("<Record ") }
        for index in records.prefix(count).reversed() { later.elements.remove(at: index) }
        return later
    }

    var xml: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="de_DE">
         <ExportDate value="\(date(exported))"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-03-01" \
        HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
        HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive" \
        HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
        HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>
        \(elements.joined(separator: "\n"))
        </HealthData>

        """
    }

    var zip: [UInt8] {
        let entries =
            [CraftedZip.Entry("apple_health_export/export.xml", xml)]
            + files.map { CraftedZip.Entry("apple_health_export/" + $0.0, $0.1) }
        return CraftedZip(entries).bytes
    }

    // MARK: - Elements

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    /// Returns a time within three days, on a grid so that samples overlap and touch.
    private mutating func moment() -> Int {
        SyntheticPerson.first + 300 * Int.random(in: 0..<864, using: &random)
    }

    private func date(_ seconds: Int, zone: String = " +0100") -> String {
        let parts = Calendar.gregorianUTC.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSinceReferenceDate: Double(seconds + (zone == "Z" ? 0 : 3600))))
        func two(_ number: Int?) -> String { String(String(100 + (number ?? 0)).dropFirst()) }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
            + (zone == "Z" ? "T" : " ")
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))\(zone)"
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            "&<>\"\n".unicodeScalars.contains(scalar)
                ? "&#\(scalar.value);" : String(Character(scalar))
        }.joined()
    }

    private mutating func provenance(_ start: Int, _ end: Int) -> String {
        let (name, hardware) =
            SyntheticPerson.sources.randomElement(using: &random) ?? ("Watch", nil)
        let device = hardware.map {
            " device=\"&lt;&lt;HKDevice: 0x2801&gt;, name:Device, manufacturer:Apple Inc., "
                + "hardware:\($0), software:10.1&gt;\""
        }
        return "sourceName=\"\(escaped(name))\" sourceVersion=\"10.1\"\(device ?? "") "
            + "creationDate=\"\(date(end + 60))\" startDate=\"\(date(start))\" "
            + "endDate=\"\(date(end))\""
    }

    private mutating func metadata() -> String {
        let entries = [
            "<MetadataEntry key=\"HKTimeZone\" value=\"Europe/Berlin\"/>",
            "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>",
            "<MetadataEntry key=\"HKWeatherTemperature\" value=\"47.5 degF\"/>",
            "<MetadataEntry key=\"note &quot;x&quot;\" value=\"\(escaped("]]> a\nb 🥾 'q', <"))\"/>",
        ]
        return entries.filter { _ in Bool.random(using: &random) }.joined()
    }

    private mutating func element(_ name: String, _ attributes: String, _ content: String) -> String
    {
        content.isEmpty ? "<\(name) \(attributes)/>" : "<\(name) \(attributes)>\(content)</\(name)>"
    }

    private mutating func addRecord() {
        let kinds = [
            ("HKQuantityTypeIdentifierStepCount", "count", 600),
            ("HKQuantityTypeIdentifierDistanceWalkingRunning", chance(2) ? "km" : "mi", 900),
            ("HKQuantityTypeIdentifierHeartRate", "count/min", 0),
            ("HKQuantityTypeIdentifierBodyMass", chance(2) ? "kg" : "lb", 0),
            ("HKQuantityTypeIdentifierMoonlight", "count", 300),
            ("HKCategoryTypeIdentifierSleepAnalysis", "", 5400),
            ("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms", 60),
        ]
        let (type, unit, length) = kinds.randomElement(using: &random) ?? kinds[0]
        let start = moment()
        var attributes = "type=\"\(type)\" \(provenance(start, start + length))"
        var content = chance(2) ? metadata() : ""
        if unit.isEmpty {
            let stage = ["InBed", "AsleepREM", "Awake", "AsleepCore", "Dreaming"]
                .randomElement(using: &random)
            attributes += " value=\"HKCategoryValueSleepAnalysis\(stage ?? "")\""
        } else {
            let value = Double(Int.random(in: 1...2000, using: &random)) / 8
            attributes += " unit=\"\(unit)\" value=\"\(value)\""
        }
        if type.hasSuffix("SDNN") {
            content +=
                "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"61\" "
                + "time=\"7:47:41.86 AM\"/></HeartRateVariabilityMetadataList>"
        }
        let record = element("Record", attributes, content)
        elements += chance(8) ? [record, record] : [record]
    }

    /// Adds blood pressures as Apple writes them: members at the top level, and again inside the
    /// correlation.
    private mutating func addPressure() {
        let start = moment() + Int.random(in: 1..<300, using: &random)
        let shared = provenance(start, start)
        let members = [("Systolic", 120), ("Diastolic", 80)].map { name, value in
            "<Record type=\"HKQuantityTypeIdentifierBloodPressure\(name)\" \(shared) "
                + "unit=\"mmHg\" value=\"\(value)\"/>"
        }
        elements += members
        elements.append(
            element(
                "Correlation", "type=\"HKCorrelationTypeIdentifierBloodPressure\" \(shared)",
                metadata() + members.joined()))
    }

    private mutating func addWorkout(_ number: Int) {
        let start = SyntheticPerson.first + 20_000 * number
        let end = start + 3600
        var content = metadata()
        content += "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"\(date(start + 600))\"/>"
        if chance(2) {
            content +=
                "<WorkoutActivity uuid=\"5F0C1A2B-0000-4000-8000-00000000000\(number)\" "
                + "startDate=\"\(date(start))\" endDate=\"\(date(end))\" duration=\"60\" "
                + "durationUnit=\"min\"/>"
        }
        content +=
            "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" "
            + "startDate=\"\(date(start))\" endDate=\"\(date(end))\" sum=\"8.25\" unit=\"km\"/>"
        if chance(3) { content += "<Rainbow colours=\"7\"/>" }
        for part in 0..<Int.random(in: 0...3, using: &random) {
            content += route(start + 900 * part, name: "route_\(number)_\(part).gpx")
        }
        elements.append(
            element(
                "Workout",
                "workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"57.5\" "
                    + "durationUnit=\"min\" \(provenance(start, end))", content))
    }

    /// Returns a route, usually with its file, sometimes without it or with its points inline.
    private mutating func route(_ start: Int, name: String) -> String {
        let end = start + 899
        var content = metadata()
        let places = (0..<Int.random(in: 1...20, using: &random)).map { step in
            (start + step * 7, 48 + Double(step) / 8192, 11.5 - Double(step) / 4096)
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            content += places.map { time, latitude, longitude in
                "<Location date=\"\(date(time))\" latitude=\"\(latitude)\" "
                    + "longitude=\"\(longitude)\" altitude=\"500.5\" horizontalAccuracy=\"5\" "
                    + "verticalAccuracy=\"4\" course=\"90\" speed=\"3\"/>"
            }.joined()
        case 1: content += "<FileReference path=\"/workout-routes/lost_\(name)\"/>"
        default:
            content += "<FileReference path=\"/workout-routes/\(name)\"/>"
            let points = places.map { time, latitude, longitude in
                "<trkpt lon=\"\(longitude)\" lat=\"\(latitude)\"><ele>520.125</ele>"
                    + "<time>\(date(time, zone: "Z"))</time><extensions><speed>2.75</speed>"
                    + "<course>-1</course><hAcc>3.5</hAcc><vAcc>2</vAcc></extensions></trkpt>"
            }
            files.append(
                (
                    "workout-routes/\(name)",
                    "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
                ))
        }
        return element("WorkoutRoute", provenance(start, end), content)
    }

    private mutating func addRings(_ day: Int) {
        elements.append(
            "<ActivitySummary dateComponents=\"2023-03-1\(day)\" activeEnergyBurned=\"412.5\" "
                + "activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"kcal\" "
                + "appleExerciseTime=\"\(day * 7)\" appleExerciseTimeGoal=\"30\" "
                + "appleStandHours=\"11\" appleStandHoursGoal=\"12\"/>")
    }

    /// Adds elements that aren't parsed yet, invalid elements, and files.
    private mutating func addRawElements() {
        elements += [
            "<ClinicalRecord type=\"Observation\" identifier=\"1\" sourceName=\"Clinic\" "
                + "resourceFilePath=\"/clinical-records/Observation-1.json\"/>",
            "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"H\" "
                + "startDate=\"\(date(moment()))\" endDate=\"\(date(moment()))\">"
                + "<SensitivityPoint frequencyValue=\"250\" frequencyUnit=\"Hz\"/></Audiogram>",
            "<Tomorrow a=\"1 &amp; 2\"><Part/>text ]]&gt; more</Tomorrow>",
            "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Watch\" "
                + "unit=\"count\" startDate=\"\(date(700_000_100))\" "
                + "endDate=\"\(date(700_000_000))\" value=\"5\"/>",
        ]
        for number in 0..<Int.random(in: 0...3, using: &random) {
            let recorded = date(700_000_000 + 5000 * number)
            files.append(
                (
                    "electrocardiograms/ecg_2023-03-0\(number).csv",
                    "Name,Jane Doe\nDate of Birth,\"Jan 8, 2002\"\nRecorded Date,\(recorded)\n"
                        + "Classification,Sinus Rhythm\n\nLead,Lead I\n\n-265.868\n\(number).5\n"
                ))
        }
        files.append(("clinical-records/Observation-1.json", "{\"resourceType\":\"Observation\"}"))
        files.append(
            ("attachments/eye glass’.pdf", "%PDF-1.4 \(Int.random(in: 0..<9, using: &random))"))
    }
}

extension Calendar {
    fileprivate static let gregorianUTC: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
