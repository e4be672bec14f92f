import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthIntake
@testable import HealthStorage

/// Medications, doses, states of mind and questionnaires as JSON lines: written, and read again.
@Suite struct MedicationLinesTests {
    private let folder: TemporaryFolder
    private let store: SampleStore
    private static let calendar = CalendarBuckets(timeZone: .gmt)

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore(at: folder.path + "/a.sqlite", access: .creating)
    }

    private func save(_ details: [(type: String, detail: SampleDetail)]) throws {
        var batch = SampleBatch(
            sources: [Source(name: "Health", bundleIdentifier: "com.apple.Health")],
            origins: [Origin(source: 0)])
        for (index, entry) in details.enumerated() {
            let type = try #require(Catalogue.type(named: entry.type))
            batch.samples.append(
                Sample(type: type.code, origin: 0, start: 7e8 + Double(index), end: 7e8 + 100))
            batch.details[index] = entry.detail
        }
        let uuids = details.indices.map { SampleUUID(high: 0x4000, low: UInt64($0 + 1)) }
        try store.save(batch, uuids: uuids, at: 7e8)
    }

    private func lines(_ store: SampleStore) throws -> String {
        let lines = SampleLines(.jsonLines, Self.calendar)
        var text = ""
        try store.forEachExportedBatch(ExportSelection()) { text += lines.text($0) }
        return text + lines.text(medications: try store.medications())
    }

    private func imported(
        _ text: String, into name: String = "b.sqlite"
    ) throws -> (JSONLinesReport, SampleStore) {
        let path = folder.path + "/export.jsonl"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let target = folder.path + "/" + name
        let report = try JSONLinesImporter(path: path, store: target, now: 8e8).run()
        return (report, try SampleStore(at: target, access: .writing))
    }

    @Test("a store with all of them is equal after an export and an import")
    func roundTrip() throws {
        var aspirin = Medication(
            displayText: "Aspirin \"100\" mg", generalForm: "tablet",
            codings: [
                MedicationCoding(system: MedicationCoding.rxNorm, version: "2026", code: "1191"),
                MedicationCoding(system: MedicationCoding.snomedCT, code: "7947003"),
            ], nickname: "Heart")
        (aspirin.isArchived, aspirin.hasSchedule) = (false, true)
        try store.setMedications([aspirin, Medication(displayText: "Iron")])
        try save([
            (
                "medicationDoseEvent",
                .medicationDose(
                    MedicationDose(
                        medication: aspirin.identifier, scheduleType: 2, status: 4, unit: "mg",
                        amount: 100.5, scheduledAmount: 100, scheduled: 7e8 - 60.25))
            ),
            (
                "medicationDoseEvent",
                .medicationDose(MedicationDose(medication: aspirin.identifier, status: nil))
            ),
            ("GAD7", .numbers(["answers": [3, 2, 1, 0, 0, 1, 2]])),
            ("PHQ9", .numbers(["answers": [0, 0, 1, 1, 2, 2, 3, 3, 4]])),
            (
                "stateOfMind",
                .numbers([
                    "kind": [2], "valence": [-0.3], "labels": [3, 17], "associations": [],
                ])
            ),
        ])
        let text = try lines(store)
        #expect(text.contains(#""statusName":"taken""#))
        let (report, copy) = try imported(text)
        #expect(report.new == 5 && report.newMedications == 2 && report.rejected == 0)
        #expect(try lines(copy) == text)
        #expect(try copy.medications() == store.medications())
        #expect(try copy.check() == [])
        let (again, _) = try imported(text)
        #expect(again.new == 0 && again.medications == 2 && again.newMedications == 0)
        let medications = SampleLines(.jsonLines, Self.calendar)
            .text(medications: try store.medications())
        let (_, alone) = try imported(medications, into: "c.sqlite")
        #expect(try alone.medications().count == 2)
        try alone.undoImport(1)
        #expect(try alone.medications() == [])
    }

    @Test("lines with invalid medications and doses are rejected by field")
    func rejections() throws {
        func dose(_ fields: String, _ type: String = "HKMedicationDoseEventTypeIdentifier")
            -> String
        {
            let identifier =
                type == "HKMedicationDoseEventTypeIdentifier"
                ? type + "MedicationDoseEvent" : type
            return #"{"type":"\#(identifier)","uuid":"00000000-0000-4000-8000-000000000001","#
                + #""start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:00:00Z","#
                + #""detail":{"medicationDose":\#(fields)}}"#
        }
        let id = "0A0B0C0D-0000-4000-8000-0000000000AA"
        let (report, store) = try imported(
            [
                #"{"type":"medication","identifier":"x","displayText":"A"}"#,
                #"{"type":"medication","identifier":"\#(id)"}"#,
                #"{"type":"medication","identifier":"\#(id)","displayText":"A","codings":[{}]}"#,
                dose("1"), dose(#"{"status":4}"#), dose(#"{"medication":"\#(id)","unit":"%%"}"#),
                dose(#"{"medication":"\#(id)","scheduled":"noon"}"#),
                dose(#"{"medication":"\#(id)"}"#, "HKDataTypeStateOfMind"),
            ].joined(separator: "\n"))
        #expect(
            report.rejections.map(\.reason) == [
                "identifier", "displayText", "codings", "detail.medicationDose",
                "detail.medicationDose.medication", "detail.medicationDose.unit",
                "detail.medicationDose.scheduled", "detail",
            ])
        #expect(report.new == 0 && report.newMedications == 0)
        #expect(try store.medications() == [])
    }
}
