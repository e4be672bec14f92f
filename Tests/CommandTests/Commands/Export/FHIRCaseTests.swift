import Foundation
import HealthTesting
import Testing

/// `openhealth export --format fhir` of handwritten records.
@Suite(.inTestAll, .validatedAsFHIR) struct FHIRCaseTests {
    private static let quantity = "HKQuantityTypeIdentifier"

    /// A record at 8:00 on a day, in Berlin's winter.
    private static func reading(
        _ type: String, _ value: String, _ unit: String?, day: Int = 10, source: String = "Scale"
    ) -> String {
        let at = String(format: "2024-01-%02d 08:00:00 +0100", day)
        return HandMadeExport.record(
            quantity + type, value, source: source, from: at, to: at, unit: unit)
    }

    private static func pressure(_ members: [String], day: Int) -> String {
        let at = String(format: "2024-01-%02d 08:00:00 +0100", day)
        return "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"Cuff\""
            + " creationDate=\"\(at)\" startDate=\"\(at)\" endDate=\"\(at)\">"
            + members.joined() + "</Correlation>"
    }

    private static func validation(
        _ elements: [String], _ options: [String] = []
    ) throws -> (FHIRValidation, CommandRun) {
        let store = try HandMadeExport(elements, zone: "Europe/Berlin")
        let path = store.folder.path + "/out.json"
        let run = try store.run(
            ["export", "--format", "fhir", "--out", path, "--json"] + options)
        #expect(run.status == 0, "\(run.errors)")
        return (try FHIRValidation(path), run)
    }

    /// Returns the value and the UCUM code of a quantity.
    private static func value(_ holder: [String: Any]?) -> String {
        let quantity = holder?["valueQuantity"] as? [String: Any]
        guard let value = quantity?["value"] as? Double else { return "none" }
        return "\(value) \(quantity?["code"] as? String ?? "without a code")"
    }

