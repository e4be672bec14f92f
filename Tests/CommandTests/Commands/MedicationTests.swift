import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Medication doses in `samples`, `export` and `import`.
@Suite(.inTestAll) struct MedicationTests {
    /// A store with a sample of an export, two doses of one medication and one of another.
    private let person: HandMadeExport

    init() throws {
        person = try HandMadeExport(
            [
                HandMadeExport.record(
                    "HKQuantityTypeIdentifierStepCount", "12", source: "Watch",
                    from: "2024-03-10 09:00:00 +0100", to: "2024-03-10 09:10:00 +0100",
                    unit: "count")
            ], zone: "Europe/Berlin")
        let store = try SampleStore(at: person.path, access: .writing)
        let aspirin = Medication(
            displayText: "Aspirin 100 mg", generalForm: "tablet", nickname: "Heart pill")
        try store.setMedications([aspirin])
        var batch = SampleBatch(
            sources: [Source(name: "Health", bundleIdentifier: "com.apple.Health")],
            origins: [Origin(source: 0)])
        let type = try store.type(named: "medicationDoseEvent")
        let doses = [
            MedicationDose(
                medication: aspirin.identifier, scheduleType: 2, status: 4, unit: "mg",
                amount: 100, scheduled: 731_750_400),
            MedicationDose(medication: aspirin.identifier, status: 5),
            MedicationDose(medication: Medication(displayText: "Gone").identifier, status: nil),
        ]
        for (index, dose) in doses.enumerated() {
            let start = 731_750_400 + Double(index) * 3_600
            batch.samples.append(Sample(type: type.code, origin: 0, start: start, end: start))
            batch.details[index] = .medicationDose(dose)
        }
        let uuids = doses.indices.map { SampleUUID(high: 0x4000, low: UInt64($0 + 1)) }
        try store.save(batch, uuids: uuids, at: 731_750_400)
        try store.close()
    }

    @Test("the list of doses has medication, status and amount")
    func listing() throws {
        let table = try person.run(["samples", "medicationDoseEvent"])
        #expect(table.output.contains("Heart pill, taken: 100  mg"))
        #expect(table.output.contains("Heart pill, skipped"))
        let json = try person.run(["samples", "medicationDoseEvent", "--json"])
        let samples = try #require(json.object?["samples"] as? [[String: Any]])
        #expect(samples.map { $0["valueName"] as? String } == ["taken", "skipped", nil])
        #expect(samples.map { $0["value"] as? Double } == [100, nil, nil])
        #expect(
            samples.map { $0["medication"] as? String } == ["Heart pill", "Heart pill", nil])
        let csv = try person.run(["samples", "medicationDoseEvent", "--csv"])
        let lines = csv.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.contains("value,valueName,medication,unit,source") == true)
        #expect(lines.dropFirst().first?.contains(",100.0,taken,Heart pill,mg,Health,") == true)
    }

    @Test("JSON lines have the medications, and an import brings them back")
    func lines() throws {
        let file = person.folder.path + "/export.jsonl"
        let export = try person.run(["export", "--format", "jsonl", "--out", file])
        #expect(export.errors.contains("4 samples of 2 types and 1 medication"))
        #expect(try person.export("jsonl", ["medicationDoseEvent"]).contains("Aspirin 100 mg"))
        #expect(try !person.export("jsonl", ["stepCount"]).contains("Aspirin 100 mg"))
        let copy = person.folder.path + "/copy.sqlite"
        let result = try person.run(["import", file, "--store", copy, "--json"])
        #expect(result.object?["newMedications"] as? Int == 1)
        let store = try SampleStore(at: copy, access: .reading)
        #expect(try store.medications().map(\.nickname) == ["Heart pill"])
    }

    @Test("what other formats can't hold is said")
    func notHeld() throws {
        for format in ["csv", "sqlite", "apple"] {
            let file = person.folder.path + "/export.\(format)"
            let run = try person.run(["export", "--format", format, "--out", file])
            #expect(run.errors.contains("1 medications"), "\(format): \(run.errors)")
            #expect(run.errors.contains("use jsonl"), "\(format)")
        }
        let file = person.folder.path + "/counted.zip"
        let apple = try person.run(["export", "--format", "apple", "--out", file])
        #expect(apple.errors.contains("3 samples that have no element in the format; omitted"))
    }
}
