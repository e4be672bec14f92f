import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthArchive
@testable import HealthStorage

/// Elements of an export, and the reasons of quarantined ones.
private enum Elements {
    static let badValue = "a value that is no number"
    static let badDate = "a date that is none"

    static let audiogram = """
        <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Hearing" sourceVersion="1.2" \
        creationDate="2025-02-03 10:00:00 +0100" startDate="2025-02-03 09:50:00 +0100" \
        endDate="2025-02-03 09:55:00 +0100">
          <MetadataEntry key="room" value="quiet"/>
          <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="12.5" \
        leftEarUnit="dBHL" rightEarValue="-5" rightEarUnit="dBHL" rightEarMasked="true" \
        rightEarClampingRangeLowerBound="-10" rightEarClampingRangeUpperBound="85"/>
          <SensitivityPoint frequencyValue="8" frequencyUnit="kHz" leftEarValue="40" \
        leftEarUnit="dBHL"/>
         </Audiogram>
        """
    static let glasses = """
        <VisionPrescription type="HKVisionPrescriptionTypeIdentifier" \
        dateIssued="2024-05-06 00:00:00 +0100" expirationDate="2026-05-06 00:00:00 +0100">
          <RightEye sphere="-2.25" sphereUnit="D" cylinder="-0.75" cylinderUnit="D" axis="170" \
        axisUnit="deg" add="1.5" addUnit="D" vertex="12" vertexUnit="mm" prismAmount="1.5" \
        prismAmountUnit="pD" prismAngle="90" prismAngleUnit="deg" farPD="31.5" farPDUnit="mm" \
        nearPD="30" nearPDUnit="mm"/>
          <LeftEye sphere="-1.75" sphereUnit="D"/>
          <Attachment identifier="8C6B1A2D-0000-4000-8000-00000000000A"/>
         </VisionPrescription>
        """
    static let contacts = """
        <VisionPrescription type="HKVisionPrescriptionTypeContacts" \
        dateIssued="2024-05-06 00:00:00 +0100" brand="Clear">
          <LeftEye sphere="-3" sphereUnit="D" baseCurve="8.6" baseCurveUnit="mm" diameter="14.2" \
        diameterUnit="mm"/>
         </VisionPrescription>
        """
}

