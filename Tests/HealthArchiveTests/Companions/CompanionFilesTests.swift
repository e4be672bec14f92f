import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Electrocardiograms, clinical records and attachments beside an export")
struct CompanionFilesTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private static let english = """
        Name,Jane Doe
        Date of Birth,"Jan 8, 2002"
        Recorded Date,2026-05-30 16:32:18 -0700
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch7,12"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV

        -265.868
        12.5

        """
    private static let german = """
        \u{FEFF}Name
        Geburtstag,"08.01.2002"
        Aufzeichnungsdatum,2026-05-31 01:32:18 +0200
        Klassifizierung,Sinusrhythmus
        Symptome,
        Softwareversion,"1,90"
        Gerät,"Watch7,12"
        Messrate,"511,562\u{A0}Hertz"


        Ableitung,Ableitung I
        Einheit,µV

        -265,868
        12,5

        """

    private func importExport(_ files: [(String, String)]) throws -> ImportReport {
        let xml = "<HealthData><ExportDate value=\"2026-06-01 10:00:00 +0200\"/></HealthData>"
        let entries =
            [CraftedZip.Entry("apple_health_export/export.xml", xml)]
            + files.map { CraftedZip.Entry("apple_health_export/" + $0.0, $0.1) }
        let path = try folder.write("export.zip", CraftedZip(entries).bytes)
        return try ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
    }

    private func rows() throws -> [String] {
        let queue = try DatabaseQueue(path: store)
        return try queue.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT kind || ' ' || name || ' ' || ifnull(recorded, '-') FROM export_file "
                    + "ORDER BY id")
        }
    }

    @Test("an electrocardiogram is kept from its date on, and nothing of the person is in the file")
    func privacy() throws {
        let report = try importExport([("electrocardiograms/ecg_2026-05-30.csv", Self.english)])
        #expect(report.files.new == ["electrocardiogram": 1] && report.companions.isEmpty)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
        #expect(bytes.range(of: Data("Sinus Rhythm".utf8)) != nil)
        #expect(bytes.range(of: Data("Jane".utf8)) == nil)
        #expect(bytes.range(of: Data("2002".utf8)) == nil)
    }

    @Test("the same recording in another language and time zone is the same one")
    func languages() throws {
        _ = try importExport([("electrocardiograms/ecg_2026-05-30.csv", Self.english)])
        let report = try importExport([("electrocardiograms/ecg_2026-05-31.csv", Self.german)])
        #expect(report.files.new == [:] && report.files.known == ["electrocardiogram": 1])
        #expect(
            try rows() == ["electrocardiogram electrocardiograms/ecg_2026-05-30.csv 801876738.0"])
    }

    @Test(
        "a file that isn't shaped like an electrocardiogram is not kept, and named",
        arguments: [
            ("", "the recorded date is missing"),
            (
                "Recorded Date,2026-05-30 16:32:18 -0700\nName,Jane Doe\n1\n",
                "the recorded date is missing"
            ),
            ("Name,Jane\nBorn,2002\nDate,2026-05-30 16:32:18 -0700\nUnit,V\n", "no voltages"),
            (
                "Name,Jane\nBorn,2002\nDate,2026-05-30 16:32:18 -0700\nBy,Dr Jane\n1\n",
                "the heading identifies the person"
            ),
        ])
    func otherShapes(text: String, reason: String) throws {
        let report = try importExport([("electrocardiograms/ecg.csv", text)])
        #expect(report.files.faults == [.init(file: "electrocardiograms/ecg.csv", reason: reason)])
        #expect(try rows().isEmpty)
    }

    @Test("clinical records and attachments are kept once; other contents are kept beside")
    func records() throws {
        let record = ("clinical-records/Observation-1.json", "{\"a\":1}")
        let first = try importExport([record, ("attachments/1/scan.pdf", "%PDF")])
        #expect(first.files.new == ["clinicalRecord": 1, "attachment": 1])
        let second = try importExport([record, ("attachments/1/scan.pdf", "%PDF-2")])
        #expect(second.files.known == ["clinicalRecord": 1])
        #expect(second.files.new == ["attachment": 1])
        #expect(
            try rows() == [
                "attachment attachments/1/scan.pdf -",
                "clinicalRecord clinical-records/Observation-1.json -",
                "attachment attachments/1/scan.pdf -",
            ])
    }

    @Test("the clinical document is recognized by content; other files are counted by folder")
    func clinicalDocument() throws {
        let report = try importExport([
            ("导出_cda.xml", "<?xml version=\"1.0\"?><ClinicalDocument/>"),
            ("novelties/a.bin", "x"), ("notes.xml", "<notes/>"),
        ])
        #expect(report.files.clinicalDocuments == 1)
        #expect(report.companions == ["novelties": 1, "notes.xml": 1])
        #expect(try rows().isEmpty)
    }
}
