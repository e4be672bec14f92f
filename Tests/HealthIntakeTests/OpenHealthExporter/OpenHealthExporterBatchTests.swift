import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterBatchTests {
    private let day = ExporterText.day

    /// Two records whose bytes another serializer wouldn't write: an escaped slash and 17 digits.
    private let records = [
        #"{"batchSeq":1,"end":"2026-03-01T08:10:00Z","#
            + #""hkIdentifier":"HKQuantityTypeIdentifierStepCount","kind":"sample.quantity","#
            + #""metadata":{"app.path":"a\/b"},"start":"2026-03-01T08:00:00Z","unit":"count","#
            + #""uuid":"0a0b0c0d-0000-4000-8000-000000000001","v":1,"value":420.00000000000001}"#,
        #"{"batchSeq":2,"end":"2026-03-01T08:20:00Z","#
            + #""hkIdentifier":"HKQuantityTypeIdentifierStepCount","kind":"sample.quantity","#
            + #""start":"2026-03-01T08:10:00Z","unit":"count","#
            + #""uuid":"0a0b0c0d-0000-4000-8000-000000000002","v":1,"value":31}"#,
    ]
    /// The digest of the records as another program computed it.
    private static let recordDigest =
        "d8d3e90632b5829d2b653bfd443555a74de7c907198f081b1ab5bb63178ab66e"

    private func lines(_ parts: [String]) -> String { parts.map { $0 + "\n" }.joined() }

    /// Returns the number of pages that were passed on before a body was refused.
    private func pages(of body: String, _ error: IntakeError) -> Int {
        var pages = 0
        let request = IntakeRequest(.openHealthExporter, IntakeBody(body), receivedAt: 0)
        #expect(throws: error) { _ = try request.readPages(limit: 1) { _ in pages += 1 } }
        return pages
    }

    private func expectRecords(_ intake: CollectedIntake) {
        #expect(intake.samples.map(\.value) == [420, 31])
        #expect(intake.samples.map(\.identity) == [1, 2].map(ExporterText.identity))
        #expect(intake.samples.map(\.start) == [day + 28_800, day + 29_400])
        #expect(intake.samples.map(\.end) == [day + 29_400, day + 30_000])
        #expect(intake.samples.first?.metadata == ["app.path": .string("a/b")])
        #expect(intake.recordCount == 2)
        #expect(intake.unknown.isEmpty && intake.rejections.isEmpty)
    }

    @Test("the digest is that of the record lines as they were received")
    func digest() throws {
        let footer = ExporterText.footer("sha256:" + Self.recordDigest)
        let body = lines([ExporterText.header()] + records + [footer])
        expectRecords(try CollectedIntake(.openHealthExporter, body))
        #expect(ExporterText.digest(of: records) == Self.recordDigest)
    }

    @Test("a body with another digest is refused before any page is passed on")
    func mismatch() {
        let footer = ExporterText.footer("sha256:" + Self.recordDigest)
        let changed = records[1].replacing(":31", with: ":32")
        let spaced = records[1] + " "
        let damaged: [[String]] = [
            [records[0], changed], [records[1], records[0]], [records[0]],
            [records[0], records[1], records[1]], [records[0], spaced],
        ]
        for records in damaged {
            let body = lines([ExporterText.header()] + records + [footer])
            #expect(pages(of: body, .digestMismatch) == 0)
        }
        let short = lines([ExporterText.header()] + records + [ExporterText.footer("sha256:12ab")])
        #expect(pages(of: short, .digestMismatch) == 0)
    }

    @Test("a digest is optional, its digits can be upper-case, and other algorithms aren't checked")
    func otherDigests() throws {
        for stated in ["sha256:" + Self.recordDigest.uppercased(), "md5:00", ""] {
            let body = lines([ExporterText.header()] + records + [ExporterText.footer(stated)])
            expectRecords(try CollectedIntake(.openHealthExporter, body))
        }
        let footer = #"{"kind":"batch.footer","contentDigest":null}"#
        expectRecords(
            try CollectedIntake(
                .openHealthExporter, lines([ExporterText.header()] + records + [footer])))
    }

    @Test("lines can end in CR LF, and the last one in nothing")
    func lineEnds() throws {
        let digest = ExporterText.digest(of: records.map { $0 + "\r" })
        let parts =
            [ExporterText.header()] + records + [ExporterText.footer("sha256:" + digest)]
        expectRecords(
            try CollectedIntake(.openHealthExporter, parts.joined(separator: "\r\n")))
    }

    @Test("records without header and footer are read")
    func recordsOnly() throws {
        expectRecords(try CollectedIntake(.openHealthExporter, lines(records)))
    }

    @Test("a batch without records is accepted")
    func empty() throws {
        for body in [
            ExporterText.batch([]), #"{"header":{"kind":"batch.header"},"records":[]}"#,
            #"{"header":{"exporterId":"phone-1"},"footer":{"complete":true}}"#,
        ] {
            let intake = try CollectedIntake(.openHealthExporter, body)
            #expect(intake.recordCount == 0)
            #expect(intake.pageSizes.isEmpty)
        }
    }

    @Test("a batch without its footer, or with fewer records than it states, is refused as a whole")
    func cutOff() {
        let counted = ExporterText.header(#""exporterId":"phone-1","recordCount":2"#)
        for body in [
            lines([ExporterText.header()] + records), lines([ExporterText.header()]),
            lines([ExporterText.header()] + records) + ExporterText.batch(records),
            lines([counted, records[0], ExporterText.footer("md5:00")]),
            #"{"header":\#(counted),"records":[\#(records[0])]}"#,
        ] {
            #expect(pages(of: body, .incompleteBatch) == 0)
        }
    }

    @Test("batches can follow each other, each with its own digest and exporter")
    func concatenated() throws {
        let aggregate =
            #"{"bucketEnd":"2026-03-01T09:00:00Z","bucketStart":"2026-03-01T08:00:00Z","#
            + #""emitSeq":1,"kind":"aggregate","#
            + #""metricId":"step_count","statistic":"sum","unit":"count","#
            + #""value":8}"#
        let first = ExporterText.batch([aggregate])
        let second = ExporterText.batch(
            [aggregate], header: ExporterText.header(#""exporterId":"phone-2""#))
        let intake = try CollectedIntake(.openHealthExporter, first + second + aggregate)
        #expect(intake.totals.map(\.series) == ["phone-1|sum|||", "phone-2|sum|||", "|sum|||"])
        #expect(intake.totals.map(\.value) == [8, 8, 8])
        #expect(intake.totals.map(\.index) == [0, 1, 2])
        let damaged = first + second.replacing("\"value\":8", with: "\"value\":9")
        #expect(pages(of: damaged, .digestMismatch) == 0)
    }

    @Test("a batch can be one document, with its parts in any order")
    func document() throws {
        let header = ExporterText.header()
        let footer = ExporterText.footer("sha256:" + Self.recordDigest)
        let list = records.joined(separator: ",")
        for body in [
            #"{"header":\#(header),"records":[\#(list)],"footer":\#(footer)}"#,
            #"{"footer":\#(footer),"header":\#(header),"records":[\#(list)]}"#,
            #"{"records":[\#(list)],"footer":\#(footer),"header":\#(header)}"#,
            #"{ "records" : [ \#(list) ] , "footer" : \#(footer) }"#,
        ] {
            expectRecords(try CollectedIntake(.openHealthExporter, body))
        }
    }

    @Test("a document's header applies to its records, wherever it is")
    func documentHeader() throws {
        let aggregate =
            #"{"bucketEnd":"2026-03-01T09:00:00Z","bucketStart":"2026-03-01T08:00:00Z","#
            + #""emitSeq":1,"kind":"aggregate","#
            + #""metricId":"step_count","statistic":"sum","unit":"count","#
            + #""value":8}"#
        let body = #"{"records":[\#(aggregate)],"header":{"exporterId":"phone-3"}}"#
        let intake = try CollectedIntake(.openHealthExporter, body + "\n" + body)
        #expect(intake.totals.map(\.series) == ["phone-3|sum|||", "phone-3|sum|||"])
    }

    @Test("a damaged document is refused, and one that was written again can't be compared")
    func documentDigest() throws {
        let footer = ExporterText.footer("sha256:" + Self.recordDigest)
        let damaged = records.joined(separator: ",").replacing(":31", with: ":32")
        let body = #"{"footer":\#(footer),"records":[\#(damaged)]}"#
        #expect(pages(of: body, .digestMismatch) == 0)
        let pretty = records.map { $0.replacing(",\"unit\"", with: ",\n  \"unit\"") }
            .joined(separator: ",\n")
        expectRecords(
            try CollectedIntake(
                .openHealthExporter, #"{"footer":\#(footer),"records":[\#(pretty)]}"#))
    }

    @Test("invented records of a demonstration are kept, and aren't samples")
    func demo() throws {
        let header = ExporterText.header(#""demo":true,"exporterId":"phone-1""#)
        let body = ExporterText.batch([ExporterText.steps(1)], header: header)
        let intake = try CollectedIntake(
            .openHealthExporter, body + ExporterText.batch([ExporterText.steps(2)]))
        #expect(intake.unknown.map(\.name) == ["demo"])
        #expect(intake.samples.map(\.identity) == [ExporterText.identity(2)])
    }

    @Test("a tombstone is a deletion with its reason")
    func tombstones() throws {
        func tombstone(_ number: Int, _ fields: String) -> String {
            #"{"batchSeq":1,"bestEffort":true,"kind":"tombstone","#
                + #""observedAt":"2026-03-01T09:00:00Z","uuid":"\#(ExporterText.uuid(number))","#
                + #""v":1\#(fields)}"#
        }
        let intake = try CollectedIntake(exporter: [
            tombstone(1, #","metricId":"step_count","reason":"healthKitDeleted""#),
            tombstone(2, #","reason":"reconciliationAbsent","targetKind":"workout""#),
            tombstone(3, #","reason":"authorizationRevoked""#),
            tombstone(4, #","reason":"tidiedUp""#), tombstone(5, ""),
            #"{"kind":"tombstone","reason":"healthKitDeleted","uuid":"x"}"#,
        ])
        #expect(
            intake.deletions == [
                IntakeDeletion(uuid: ExporterText.sampleUUID(1), reason: .deleted, index: 0),
                IntakeDeletion(uuid: ExporterText.sampleUUID(2), reason: .notFound, index: 1),
                IntakeDeletion(
                    uuid: ExporterText.sampleUUID(3), reason: .authorizationRevoked, index: 2),
            ])
        #expect(intake.unknown.map(\.name) == ["tombstone.reason", "tombstone.reason"])
        #expect(intake.rejections.map(\.reason) == [.identifier])
        #expect(intake.rejections.map(\.identifier) == ["x"])
    }

    @Test(
        "kinds without samples in the store are kept by name",
        arguments: [
            "sample.ecg", "sample.audiogram", "series.ecgVoltage", "series.heartbeat",
            "series.workoutMetric", "medicationDose", "characteristic", "run.receipt", "canary",
            "future.record",
        ])
    func otherKinds(kind: String) throws {
        let record = #"{"batchSeq":5,"kind":"\#(kind)","opaque":{"anything":[true,1.5]},"v":1}"#
        let intake = try CollectedIntake(.openHealthExporter, record)
        #expect(intake.unknown == [UnknownRecord(name: kind, json: record, index: 0)])
        #expect(intake.samples.isEmpty && intake.rejections.isEmpty)
    }

    @Test("a record of another version, or without a kind, is kept")
    func versions() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.steps(1).replacing("\"v\":1", with: "\"v\":2"),
            ExporterText.steps(2).replacing("\"v\":1", with: "\"v\":\"one\""),
            ExporterText.steps(3).replacing("\"v\":1,", with: ""), #"{"value":4}"#, "[5]", "6",
        ])
        #expect(intake.unknown.map(\.name) == ["v", "v", "kind", "kind", "kind"])
        #expect(intake.samples.map(\.identity) == [ExporterText.identity(3)])
        #expect(intake.recordCount == 6)
    }

    @Test(
        "a body of another shape is refused",
        arguments: [
            "[]", "5", #""text""#, "{}", #"{"data":{"metrics":[]}}"#, #"{"records":{}}"#,
        ])
    func otherShapes(body: String) {
        #expect(throws: IntakeError.self) { try CollectedIntake(.openHealthExporter, body) }
    }

    @Test("a body that ends too early is refused before any page", arguments: [0, 1, 200, 700])
    func truncated(count: Int) {
        let body = String(ExporterText.batch(records).prefix(count))
        var pages = 0
        let request = IntakeRequest(.openHealthExporter, IntakeBody(body), receivedAt: 0)
        #expect(throws: IntakeError.self) {
            _ = try request.readPages(limit: 1) { _ in pages += 1 }
        }
        #expect(pages == 0)
    }

    /// The receiver sequence of the format's specification: colinedwardwood/open-health-export,
    /// `spec/v1.0.0/fixtures/receiver-sequence.ndjson`, synthetic data under CC0-1.0.
    private static let sequence = #"""
        {"batchSeq":1,"end":"2026-01-01T00:01:00Z","futureField":"ignored",\#
        "hkIdentifier":"HKQuantityTypeIdentifierStepCount","kind":"sample.quantity",\#
        "metricId":"step_count","observedAt":"2026-01-01T00:02:00Z","semantics":"curated",\#
        "start":"2026-01-01T00:00:00Z","tzOffsetMinutes":0,"tzSource":"unknown",\#
        "unit":"count","uuid":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","v":1,"value":10}
        {"batchSeq":2,"end":"2026-01-01T00:01:00Z",\#
        "hkIdentifier":"HKQuantityTypeIdentifierStepCount","kind":"sample.quantity",\#
        "metricId":"step_count","observedAt":"2026-01-01T00:03:00Z","semantics":"curated",\#
        "start":"2026-01-01T00:00:00Z","tzOffsetMinutes":0,"tzSource":"unknown",\#
        "unit":"count","uuid":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","v":1,"value":12}
        {"batchSeq":3,"end":"2026-01-01T00:01:00Z",\#
        "hkIdentifier":"HKQuantityTypeIdentifierHeartRate","kind":"sample.quantity",\#
        "metricId":"heart_rate","observedAt":"2026-01-01T00:03:00Z","semantics":"curated",\#
        "start":"2026-01-01T00:00:00Z","tzOffsetMinutes":0,"tzSource":"unknown",\#
        "unit":"bpm","uuid":"bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb","v":1,"value":72}
        {"batchSeq":4,"bestEffort":true,"hkIdentifier":"HKQuantityTypeIdentifierStepCount",\#
        "kind":"tombstone","metricId":"step_count","observedAt":"2026-01-01T00:04:00Z",\#
        "reason":"healthKitDeleted","uuid":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","v":1}
        {"batchSeq":5,"kind":"future.record","opaque":{"anything":true},"v":1}

        """#

    @Test("the receiver sequence of the specification is read")
    func receiverSequence() throws {
        let intake = try CollectedIntake(.openHealthExporter, Self.sequence)
        let steps = try #require(SampleUUID("AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA"))
        let heart = try #require(SampleUUID("BBBBBBBB-BBBB-4BBB-8BBB-BBBBBBBBBBBB"))
        #expect(intake.recordCount == 5)
        #expect(intake.samples.map(\.type) == ["stepCount", "stepCount", "heartRate"])
        #expect(intake.samples.map(\.value) == [10, 12, 72])
        #expect(intake.samples.map(\.unit) == ["count", "count", "count/min"])
        #expect(
            intake.samples.map(\.identity) == [
                .healthKit(steps), .healthKit(steps), .healthKit(heart),
            ])
        #expect(intake.samples.map(\.start) == [788_918_400, 788_918_400, 788_918_400])
        #expect(intake.samples.map(\.end) == [788_918_460, 788_918_460, 788_918_460])
        #expect(intake.samples.map(\.metadata) == [[:], [:], [:]])
        #expect(
            intake.deletions == [IntakeDeletion(uuid: steps, reason: .deleted, index: 3)])
        #expect(intake.unknown.map(\.name) == ["future.record"])
        #expect(intake.unknown.map(\.index) == [4])
        #expect(intake.rejections.isEmpty)
    }

    @Test("a resent body continues at any record with the same rest")
    func continued() throws {
        let all = try CollectedIntake(.openHealthExporter, Self.sequence)
        for first in 0...5 {
            let rest = try CollectedIntake(
                .openHealthExporter, Self.sequence, after: first, limit: 2)
            #expect(rest.recordCount == 5)
            #expect(rest.pageSizes.reduce(0, +) == 5 - first)
            #expect(rest.samples.map(\.index) == all.samples.map(\.index).filter { $0 >= first })
            #expect(rest.deletions == all.deletions.filter { $0.index >= first })
            #expect(rest.unknown == all.unknown.filter { $0.index >= first })
        }
    }
}
