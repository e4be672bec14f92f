import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterInvalidTests {
    private let day = ExporterText.day

    private func steps(start: String) -> String {
        ExporterText.steps(1).replacing("\"2026-03-01T08:00:00Z\"", with: start)
    }

    @Test(
        "times of RFC 3339 with up to 9 decimals and any offset are read",
        arguments: [
            ("2026-03-01T08:00:00Z", 28_800.0), ("2026-03-01T08:00:00.250Z", 28_800.25),
            ("2026-03-01T08:00:00.125000000Z", 28_800.125),
            ("2026-03-01T08:00:00+01:00", 25_200.0), ("2026-03-01T02:30:00-05:30", 28_800.0),
            ("2026-03-01t08:00:00z", 28_800.0),
        ])
    func dates(text: String, seconds: Double) throws {
        let intake = try CollectedIntake(exporter: [steps(start: "\"\(text)\"")])
        #expect(intake.samples.map(\.start) == [day + seconds])
    }

    @Test(
        "a record whose time is missing, has no offset, or doesn't exist is rejected",
        arguments: [
            "\"2026-03-01\"", "\"2026-03-01T08:00:00\"", "\"2026-02-30T08:00:00Z\"", "\"\"",
            "\"yesterday\"", "1772352000", "\"1772352000\"", "null", "true", "{}", "[]", "1e400",
        ])
    func otherDates(value: String) throws {
        let intake = try CollectedIntake(exporter: [steps(start: value), ExporterText.steps(2)])
        #expect(intake.samples.map(\.identity) == [ExporterText.identity(2)])
        #expect(intake.rejections.map(\.reason) == [.date])
        #expect(intake.rejections.map(\.field) == ["start"])
        #expect(intake.rejections.map(\.identifier) == [ExporterText.uuid(1)])
        #expect(intake.rejections.map(\.index) == [0])
    }

    @Test("a record without times is rejected, also if only its end is missing")
    func missingDates() throws {
        let record = ExporterText.steps(1)
        let intake = try CollectedIntake(exporter: [
            record.replacing("\"start\":\"2026-03-01T08:00:00Z\",", with: ""),
            record.replacing("\"end\":\"2026-03-01T08:10:00Z\",", with: ""),
        ])
        #expect(intake.rejections.map(\.reason) == [.date, .date])
        #expect(intake.rejections.map(\.field) == ["start", "end"])
    }

    @Test("a record that ends before it starts is rejected, and an instant isn't")
    func endBeforeStart() throws {
        let intake = try CollectedIntake(exporter: [
            steps(start: "\"2026-03-01T08:10:00.001Z\""), steps(start: "\"2026-03-01T08:10:00Z\""),
        ])
        #expect(intake.rejections.map(\.reason) == [.endBeforeStart])
        #expect(intake.rejections.map(\.field) == ["end"])
        #expect(intake.samples.map(\.start) == [day + 29_400])
        #expect(intake.samples.map(\.end) == [day + 29_400])
    }

    @Test(
        "a value that is no finite number is rejected",
        arguments: [
            "null", "true", "\"many\"", "\"nan\"", "\"inf\"", "{}", "[1]", "1e400", "-1e400",
        ])
    func values(value: String) throws {
        let intake = try CollectedIntake(exporter: [ExporterText.steps(1, value)])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.field) == ["value"])
    }

    @Test("a number in a string is read as a number")
    func numberInString() throws {
        let intake = try CollectedIntake(exporter: [ExporterText.steps(1, "\"12.5\"")])
        #expect(intake.samples.map(\.value) == [12.5])
    }

    @Test(
        "a body with a value that isn't JSON is refused before any page",
        arguments: ["NaN", "Infinity", "-", "01"])
    func notJSON(value: String) {
        var pages = 0
        let body = ExporterText.batch([ExporterText.steps(1), ExporterText.steps(2, value)])
        let request = IntakeRequest(.openHealthExporter, IntakeBody(body), receivedAt: 0)
        #expect(throws: IntakeError.self) {
            _ = try request.readPages(limit: 1) { _ in pages += 1 }
        }
        #expect(pages == 0)
    }

    @Test(
        "a unit that is unknown, missing, or of another dimension is rejected",
        arguments: ["\"furlong\"", "\"kg\"", "\"\"", "null", "5", "\"count/min\""])
    func units(unit: String) throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.steps(1).replacing("\"unit\":\"count\"", with: "\"unit\":\(unit)")
        ])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.reason) == [.unit])
        #expect(intake.rejections.map(\.field) == ["unit"])
    }

    @Test(
        "a UUID that isn't one is rejected",
        arguments: ["null", "12", "\"\"", "\"0a0b0c0d\"", "{\"a\":1}"])
    func identifiers(uuid: String) throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.steps(1).replacing("\"\(ExporterText.uuid(1))\"", with: uuid)
        ])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.reason) == [.identifier])
        #expect(intake.rejections.map(\.field) == ["uuid"])
    }

    @Test("a UUID in upper case is the same as in lower case")
    func upperCase() throws {
        let uuid = ExporterText.uuid(1)
        let intake = try CollectedIntake(exporter: [
            ExporterText.steps(1).replacing(uuid, with: uuid.uppercased())
        ])
        #expect(intake.samples.map(\.identity) == [ExporterText.identity(1)])
    }

    @Test("types that aren't known are kept under their names")
    func unknownTypes() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1,
                #""hkIdentifier":"HKQuantityTypeIdentifierMoonlight","unit":"lx","value":3"#),
            ExporterText.record(
                "sample.quantity", 2, #""metricId":"moonlight","unit":"lx","value":3"#),
            ExporterText.record("sample.quantity", 3, #""unit":"lx","value":3"#),
            ExporterText.record("sample.category", 4, #""hkIdentifier":7,"categoryValue":1"#),
        ])
        #expect(
            intake.unknown.map(\.name) == [
                "HKQuantityTypeIdentifierMoonlight", "moonlight", "metricId", "metricId",
            ])
        #expect(intake.unknown.map(\.index) == [0, 1, 2, 3])
    }

    @Test("a type of another kind than the record's is rejected")
    func kindOfType() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1,
                #""hkIdentifier":"HKCategoryTypeIdentifierSleepAnalysis","unit":"min","value":3"#),
            ExporterText.record(
                "sample.category", 2,
                #""hkIdentifier":"HKQuantityTypeIdentifierStepCount","categoryValue":3"#),
        ])
        #expect(intake.rejections.map(\.reason) == [.type, .type])
        #expect(intake.rejections.map(\.field) == ["hkIdentifier", "hkIdentifier"])
    }

    @Test("fields of the wrong kind that a sample doesn't need are ignored")
    func wrongKinds() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1,
                #""device":[1],"hkIdentifier":"HKQuantityTypeIdentifierStepCount","metadata":"m","#
                    + #""source":"Phone","tzId":5,"tzSource":{},"unit":"count","value":420,"#
                    + #""wasUserEntered":"perhaps""#)
        ])
        let sample = try #require(intake.samples.first)
        #expect(sample.value == 420)
        #expect(sample.source.name.isEmpty && sample.source.bundleIdentifier.isEmpty)
        #expect(sample.origin.device == nil)
        #expect(sample.metadata.isEmpty)
    }

    @Test("of two fields with one name, the last one counts")
    func duplicateKeys() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.steps(1, #"1,"kind":"sample.quantity","value":2"#)
        ])
        #expect(intake.samples.map(\.value) == [2])
    }

    @Test("the order of the fields doesn't matter")
    func reversed() throws {
        let record =
            #"{"value":420,"uuid":"\#(ExporterText.uuid(1))","unit":"count","#
            + #""start":"2026-03-01T08:00:00Z","hkIdentifier":"HKQuantityTypeIdentifierStepCount","#
            + #""end":"2026-03-01T08:10:00Z","kind":"sample.quantity"}"#
        let intake = try CollectedIntake(.openHealthExporter, record)
        #expect(intake.samples.map(\.value) == [420])
        #expect(intake.samples.map(\.start) == [day + 28_800])
        #expect(intake.samples.map(\.identity) == [ExporterText.identity(1)])
    }
}
