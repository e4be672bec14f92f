import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct ChangesInvalidTests {
    private func cursors(_ records: [String], limit: Int = 10_000) throws -> [IntakeCursor?] {
        let body = ([ChangesText.header] + records).joined(separator: "\n")
        var cursors: [IntakeCursor?] = []
        _ = try IntakeRequest(.changes, IntakeBody(body), receivedAt: 0)
            .readPages(limit: limit) { cursors.append($0.cursor) }
        return cursors
    }

    @Test("the cursor comes with the last page, also with one without records")
    func cursor() throws {
        let cursor = IntakeCursor(stream: "phone/steps", from: nil, to: "1-a")
        #expect(try cursors([]) == [cursor])
        #expect(try cursors([ChangesText.steps(1)]) == [cursor])
        let records = (1...3).map { ChangesText.steps($0) }
        #expect(try cursors(records, limit: 2) == [nil, cursor])
    }

    @Test("the header states stream, positions and the type that is complete")
    func header() throws {
        let line =
            #"{"kind":"page","version":1,"stream":"s","from":"1","to":"2","complete":"T"}"#
        let request = IntakeRequest(.changes, IntakeBody(line), receivedAt: 0)
        let header = try request.changesHeader()
        #expect(header.cursor == IntakeCursor(stream: "s", from: "1", to: "2"))
        #expect(header.completeType == "T")
        #expect(header.completion == nil)
    }

    private func completions(_ complete: String, limit: Int = 10_000) throws -> [IntakeCompletion] {
        let header =
            #"{"kind":"page","version":1,"stream":"s","from":null,"to":"2","complete":\#(complete)}"#
        return try CollectedIntake(
            changes: (1...3).map { ChangesText.steps($0) }, header: header, limit: limit
        ).completions
    }

    @Test("a statement of completeness comes once, with type, source and times")
    func completion() throws {
        let steps = try #require(
            Catalogue.type(identifier: "HKQuantityTypeIdentifierStepCount")?.code)
        let name = #""HKQuantityTypeIdentifierStepCount""#
        #expect(try completions(name) == [IntakeCompletion(type: steps)])
        #expect(try completions(name, limit: 2) == [IntakeCompletion(type: steps)])
        #expect(try completions(#"{"type":\#(name)}"#) == [IntakeCompletion(type: steps)])
        let whole =
            #"{"type":\#(name),"from":"2026-03-01T00:00:00Z","to":"2026-03-02T01:00:00+01:00","#
            + #""source":{"name":"Watch","bundleIdentifier":"com.apple.health.1"}}"#
        #expect(
            try completions(whole) == [
                IntakeCompletion(
                    type: steps, bundleIdentifier: "com.apple.health.1", sourceName: "Watch",
                    from: ChangesText.day, to: ChangesText.day + 86_400)
            ])
        #expect(try completions("null").isEmpty)
        #expect(try completions(#""HKQuantityTypeIdentifierOfTomorrow""#).isEmpty)
    }

    @Test(
        "an invalid statement of completeness refuses the page",
        arguments: [
            "true", "7", "[]", "{}", #"{"type":7}"#, #"{"type":"T","from":"yesterday"}"#,
            #"{"type":"T","to":5}"#, #"{"type":"T","source":{}}"#, #"{"type":"T","source":"A"}"#,
            #"{"type":"T","from":"2026-03-02T00:00:00Z","to":"2026-03-01T00:00:00Z"}"#,
        ])
    func invalidCompletion(complete: String) {
        #expect(throws: IntakeError.self) { try completions(complete) }
    }

    @Test(
        "a body without a valid header is refused as a whole",
        arguments: [
            "", "[]", "7", "{}", ChangesText.steps(1),
            #"{"kind":"page","version":2,"stream":"s","to":"1"}"#,
            #"{"kind":"page","stream":"s","to":"1"}"#,
            #"{"kind":"page","version":1,"stream":"","to":"1"}"#,
            #"{"kind":"page","version":1,"stream":"s"}"#,
            #"{"kind":"page","version":1,"stream":"s","from":7,"to":"1"}"#,
            #"{"kind":"page","version":1,"stream":"s","from":"","to":"1"}"#,
            #"{"kind":"page","version":1,"stream":"\#(String(repeating: "s", count: 201))","to":"1"}"#,
        ])
    func headers(line: String) {
        #expect(throws: IntakeError.self) {
            try CollectedIntake(changes: [ChangesText.steps(1)], header: line)
        }
    }

    @Test(
        "a body that is cut off, too deep or no JSON gives nothing",
        arguments: [
            String(ChangesText.steps(2).dropLast()),
            String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
            #"{"kind":"sample","value":NaN}"#, "\u{1}",
        ])
    func broken(line: String) {
        var pages = 0
        let body = [ChangesText.header, ChangesText.steps(1), line].joined(separator: "\n")
        #expect(throws: IntakeError.self) {
            _ = try IntakeRequest(.changes, IntakeBody(body), receivedAt: 0)
                .readPages { _ in pages += 1 }
        }
        #expect(pages == 0)
    }

    @Test(
        "a value that is no finite number is rejected",
        arguments: ["null", "true", "\"many\"", "\"nan\"", "{}", "[1]", "1e400", "-1e400"])
    func values(value: String) throws {
        let intake = try CollectedIntake(changes: [ChangesText.steps(1, value: value)])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.field) == ["value"])
    }

    @Test(
        "a unit that is missing, unknown or of another dimension is rejected",
        arguments: [#""value":1"#, #""value":1,"unit":"km""#, #""value":1,"unit":"steps""#])
    func units(fields: String) throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, "HKQuantityTypeIdentifierStepCount", fields)
        ])
        #expect(intake.rejections.map(\.reason) == [.unit])
    }

    @Test(
        "a time that is missing, has no offset, or doesn’t exist is rejected",
        arguments: [
            "\"2026-03-01\"", "\"2026-03-01T08:00:00\"", "\"2026-02-30T08:00:00Z\"", "\"\"",
            "794044800", "null", "\"2026-03-01T24:00:00Z\"", "\"2026-03-01T08:00:00.Z\"",
            "\"0000-03-01T08:00:00Z\"", "\"2026-03-01 08:00:00Z\"",
        ])
    func times(value: String) throws {
        let line = ChangesText.steps(1).replacing("\"2026-03-01T08:00:00Z\"", with: value)
        let intake = try CollectedIntake(changes: [line, ChangesText.steps(2)])
        #expect(intake.samples.map(\.identity) == [.healthKit(ChangesText.sampleUUID(2))])
        #expect(intake.rejections.map(\.reason) == [.date])
        #expect(intake.rejections.map(\.field) == ["start"])
        #expect(intake.rejections.map(\.index) == [0])
    }

    @Test("a sample that ends before it starts is rejected")
    func endBeforeStart() throws {
        let line = ChangesText.steps(1).replacing("T08:00:00Z", with: "T08:10:00.0001Z")
        let intake = try CollectedIntake(changes: [line])
        #expect(intake.rejections.map(\.reason) == [.endBeforeStart])
    }

    @Test("records, types and details that this version doesn’t know are kept by name")
    func unknown() throws {
        let intake = try CollectedIntake(changes: [
            #"{"kind":"aura","uuid":"1"}"#, "{}", "[7]", "7",
            ChangesText.sample(1, "HKQuantityTypeIdentifierMoonlight", #""value":1"#),
            ChangesText.sample(
                2, "HKQuantityTypeIdentifierStepCount",
                #""value":1,"unit":"count","detail":{"hologram":{}}"#),
        ])
        #expect(intake.samples.isEmpty)
        #expect(
            intake.unknown.map(\.name) == [
                "aura", "kind", "kind", "kind", "HKQuantityTypeIdentifierMoonlight",
                "detail.hologram",
            ])
        #expect(intake.unknown.map(\.index) == [0, 1, 2, 3, 4, 5])
        #expect(intake.recordCount == 6)
    }

    @Test("of duplicate keys, the last one counts")
    func duplicateKeys() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKQuantityTypeIdentifierStepCount",
                #""value":1,"unit":"km","value":2,"unit":"count""#)
        ])
        #expect(intake.samples.map(\.value) == [2])
        #expect(intake.samples.map(\.unit) == ["count"])
    }

    @Test(
        "fields of a wrong type are rejected or ignored, and never trap",
        arguments: [
            (#""members":7"#, "members"), (#""members":["x"]"#, "members"),
            (#""metadata":[]"#, "metadata"), (#""metadata":{"k":[1]}"#, "metadata"),
            (#""metadata":{"k":{"date":7}}"#, "metadata"),
            (#""metadata":{"k":1e400}"#, "metadata"), (#""created":7"#, "created"),
            (#""detail":{"series":[7]}"#, "detail.series.start"),
        ])
    func wrongTypes(field: String, name: String) throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKQuantityTypeIdentifierStepCount", #""value":1,"unit":"count",\#(field)"#)
        ])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.field) == [name])
    }

    @Test("a source and a device of a wrong type are ignored")
    func wrongSource() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKQuantityTypeIdentifierStepCount",
                #""value":1,"unit":"count","source":7,"device":["x"]"#)
        ])
        #expect(intake.samples.map(\.source.name) == [""])
        #expect(intake.samples.first?.origin.device == nil)
    }
}
