import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthSaveBatchTests {
    private let day = HealthSaveText.day
    private let sample = HealthSaveText.sample(1, #""qty":420,"unit":"count""#)

    @Test("deletions are deletions of HealthKit, and those without a UUID are rejected")
    func deletions() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "step_count", [sample],
                deletions: [
                    #"{"uuid":"\#(HealthSaveText.uuid(2))","deletedAt":"2026-03-01T09:00:00Z"}"#,
                    #"{"uuid":"\#(HealthSaveText.uuid(3).lowercased())","deletedAt":null}"#,
                    #"{"uuid":"x"}"#, #"{"deletedAt":null}"#, "5",
                ]))
        #expect(
            intake.deletions == [
                IntakeDeletion(uuid: HealthSaveText.sampleUUID(2), reason: .deleted, index: 1),
                IntakeDeletion(uuid: HealthSaveText.sampleUUID(3), reason: .deleted, index: 2),
            ])
        #expect(intake.samples.map(\.value) == [420])
        #expect(intake.rejections.map(\.reason) == [.identifier, .identifier, .identifier])
        #expect(intake.rejections.map(\.identifier) == ["x", nil, nil])
        #expect(intake.rejections.map(\.index) == [3, 4, 5])
        #expect(intake.recordCount == 6)
    }

    @Test("deletions of an unknown metric are deletions too")
    func deletionsOfUnknownMetric() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "moonlight", [sample], deletions: [#"{"uuid":"\#(HealthSaveText.uuid(2))"}"#]))
        #expect(intake.deletions.map(\.uuid) == [HealthSaveText.sampleUUID(2)])
        #expect(intake.unknown.map(\.name) == ["moonlight"])
    }

    @Test("the fields of a batch can follow its records, in any order")
    func reversed() throws {
        let body =
            #"{"deletions":[{"uuid":"\#(HealthSaveText.uuid(2))"}],"samples":[{"unit":"count","#
            + #""qty":420,"endDate":"2026-03-01T08:10:00Z","startDate":"2026-03-01T08:00:00Z","#
            + #""uuid":"\#(HealthSaveText.uuid(1))"}],"total_batches":1,"batch_index":0,"#
            + #""metric":"step_count","schema_version":2}"#
        let intake = try CollectedIntake(.healthSave, body)
        #expect(intake.samples.map(\.type) == ["stepCount"])
        #expect(intake.samples.map(\.value) == [420])
        #expect(intake.samples.map(\.start) == [day + 28_800])
        #expect(intake.samples.map(\.end) == [day + 29_400])
        #expect(intake.samples.map(\.index) == [1])
        #expect(intake.deletions.map(\.index) == [0])
    }

    @Test("metric and version can be in the header fields")
    func headers() throws {
        let record =
            #"{"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z","qty":420,"#
            + #""source":"Phone"}"#
        let body = #"{"samples":[\#(record)]}"#
        let metric = (name: "X-HealthSave-Metric", value: "step_count")
        let version = (name: "x-healthsave-schema-version", value: "2")
        let first = try CollectedIntake(.healthSave, body, headers: [metric])
        #expect(first.samples.map(\.value) == [420])
        #expect(first.totals.isEmpty)
        let second = try CollectedIntake(.healthSave, body, headers: [metric, version])
        #expect(second.samples.isEmpty)
        #expect(second.totals.map(\.value) == [420])
        #expect(try CollectedIntake(.healthSave, body).unknown.map(\.name) == ["metric"])
    }

    @Test("of two fields with one name, the last one counts, and both lists are read")
    func duplicateKeys() throws {
        let other = HealthSaveText.sample(2, #""qty":1,"qty":31,"unit":"count""#)
        let body =
            #"{"metric":"heart_rate","metric":"step_count","samples":[\#(sample)],"#
            + #""samples":[\#(other)],"schema_version":2}"#
        let intake = try CollectedIntake(.healthSave, body)
        #expect(intake.samples.map(\.type) == ["stepCount", "stepCount"])
        #expect(intake.samples.map(\.value) == [420, 31])
    }

    @Test(
        "times of ISO 8601 are read, and those without an offset only with a stated one",
        arguments: [
            ("2026-03-01T08:00:00Z", "", 28_800.0),
            ("2026-03-01T08:00:00.250+00:00", "", 28_800.25),
            ("2026-03-01T09:00:00+0100", "", 28_800.0), ("2026-03-01 08:00:00 Z", "", 28_800.0),
            ("2026-03-01T09:00:00", #""tzOffsetMinutes":60,"#, 28_800.0),
            ("2026-03-01T08:00:00Z", #""tzOffsetMinutes":60,"#, 28_800.0),
        ])
    func dates(text: String, more: String, seconds: Double) throws {
        let record = sample.replacing("\"2026-03-01T08:00:00Z\"", with: "\"\(text)\"")
            .replacing("\"qty\"", with: more + "\"qty\"")
        let intake = try CollectedIntake(
            .healthSave, HealthSaveText.version2("step_count", [record]))
        #expect(intake.samples.map(\.start) == [day + seconds])
    }

    @Test(
        "a record whose time is missing or unclear is rejected",
        arguments: [
            "\"2026-03-01T08:00:00\"", "\"2026-03-01\"", "\"2026-02-30T08:00:00Z\"",
            "\"yesterday\"", "\"\"", "\"1772352000\"", "1772352000", "1e400", "null", "{}",
        ])
    func otherDates(value: String) throws {
        let record = sample.replacing("\"2026-03-01T08:00:00Z\"", with: value)
        let intake = try CollectedIntake(
            .healthSave, HealthSaveText.version2("step_count", [record]))
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.reason) == [.date])
        #expect(intake.rejections.map(\.field) == ["startDate"])
    }

    @Test("a record that ends before it starts is rejected")
    func endBeforeStart() throws {
        let record = sample.replacing("08:10:00", with: "07:59:59")
        let intake = try CollectedIntake(
            .healthSave, HealthSaveText.version2("step_count", [record]))
        #expect(intake.rejections.map(\.reason) == [.endBeforeStart])
        #expect(intake.rejections.map(\.field) == ["endDate"])
    }

    @Test("records and UUIDs of the wrong kind are rejected")
    func wrongKinds() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "step_count",
                [
                    "5", "[1]", "\"text\"", sample.replacing(HealthSaveText.uuid(1), with: "short"),
                    sample.replacing("\"" + HealthSaveText.uuid(1) + "\"", with: "12"),
                ]))
        #expect(
            intake.rejections.map(\.reason) == [.type, .type, .type, .identifier, .identifier])
        #expect(intake.rejections.map(\.field) == [nil, nil, nil, "uuid", "uuid"])
    }

    @Test("other lists of a batch are kept by name")
    func otherLists() throws {
        let body = HealthSaveText.version2(
            "step_count", [sample], #","medications":[{"name":"A"}],"counts":{"samples":[1]}"#)
        let intake = try CollectedIntake(.healthSave, body)
        #expect(
            intake.unknown == [
                UnknownRecord(name: "medications", json: #"{"name":"A"}"#, index: 1)
            ])
        #expect(intake.samples.map(\.value) == [420])
    }

    @Test(
        "a body of another shape, or one that isn't JSON, is refused before any page",
        arguments: [
            "", "[]", "{}", "5", #"{"metric":"step_count"}"#, #"{"samples":{}}"#,
            #"{"samples":[{"qty":NaN}]}"#, #"{"samples":[{"qty":1}]} x"#,
            #"{"samples":[{"qty":1},{"qty":2}"#,
        ])
    func otherShapes(body: String) {
        var pages = 0
        let request = IntakeRequest(.healthSave, IntakeBody(body), receivedAt: 0)
        #expect(throws: IntakeError.self) {
            _ = try request.readPages(limit: 1) { _ in pages += 1 }
        }
        #expect(pages == 0)
    }

    @Test("a resent body continues at any record with the same rest")
    func continued() throws {
        let body = HealthSaveText.version2(
            "step_count", [sample, "5", #"{"date":"2026-03-01T08:00:00Z","qty":7}"#],
            deletions: [#"{"uuid":"\#(HealthSaveText.uuid(2))"}"#])
        let all = try CollectedIntake(.healthSave, body)
        for first in 0...4 {
            let rest = try CollectedIntake(.healthSave, body, after: first, limit: 1)
            #expect(rest.recordCount == 4)
            #expect(rest.pageSizes == Array(repeating: 1, count: 4 - first))
            #expect(rest.samples.map(\.index) == all.samples.map(\.index).filter { $0 >= first })
            #expect(rest.rejections == all.rejections.filter { $0.index >= first })
            #expect(rest.totals == all.totals.filter { $0.index >= first })
            #expect(rest.deletions == all.deletions.filter { $0.index >= first })
        }
    }
}