@Suite("Audiograms and prescriptions of an export as samples")
struct MeasurementImportTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func export(_ elements: [String], day: Int = 1) throws -> String {
        let xml =
            "<HealthData locale=\"en_US\">\n <ExportDate value=\"2026-06-0\(day) 10:00:00 +0100\"/>\n "
            + elements.joined(separator: "\n ") + "\n</HealthData>\n"
        return try folder.write(
            "export-\(day).zip",
            CraftedZip([.init("apple_health_export/export.xml", xml)]).bytes)
    }

    @discardableResult
    private func importExport(
        _ elements: [String], day: Int = 1, into store: String? = nil
    ) throws -> ImportReport {
        try importFile(try export(elements, day: day), day: day, into: store)
    }

    private func importFile(
        _ zip: String, day: Int = 1, into store: String? = nil
    ) throws -> ImportReport {
        let report = try ExportImporter(
            path: zip, store: store ?? path, timeZone: "Europe/Berlin", systemTimeZone: "UTC",
            now: Double(day)
        ).run()
        #expect(report.unexplainedElements == [])
        return report
    }

    /// The samples with their UUIDs, times, sources, metadata and details.
    private func contents(
        of store: String? = nil
    ) throws -> (details: [SampleDetail], lines: [String]) {
        let store = try SampleStore(at: store ?? path, access: .reading)
        defer { try? store.close() }
        #expect(try store.check().isEmpty)
        var (details, lines): ([SampleDetail], [String]) = ([], [])
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for (index, sample) in exported.batch.samples.enumerated() {
                guard let detail = exported.batch.details[index] else { continue }
                details.append(detail)
                lines.append(
                    "\(exported.uuids[index]) \(sample.start) \(sample.end) \(sample.created) "
                        + "\(exported.batch.source(of: sample).name) "
                        + "\(exported.batch.metadata(of: sample) ?? [:]) \(detail)")
            }
        }
        return (details, lines)
    }

    @Test("an audiogram has its points with masking and limits, source, times and metadata")
    func audiogram() throws {
        let report = try importExport([Elements.audiogram])
        #expect(report.outcome.records.new == 1 && report.untyped.isEmpty)
        #expect(report.outcome.types == ["HKDataTypeIdentifierAudiogram": 1])
        #expect(report.unknownElements.isEmpty && report.unknownAttributes.isEmpty)
        let (details, lines) = try contents()
        let expected = Audiogram(points: [
            Audiogram.Point(
                frequency: RecordedQuantity(1000, "Hz"),
                tests: [
                    Audiogram.Test(sensitivity: RecordedQuantity(12.5, "dBHL"), side: 0),
                    Audiogram.Test(
                        sensitivity: RecordedQuantity(-5, "dBHL"), side: 1, masked: true,
                        clamping: Audiogram.Clamping(lower: -10, upper: 85)),
                ]),
            Audiogram.Point(
                frequency: RecordedQuantity(8, "kHz"),
                tests: [Audiogram.Test(sensitivity: RecordedQuantity(40, "dBHL"), side: 0)]),
        ])
        #expect(details == [.audiogram(expected)])
        #expect(lines.first?.contains("Hearing [\"room\": ") == true)
    }

    @Test("a prescription has its lenses, prism, expiration and attachments")
    func prescriptions() throws {
        let report = try importExport([Elements.glasses, Elements.contacts])
        #expect(report.outcome.records.new == 2 && report.unknownValues.isEmpty)
        let details = try contents().details
        var right = VisionPrescription.Lens(sphere: RecordedQuantity(-2.25, "D"))
        right.cylinder = RecordedQuantity(-0.75, "D")
        right.axis = RecordedQuantity(170, "deg")
        right.addPower = RecordedQuantity(1.5, "D")
        right.vertexDistance = RecordedQuantity(12, "mm")
        right.prism = VisionPrescription.Prism(
            .polar(amount: RecordedQuantity(1.5, "pD"), angle: RecordedQuantity(90, "deg")),
            eye: VisionPrescription.Prism.right)
        right.farPupillaryDistance = RecordedQuantity(31.5, "mm")
        right.nearPupillaryDistance = RecordedQuantity(30, "mm")
        #expect(
            details.contains(
                .visionPrescription(
                    VisionPrescription(
                        type: VisionPrescription.glasses, expiration: 799_714_800, rightEye: right,
                        leftEye: VisionPrescription.Lens(sphere: RecordedQuantity(-1.75, "D")),
                        attachments: ["8C6B1A2D-0000-4000-8000-00000000000A"]))))
        var left = VisionPrescription.Lens(sphere: RecordedQuantity(-3, "D"))
        left.baseCurve = RecordedQuantity(8.6, "mm")
        left.diameter = RecordedQuantity(14.2, "mm")
        #expect(
            details.contains(
                .visionPrescription(
                    VisionPrescription(
                        type: VisionPrescription.contacts, brand: "Clear", leftEye: left))))
    }

    @Test("a type that is not known is kept and counted, and the lenses decide")
    func unknownType() throws {
        let report = try importExport([
            Elements.contacts.replacing("HKVisionPrescriptionTypeContacts", with: "Monocle"),
            Elements.glasses.replacing("HKVisionPrescriptionTypeIdentifier", with: "glasses"),
        ])
        #expect(report.unknownValues == ["Monocle": 1])
        let types = try contents().details.compactMap { detail -> [String]? in
            guard case .visionPrescription(let content) = detail else { return nil }
            return ["\(content.type)", content.unknownTypeName ?? "-"]
        }
        #expect(Set(types) == [["2", "Monocle"], ["1", "-"]])
    }

    @Test("unknown attributes and elements are kept and counted")
    func unknownParts() throws {
        let report = try importExport([
            Elements.audiogram.replacing("sourceName=", with: "mood=\"calm\" sourceName=")
                .replacing("frequencyValue=\"8\"", with: "frequencyValue=\"8\" phase=\"2\"")
                .replacing(
                    "leftEarValue=\"40\"", with: "leftEarMasked=\"maybe\" leftEarValue=\"40\""
                )
                .replacing("<MetadataEntry", with: "<Tone pitch=\"1\"/><MetadataEntry"),
            Elements.glasses.replacing("sphereUnit=\"D\"/>", with: "tint=\"grey\"/>"),
        ])
        #expect(report.unknownElements == ["Tone": 1])
        #expect(
            report.unknownAttributes == [
                "Audiogram.mood": 1, "SensitivityPoint.phase": 1, "LeftEye.tint": 1,
            ])
        #expect(report.unknownValues == ["maybe": 1, "no unit, read as D": 1])
        #expect(report.unknownUnits.isEmpty)
        #expect(report.outcome.records.new == 2)
        let lines = try contents().lines
        #expect(lines.contains { $0.contains("mood") })
        let store = try SampleStore(at: path, access: .reading)
        var kept: [String] = []
        try store.forEachRawElement { kept.append($0.element) }
        #expect(kept.sorted() == ["LeftEye", "SensitivityPoint", "Tone"])
    }

    @Test(
        "an element with a number or date that isn't one is quarantined as a whole, and kept",
        arguments: [
            (
                Elements.audiogram, "frequencyValue=\"8\"", "frequencyValue=\"eight\"",
                Elements.badValue
            ),
            (
                Elements.audiogram, "leftEarValue=\"40\"", "leftEarValue=\"loud\"",
                Elements.badValue
            ),
            (Elements.audiogram, "UpperBound=\"85\"", "UpperBound=\"x\"", Elements.badValue),
            (Elements.audiogram, "frequencyValue=\"8\" ", "", Elements.badValue),
            (
                Elements.audiogram, "startDate=\"2025-02-03 09:50:00 +0100\"", "startDate=\"now\"",
                Elements.badDate
            ),
            (Elements.glasses, "sphere=\"-1.75\"", "sphere=\"plano\"", Elements.badValue),
            (Elements.glasses, "prismAngle=\"90\"", "prismAngle=\"up\"", Elements.badValue),
            (Elements.glasses, "dateIssued=\"2024-05-06 00:00:00 +0100\"", "", Elements.badDate),
            (
                Elements.glasses, "expirationDate=\"2026-05-06 00:00:00 +0100\"",
                "expirationDate=\"x\"",
                Elements.badDate
            ),
        ])
    func quarantined(element: String, part: String, wrong: String, reason: String) throws {
        let elements = [element.replacing(part, with: wrong), Elements.contacts]
        let report = try importExport(elements)
        #expect(report.outcome.records.quarantined == 1 && report.outcome.records.new == 1)
        #expect(report.quarantineReasons == [reason: 1])
        #expect(report.quarantineLocations.count == 1)
        #expect(try contents().details.count == 1)
        // The text is kept once, and is part of an export.
        try importExport(elements, day: 2)
        let store = try SampleStore(at: path, access: .reading)
        var kept: [RawElement] = []
        try store.forEachRawElement { kept.append($0) }
        #expect(kept.count == 1 && kept[0].reason == .quarantined)
        #expect(kept[0].isPreservedAtTopLevel)
        let zip = folder.path + "/again.zip"
        _ = try StoreExport(store, madeAt: 810_000_000, offset: 3600)
            .write(ExportSelection(), to: zip)
        let copy = folder.path + "/copy.sqlite"
        let again = try importFile(zip, into: copy)
        #expect(again.outcome.records.quarantined == 1 && again.outcome.records.new == 1)
    }

    @Test(
        "the same export again changes nothing, a later one changes, adds and removes, and an undo restores"
    )
    func later() throws {
        try importExport([Elements.audiogram, Elements.glasses])
        let first = try contents().lines
        // Another offset prints the same moments differently.
        let shifted = [Elements.audiogram, Elements.glasses].map {
            $0.replacing("09:50:00 +0100", with: "10:50:00 +0200")
                .replacing("2024-05-06 00:00:00 +0100", with: "2024-05-06 01:00:00 +0200")
        }
        let again = try importExport(shifted, day: 2)
        #expect(again.outcome.records.unchanged == 2 && again.outcome.vanished == 0)
        #expect(try contents().lines == first)
        let later = try importExport(
            [Elements.audiogram.replacing("12.5", with: "15"), Elements.contacts], day: 3)
        #expect(later.outcome.records.changed + later.outcome.records.new == 2)
        #expect(try contents().details.count == 2)
        let store = try SampleStore(at: path, access: .writing)
        _ = try store.undoImport(3)
        try store.close()
        #expect(try contents().lines.sorted() == first.sorted())
        _ = try importExport([], day: 4)
        #expect(try contents().details.isEmpty)
    }

    @Test("an export of the store has their elements, and its import gives equal samples")
    func roundTrip() throws {
        try importExport([Elements.audiogram, Elements.glasses, Elements.contacts])
        let store = try SampleStore(at: path, access: .reading)
        let zip = folder.path + "/again.zip"
        let tally = try StoreExport(store, madeAt: 810_000_000, offset: 7200)
            .write(ExportSelection(), to: zip)
        #expect(
            tally.samples == [
                "HKDataTypeIdentifierAudiogram": 1, "HKVisionPrescriptionTypeIdentifier": 2,
            ])
        #expect(Set(tally.losses.keys).isSubset(of: [.homeZone]), "\(tally.losses)")
        let copy = folder.path + "/copy.sqlite"
        let report = try importFile(zip, into: copy)
        #expect(report.outcome.records.new == 3)
        #expect(report.unknownAttributes.isEmpty && report.unknownValues.isEmpty)
        #expect(try contents(of: copy).lines.sorted() == contents().lines.sorted())
    }

    @Test("attributes are in the order of the document type")
    func attributeOrder() throws {
        try importExport([Elements.audiogram, Elements.glasses])
        let store = try SampleStore(at: path, access: .reading)
        var xml: [UInt8] = []
        var writer = ExportWriter<Never>(
            header: ExportHeader(locale: "en_US", exportDate: 0, offset: 3600),
            sink: { xml.append(contentsOf: $0) })
        try store.forEachExportedBatch(ExportSelection()) { writer.write($0.batch) }
        _ = writer.finish()
        let text = String(decoding: xml, as: UTF8.self)
        func lines(_ element: String) -> String {
            element.replacing("\n ", with: "\n ")
        }
        for element in [Elements.audiogram, Elements.glasses] {
            var expected = " " + lines(element)
            if element == Elements.glasses {
                expected = expected.replacing(
                    "HKVisionPrescriptionTypeIdentifier", with: "HKVisionPrescriptionTypeGlasses")
            }
            #expect(text.contains(expected + "\n"), "\(text.suffix(1500))")
        }
    }

    @Test(
        "an element that an earlier version kept as text becomes a sample with the next import, once"
    )
    func keptByEarlierVersion() throws {
        try importExport([Elements.contacts])
        let store = try SampleStore(at: path, access: .writing)
        try store.write { db in
            for (element, xml) in [
                ("Audiogram", Elements.audiogram), ("VisionPrescription", Elements.glasses),
            ] {
                try db.execute(
                    sql: "INSERT INTO raw_element (import, position, element, reason, digest, xml) "
                        + "VALUES (1, 7, ?, 'untyped', ?, ?)",
                    arguments: [element, StoredText.digest(xml), xml])
            }
        }
        try store.close()
        // Before the next import, an export has the texts.
        let copy = folder.path + "/copy.sqlite"
        #expect(try exported(to: copy).outcome.records.new == 3)
        try importExport([Elements.contacts, Elements.audiogram, Elements.glasses], day: 2)
        #expect(try contents().details.count == 3)
        let second = folder.path + "/second.sqlite"
        #expect(try exported(to: second).outcome.records.new == 3)
        // After an undo, only the texts are left again.
        let undone = try SampleStore(at: path, access: .writing)
        _ = try undone.undoImport(2)
        try undone.close()
        #expect(try contents().details.count == 1)
        let third = folder.path + "/third.sqlite"
        #expect(try exported(to: third).outcome.records.new == 3)
    }

    private func exported(to copy: String) throws -> ImportReport {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let zip = folder.path + "/again.zip"
        _ = try StoreExport(store, madeAt: 810_000_000, offset: 3600)
            .write(ExportSelection(), to: zip)
        return try importFile(zip, into: copy)
    }

    @Test("what an element has no room for is counted as a loss")
    func losses() throws {
        let store = try SampleStore(at: path, access: .creating)
        var batch = SampleBatch(
            sources: [Source(name: "Optician", bundleIdentifier: "com.example.optician")],
            origins: [Origin(source: 0)])
        let tests = [1.0, 2].map {
            Audiogram.Test(sensitivity: RecordedQuantity($0, "dBHL"), side: 0)
        }
        let point = Audiogram.Point(frequency: RecordedQuantity(1, "kHz"), tests: tests)
        let details: [(String, SampleDetail)] = [
            ("audiogram", .audiogram(Audiogram(points: [point]))),
            ("visionPrescription", .visionPrescription(VisionPrescription(type: 1))),
        ]
        for (index, (name, detail)) in details.enumerated() {
            let type = try store.type(named: name)
            batch.samples.append(Sample(type: type.code, origin: 0, start: 7e8, end: 7e8))
            batch.details[index] = detail
        }
        try store.save(
            batch, uuids: [SampleUUID(high: 0x4000, low: 1), SampleUUID(high: 0x4000, low: 2)],
            at: 7e8)
        let tally = try StoreExport(store, madeAt: 810_000_000, offset: 0)
            .write(ExportSelection(), to: folder.path + "/out.zip")
        #expect(tally.losses[.measurementDetails] == 2)
    }
}