    @Test("values have the unit of their type's code, whatever the recorded one")
    func units() throws {
        let cases: [(type: String, value: String, unit: String, expected: String)] = [
            ("HeartRate", "61", "count/min", "61.0 /min"),
            ("RespiratoryRate", "0.25", "count/s", "15.0 /min"),
            ("OxygenSaturation", "0.57", "%", "57.0 %"),
            ("BodyTemperature", "98.6", "degF", "37.0 Cel"),
            ("BodyMass", "150", "lb", "68.0388555 kg"),
            ("Height", "1.83", "m", "183.0 cm"),
            ("BodyMassIndex", "23.5", "count", "23.5 kg/m2"),
            ("BloodGlucose", "5", "mmol<180.1558800000541>/L", "90.07794000002706 mg/dL"),
            ("VO2Max", "44", "mL/min·kg", "44.0 mL/kg/min"),
            ("WaistCircumference", "32", "in", "81.28 cm"),
            ("RestingHeartRate", "52", "count/min", "52.0 /min"),
            ("EnvironmentalAudioExposure", "71", "dBASPL", "71.0 dB[SPL]"),
        ]
        let (validation, run) = try Self.validation(
            cases.map { Self.reading($0.type, $0.value, $0.unit) })
        #expect(validation.problems == [])
        for name in ["heartrate", "resprate", "oxygensat", "bodytemp", "bodyheight", "bodyweight"] {
            #expect(validation.checks["\(name).valueQuantity.code is fixed"] == 1, "\(name)")
        }
        #expect(validation.checks["bmi.code 39156-5"] == 1)
        #expect(validation.checks["oxygensat.code 2708-6"] == 1)
        #expect(validation.checks["oxygensat.code 59408-5"] == 1)
        for item in cases {
            let found = validation.observations(of: Self.quantity + item.type)
            #expect(found.count == 1 && Self.value(found.first) == item.expected, "\(item.type)")
            #expect(found.first?["effectiveDateTime"] as? String == "2024-01-10T08:00:00+01:00")
        }
        let missing = try #require(run.object?["notMapped"] as? [[String: Any]])
        #expect(
            missing.first?["names"] as? [String] == ["environmentalAudioExposure", "vo2Max"])
        #expect(missing.count == 1)
    }

    @Test("a blood pressure is a panel of two components, and a missing part has a reason")
    func bloodPressure() throws {
        let (validation, _) = try Self.validation([
            Self.pressure(
                [
                    Self.reading("BloodPressureSystolic", "121", "mmHg", source: "Cuff"),
                    Self.reading("BloodPressureDiastolic", "79", "mmHg", source: "Cuff"),
                ], day: 10),
            Self.pressure(
                [Self.reading("BloodPressureSystolic", "130", "mmHg", day: 11, source: "Cuff")],
                day: 11),
            Self.reading("BloodPressureSystolic", "140", "mmHg", day: 12, source: "Cuff"),
        ])
        #expect(validation.problems == [])
        #expect(validation.checks["bp.component 8462-4"] == 2)
        let panels = validation.observations(of: "HKCorrelationTypeIdentifierBloodPressure")
        let parts = panels.map { $0["component"] as? [[String: Any]] ?? [] }
        #expect(
            parts.map { $0.map(Self.value) } == [
                ["121.0 mm[Hg]", "79.0 mm[Hg]"], ["130.0 mm[Hg]", "none"],
            ])
        let alone = validation.observations(of: Self.quantity + "BloodPressureSystolic")
        #expect(alone.map(Self.value) == ["140.0 mm[Hg]"])
    }

    @Test("values without a fitting unit have no LOINC code, and unknown types HealthKit's name")
    func unknown() throws {
        let (validation, run) = try Self.validation([
            Self.reading("HeartRate", "61", "kg"), Self.reading("Moonlight", "3", "furlong"),
            Self.reading("BodyMass", "70", nil),
        ])
        #expect(validation.problems == [])
        let heart = validation.observations(of: Self.quantity + "HeartRate")
        #expect(heart.map(Self.value) == ["61.0 kg"] && heart.first?["category"] == nil)
        let moon = validation.observations(of: Self.quantity + "Moonlight")
        #expect(moon.map(Self.value) == ["3.0 without a code"])
        let missing = try #require(run.object?["notMapped"] as? [[String: Any]])
        let units = try #require(missing.first { $0["what"] as? String == "units" })
        #expect((units["names"] as? [String])?.contains("furlong") == true)
        let text = String(describing: validation.observations)
        #expect(!text.contains("loinc"))
    }

    @Test("a day's steps of two devices are merged, and the Provenance says from what")
    func merged() throws {
        func walk(_ source: String, _ count: String, _ from: String, _ to: String) -> String {
            HandMadeExport.record(
                Self.quantity + "StepCount", count, source: source,
                from: "2024-03-31 \(from):00 +0200", to: "2024-03-31 \(to):00 +0200", unit: "count")
        }
        let (validation, _) = try Self.validation([
            walk("Watch", "1000", "09:00", "10:00"), walk("Phone", "900", "09:00", "10:00"),
            walk("Phone", "300", "12:00", "12:30"), walk("Watch", "200", "14:00", "14:30"),
        ])
        #expect(validation.problems == [])
        // The day has 23 hours. FHIR's end is inclusive.
        let day = try #require(validation.observations.first)
        let period = try #require(day["effectivePeriod"] as? [String: String])
        #expect(period["start"] == "2024-03-31T00:00:00+01:00")
        #expect(period["end"] == "2024-03-31T23:59:59.999+02:00")
        let total = try #require((day["valueQuantity"] as? [String: Any])?["value"] as? Double)
        let shares = try #require(validation.object["provenance"] as? [[String]])
        let numbers = try #require(shares.first).compactMap { text in
            text.split(separator: " ").dropLast().last.flatMap { Double($0) }
        }
        #expect(numbers.count == 2 && numbers.reduce(0, +) == total && total < 2400)
        #expect(shares.first?.contains { $0.hasPrefix("Watch: ") } == true)
    }

    @Test("the patient is anonymous without --characteristics")
    func patient() throws {
        let me = [
            "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1984-02-29\""
                + " HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\""
                + " HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeAPositive\""
                + " HKCharacteristicTypeIdentifierFitzpatrickSkinType="
                + "\"HKFitzpatrickSkinTypeNotSet\"/>"
        ]
        let (anonymous, _) = try Self.validation(me)
        #expect(Set(anonymous.patient.keys) == ["resourceType", "id", "identifier"])
        let (known, run) = try Self.validation(me, ["--characteristics"])
        #expect(known.problems == [])
        #expect(known.patient["birthDate"] as? String == "1984-02-29")
        #expect(known.patient["gender"] as? String == "female")
        let losses = try #require(run.object?["notHeld"] as? [[String: Any]])
        #expect(losses.map { $0["names"] as? [String] } == [["BloodType"]])
    }

    @Test("an electrocardiogram is SampledData in microvolts")
    func electrocardiogram() throws {
        let folder = try TemporaryFolder()
        let export = folder.path + "/apple_health_export"
        try FileManager.default.createDirectory(
            atPath: export + "/electrocardiograms", withIntermediateDirectories: true)
        try Data(
            "<HealthData locale=\"de_DE\"><ExportDate value=\"2024-07-01 12:00:00 +0000\"/></HealthData>"
                .utf8
        ).write(to: URL(fileURLWithPath: export + "/export.xml"))
        let voltages = (0..<512).map { "\(Double($0) / 4 - 100)" }
        let file =
            "Name,Anna\nDate of Birth,\"1 Jan 1980\"\nRecorded Date,2024-01-10 08:00:00 +0100\n"
            + "Classification,Sinus Rhythm\nSymptoms,\nSoftware Version,1.90\nDevice,\"Watch6,1\"\n"
            + "Sample Rate,512 hertz\n\n\nLead,Lead I\nUnit,µV\n\n"
            + voltages.joined(separator: "\n") + "\n"
        try Data(file.utf8).write(
            to: URL(fileURLWithPath: export + "/electrocardiograms/ecg_2024-01-10.csv"))
        let store = folder.path + "/health.sqlite"
        let imported = try CommandRun(
            ["import", export, "--time-zone", "Europe/Berlin"], store: store)
        #expect(imported.status == 0, "\(imported.errors)")
        let path = folder.path + "/out.json"
        let run = try CommandRun(
            ["export", "--format", "fhir", "--out", path, "--json"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        let validation = try FHIRValidation(path)
        #expect(validation.problems == [])
        let found = try #require(validation.object["electrocardiograms"] as? [[String: Any]])
        #expect(found.count == 1 && found.first?["count"] as? Int == 512)
        #expect(found.first?["first"] as? String == "-100")
        #expect(found.first?["period"] as? Double == 1.953125)
        #expect(found.first?["text"] as? String == "Sinus Rhythm")
        #expect(run.object?["notHeld"] as? [[String: String]] == [])
    }

    @Test("hostile names and dates don't make the export invalid")
    func hostile() throws {
        let (validation, _) = try Self.validation(
            [
                HandMadeExport.record(
                    "HKQuantityTypeIdentifier&#10; x", "1", source: " &#9;",
                    from:
                        "2024-01-10 08:00:00 +0100", to: "2024-01-10 08:00:00 +0100", unit: " "),
                HandMadeExport.record(
                    Self.quantity + "StepCount", "1", source: "\u{202E}&quot;",
                    from:
                        "0001-01-01 00:00:00 +0000", to: "0001-01-01 00:00:00 +0000", unit: "count"),
                HandMadeExport.record(
                    Self.quantity + "BodyMass", "NaN", source: "",
                    from:
                        "9999-12-31 23:59:59 -1200", to: "9999-12-31 23:59:59 -1200", unit: "kg"),
            ])
        #expect(validation.problems == [])
    }
}
