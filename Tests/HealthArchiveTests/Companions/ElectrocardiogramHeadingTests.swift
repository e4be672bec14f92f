import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// The classification of an electrocardiogram that an import has kept.
@Suite struct ElectrocardiogramHeadingTests {
    private func classification(_ text: String) -> String? {
        ElectrocardiogramHeading(Array(text.utf8)).classification
    }

    @Test("the classification is the value of the second line, in any language")
    func position() {
        let date = "Recorded Date,2026-05-30 16:32:18 -0700\n"
        #expect(classification(date + "Classification,Sinus Rhythm\nSymptoms,\n") == "Sinus Rhythm")
        #expect(classification(date + "Klassifizierung,\"Sinusrhythmus\"\r\n\n") == "Sinusrhythmus")
        #expect(classification(date + "分類,洞調律\n") == "洞調律")
        #expect(
            classification(date + "Classification,Inconclusive, Heart Rate Over 120\n")
                == "Inconclusive, Heart Rate Over 120")
    }

    @Test("a missing, empty, incomplete, long or undecodable line gives no classification")
    func invalid() {
        let date = "Recorded Date,2026-05-30 16:32:18 -0700\n"
        for text in [
            "", date, date + "Classification,Sinus Rh", date + "Classification\n",
            date + "Classification, \" \" \n",
            date + "Classification," + String(repeating: "x", count: 101) + "\n",
        ] {
            #expect(classification(text) == nil, "\(text)")
        }
        let bytes = Array((date + "Classification,").utf8) + [0xFF, 0x0A]
        #expect(ElectrocardiogramHeading(bytes).classification == nil)
    }

    @Test("the beginnings of kept files are found by their time, without their voltages")
    func stored() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        func file(_ date: String, _ classification: String) -> String {
            "Name,Jane Doe\nDate of Birth,\"Jan 8, 2002\"\nRecorded Date,\(date)\n"
                + "Classification,\(classification)\n\n"
                + String(repeating: "-265.868\n", count: 10_000)
        }
        let entries = [
            CraftedZip.Entry(
                "apple_health_export/export.xml",
                "<HealthData><ExportDate value=\"2026-06-01 10:00:00 +0200\"/></HealthData>"),
            CraftedZip.Entry(
                "apple_health_export/electrocardiograms/b.csv",
                file("2026-05-30 16:32:18 -0700", "Sinus Rhythm")),
            CraftedZip.Entry(
                "apple_health_export/electrocardiograms/a.csv",
                file("2026-05-31 16:32:18 -0700", "Atrial Fibrillation")),
        ]
        let path = try folder.write("export.zip", CraftedZip(entries).bytes)
        _ = try ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        let reading = try SampleStore(at: store, access: .reading)
        let first = 801_876_738.0
        let all = try reading.electrocardiograms(from: first, to: first + 200_000)
        #expect(all.map(\.recorded) == [first, first + 86_400])
        #expect(
            all.map { ElectrocardiogramHeading($0.bytes).classification }
                == ["Sinus Rhythm", "Atrial Fibrillation"])
        #expect(all.allSatisfy { $0.bytes.count == SampleStore.electrocardiogramHeadLength })
        #expect(try reading.electrocardiograms(from: first + 1, to: first + 86_400).isEmpty)
    }
}
