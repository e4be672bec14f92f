import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Electrocardiograms of an export as samples")
struct ElectrocardiogramImportTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// The file of an export, in three languages.
    private static func file(
        _ language: String, _ date: String, _ classification: String, _ microvolts: [Double]
    ) -> String {
        let labels =
            switch language {
            case "de": ["Aufzeichnungsdatum", "Klassifizierung", "Messrate"]
            case "ja": ["記録日", "分類", "サンプルレート"]
            default: ["Recorded Date", "Classification", "Sample Rate"]
            }
        let (rate, mark) =
            switch language {
            case "de": ("\"511,562\u{A0}Hertz\"", ",")
            case "ja": ("511.562ヘルツ", ".")
            default: ("511.562 hertz", ".")
            }
        let voltages = microvolts.map { "\($0)".replacing(".", with: mark) }
        return """
            Name,Jane Doe
            Born,"Jan 8, 2002"
            \(labels[0]),\(date)
            \(labels[1]),\(classification)
            Symptoms,
            Software Version,1.90
            Device,"Watch7,12"
            \(labels[2]),\(rate)


            Lead,I
            Unit,µV

            \(voltages.joined(separator: "\n"))

            """
    }

    private static let microvolts = (0..<15_360).map {
        (sin(Double($0) / 20) * 500_000).rounded() / 1_000
    }

    private func importExport(
        _ files: [String], records: String = "", day: Int = 1, into store: String? = nil
    ) throws -> ImportReport {
        let xml =
            "<HealthData><ExportDate value=\"2026-06-0\(day) 10:00:00 +0200\"/>"
            + records + "</HealthData>"
        var entries = [CraftedZip.Entry("apple_health_export/export.xml", xml)]
        for (index, file) in files.enumerated() {
            entries.append(.init("apple_health_export/electrocardiograms/ecg_\(index).csv", file))
        }
        let zip = try folder.write("export-\(day).zip", CraftedZip(entries).bytes)
        return try ExportImporter(
            path: zip, store: store ?? path, timeZone: "Europe/Berlin", systemTimeZone: "UTC",
            now: Double(day)
        ).run()
    }

    /// The samples as text, and their voltages.
    private func contents(of store: String) throws -> (samples: [String], voltages: [[Double]]) {
        let store = try SampleStore(at: store, access: .reading)
        var (samples, voltages): ([String], [[Double]]) = ([], [])
        let type = try #require(Catalogue.type(named: "electrocardiogram"))
        try store.forEachExportedBatch(
            ExportSelection(types: [type]), routes: .inline
        ) { exported in
            for (index, sample) in exported.batch.samples.enumerated() {
                guard case .numbers(let numbers) = exported.batch.details[index] else { continue }
                let origin = exported.batch.origins[Int(sample.origin)]
                let metadata =
                    sample.metadata < 0 ? [:] : exported.batch.metadata[Int(sample.metadata)]
                samples.append(
                    "\(exported.uuids[index]) \(sample.start) \(sample.end - sample.start) "
                        + "\(exported.batch.sources[Int(origin.source)].name) "
                        + "\(origin.version ?? "-") \(numbers["classification"] ?? []) "
                        + "\(metadata["export.classification"].map { "\($0)" } ?? "-")")
                voltages.append(numbers["microvolts"] ?? [])
            }
        }
        return (samples, voltages)
    }

    @Test("English, German and Japanese files become samples with each microvolt")
    func languages() throws {
        let report = try importExport([
            Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts),
            Self.file("de", "2026-05-29 08:00:00 +0200", "Vorhofflimmern", Self.microvolts),
            Self.file("ja", "2026-05-30 08:00:00 +0200", "洞調律", Self.microvolts),
            Self.file("en", "2026-05-31 08:00:00 +0200", "Hopping Rhythm", [1, 2]),
        ])
        #expect(report.files.electrocardiograms == 4)
        #expect(report.files.unknownClassifications == 1)
        #expect(!report.json.contains("Hopping"))
        #expect(report.outcome.records.new == 4)
        let (samples, voltages) = try contents(of: path)
        let words = samples.map { $0.split(separator: " ").dropFirst(3).joined(separator: " ") }
        #expect(
            words == [
                "Watch7,12 1.90 [1.0] -", "Watch7,12 1.90 [2.0] -", "Watch7,12 1.90 [1.0] -",
                "Watch7,12 1.90 [100.0] string(\"Hopping Rhythm\")",
            ])
        #expect(voltages.prefix(3).allSatisfy { $0 == Self.microvolts })
        #expect(voltages.last == [1, 2])
        let store = try SampleStore(at: path, access: .reading)
        #expect(try store.check().isEmpty)
    }

    @Test("another import, also in another language, changes nothing")
    func again() throws {
        _ = try importExport([
            Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts)
        ])
        let before = try contents(of: path)
        let report = try importExport(
            [Self.file("de", "2026-05-28 06:00:00 +0000", "Sinusrhythmus", Self.microvolts)], day: 2
        )
        #expect(report.outcome.records.unchanged == 1 && report.outcome.records.new == 0)
        #expect(report.outcome.vanished == 0)
        let after = try contents(of: path)
        #expect(before.samples == after.samples && before.voltages == after.voltages)
    }

    @Test("an export of the store has the file, and its import gives equal samples and voltages")
    func roundTrip() throws {
        _ = try importExport([
            Self.file("de", "2026-05-28 08:00:00 +0200", "Sinusrhythmus", Self.microvolts),
            Self.file("en", "2026-05-29 08:00:00 +0200", "Inconclusive", [0.125, -1e3, 0]),
        ])
        let zip = folder.path + "/again.zip"
        let store = try SampleStore(at: path, access: .reading)
        let tally = try StoreExport(store, madeAt: 802_000_000, offset: 3600)
            .write(ExportSelection(), to: zip)
        #expect(tally.samples == ["HKDataTypeIdentifierElectrocardiogram": 2])
        #expect(tally.files == 2)
        #expect(Set(tally.losses.keys).isSubset(of: [.homeZone]))
        let second = folder.path + "/second.sqlite"
        _ = try ExportImporter(
            path: zip, store: second, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        let (before, after) = (try contents(of: path), try contents(of: second))
        #expect(before.samples == after.samples && before.samples.count == 2)
        #expect(before.voltages == after.voltages)
        var selection = ExportSelection()
        selection.types = [try #require(Catalogue.type(named: "electrocardiogram"))]
        let part = try StoreExport(store, madeAt: 802_000_000, offset: 3600)
            .write(selection, to: zip)
        #expect(part.losses[.unsupportedSamples] == 2)
    }

    @Test("an undo removes the samples and the files of its import")
    func undo() throws {
        _ = try importExport([
            Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts)
        ])
        _ = try importExport(
            [
                Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts),
                Self.file("en", "2026-05-29 08:00:00 +0200", "Sinus Rhythm", [1, 2]),
            ], day: 2)
        let store = try SampleStore(at: path, access: .writing)
        #expect(try store.electrocardiogramTimes().count == 2)
        _ = try store.undoImport(2)
        #expect(try contents(of: path).samples.count == 1)
        #expect(try store.electrocardiogramTimes().count == 1)
        _ = try store.undoImport(1)
        #expect(try contents(of: path).samples.isEmpty)
        #expect(try store.electrocardiogramTimes().isEmpty)
    }

    @Test("a later export without the file removes the sample, and one with it brings it back")
    func vanished() throws {
        let file = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts)
        _ = try importExport([file])
        #expect(try importExport([], day: 2).outcome.vanished == 1)
        #expect(try contents(of: path).samples.isEmpty)
        #expect(try importExport([file], day: 3).outcome.records.new == 1)
        #expect(try contents(of: path).voltages == [Self.microvolts])
    }

    @Test("a file without a rate or a unit is kept and is no sample")
    func unreadable() throws {
        let file = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2])
        let report = try importExport([file.replacing("µV", with: "bananas")])
        #expect(report.files.new == ["electrocardiogram": 1])
        #expect(report.files.electrocardiograms == 0 && report.outcome.records.new == 0)
        #expect(
            report.files.unreadElectrocardiograms == ["the unit is missing or unknown": 1])
    }

    @Test("unreadable voltages are counted, and have no value in the report")
    func unreadableVoltages() throws {
        let file = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2.25, 3])
        let report = try importExport([file.replacing("2.25", with: "oops")])
        #expect(report.files.unreadableVoltages == 1)
        #expect(!report.json.contains("oops"))
    }

    @Test(
        "a later file with more that can be read replaces the one of the same recording",
        arguments: ["cut", "voltage", "classification", "rate"])
    func improved(damage: String) throws {
        let full = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", Self.microvolts)
        let damaged =
            switch damage {
            case "cut": String(full.prefix(full.count / 2))
            case "voltage": full.replacing("\n0.0\n", with: "\nx\n", maxReplacements: 1)
            case "classification": full.replacing("Sinus Rhythm", with: "Hopping Rhythm")
            default: full.replacing("511.562 hertz", with: "0 hertz")
            }
        #expect(damaged != full)
        // A record in common, so that the exports are of one person.
        let records = """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
            startDate="2026-05-28 07:00:00 +0200" endDate="2026-05-28 07:10:00 +0200" value="5"/>
            """
        let first = try importExport([damaged], records: records)
        #expect(first.files.new == ["electrocardiogram": 1])
        let before = try contents(of: path).samples
        let report = try importExport([full], records: records, day: 2)
        #expect(report.files.changed == ["electrocardiogram": 1] && report.files.known.isEmpty)
        let counts = report.outcome.records
        #expect(counts.new == (["cut", "rate"].contains(damage) ? 1 : 0))
        #expect(counts.changed == 1 - counts.new)
        #expect(report.outcome.vanished == (damage == "cut" ? 1 : 0))
        let second = try contents(of: path)
        #expect(second.voltages == [Self.microvolts] && second.samples[0].contains("[1.0] -"))

        let zip = folder.path + "/again.zip"
        let store = try SampleStore(at: path, access: .writing)
        let tally = try StoreExport(store, madeAt: 802_000_000, offset: 3600)
            .write(ExportSelection(), to: zip)
        #expect(tally.files == 1)
        let copy = folder.path + "/copy.sqlite"
        _ = try ExportImporter(
            path: zip, store: copy, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        #expect(try contents(of: copy).voltages == [Self.microvolts])

        let known = try importExport([full], records: records, day: 3)
        #expect(known.files.known == ["electrocardiogram": 1])
        let worse = try importExport([damaged], records: records, day: 4)
        #expect(worse.files.outdone == ["electrocardiogram": 1])
        #expect(try contents(of: path).samples == second.samples)
        for number: Int64 in [4, 3, 2] { _ = try store.undoImport(number) }
        #expect(try contents(of: path).samples == before)
        #expect(try store.check().isEmpty)
    }

    @Test("files with as much that can be read replace each other in the order of the exports")
    func tie() throws {
        let file = { Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", $0) }
        _ = try importExport([file([1, 2])])
        let before = try contents(of: path)
        let report = try importExport([file([1, 3])], day: 2)
        #expect(report.files.changed == ["electrocardiogram": 1])
        #expect(report.outcome.records.changed == 1 && report.outcome.vanished == 0)
        #expect(try contents(of: path).voltages == [[1, 3]])
        #expect(try importExport([file([1, 2])]).files.outdone == ["electrocardiogram": 1])
        #expect(try contents(of: path).voltages == [[1, 3]])
        #expect(try contents(of: path).samples == before.samples)
    }

    @Test("an import that only adds replaces no sample, and adds one where there was none")
    func additions() throws {
        let cut = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2])
        let full = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2, 3])
        _ = try importExport([cut], day: 2)
        let report = try importExport([full])
        #expect(report.files.outdone == ["electrocardiogram": 1] && report.outcome.notApplied == 1)
        #expect(try contents(of: path).voltages == [[1, 2]])

        let other = folder.path + "/other.sqlite"
        _ = try importExport([cut.replacing("511.562", with: "0")], day: 2, into: other)
        #expect(try importExport([full], into: other).files.changed == ["electrocardiogram": 1])
        #expect(try contents(of: other).voltages == [[1, 2, 3]])
    }

    @Test("of two files of a recording in one export, that with more that can be read is kept")
    func twoFiles() throws {
        let short = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1])
        let long = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2])
        let report = try importExport([short, long, short])
        #expect(report.files.new.count == 1 && report.files.changed.count == 1)
        #expect(report.files.outdone == ["electrocardiogram": 1])
        #expect(report.outcome.records.new == 1)
        #expect(try contents(of: path).voltages == [[1, 2]])
    }

    @Test("a recording that is in an export twice is one sample")
    func twice() throws {
        let file = Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2])
        let report = try importExport([file, file])
        #expect(report.files.electrocardiograms == 1 && report.outcome.records.new == 1)
    }

    @Test("damaged files are imported or refused, and the store stays valid")
    func damage() throws {
        var random = SeededRandom(seed: TestTier.seed(32))
        let original = Array(
            Self.file("en", "2026-05-28 08:00:00 +0200", "Sinus Rhythm", [1, 2.5, -3]).utf8)
        for round in 0..<20 {
            let store = folder.path + "/damaged-\(round).sqlite"
            var entries = [CraftedZip.Entry("apple_health_export/export.xml", "<HealthData/>")]
            for number in 0..<20 {
                var file = original
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    file[Int.random(in: 0..<file.count, using: &random)] =
                        UInt8.random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) {
                    file.removeLast(Int.random(in: 0..<file.count / 2, using: &random))
                }
                entries.append(
                    .init("apple_health_export/electrocardiograms/\(number).csv", file))
            }
            let zip = try folder.write("damaged.zip", CraftedZip(entries).bytes)
            let report = try ExportImporter(
                path: zip, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
            ).run()
            #expect(report.outcome.records.new == report.files.electrocardiograms)
            let kept = report.files.new.values.reduce(0, +)
            #expect(kept >= report.files.electrocardiograms)
            let reading = try SampleStore(at: store, access: .reading)
            #expect(try reading.check().isEmpty, "\(round)")
        }
    }
}
