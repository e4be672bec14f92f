import HealthEngine
import HealthStorage

@testable import HealthIntake

/// Writes bodies of Open Health Exporter with invented data of 1 March 2026.
enum ExporterText {
    /// 2026-03-01 00:00:00 UTC, in reference seconds.
    static let day = 794_016_000.0

    /// Returns the UUID of a number, in lower case as the app writes it.
    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0a0b0c0d-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    static func identity(_ number: Int) -> IntakeIdentity {
        .healthKit(sampleUUID(number))
    }

    static func sampleUUID(_ number: Int) -> SampleUUID {
        SampleUUID(high: 0x0a0b_0c0d_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
    }

    /// Returns a record with the fields that all have, from 8:00 to 8:10.
    static func record(_ kind: String, _ number: Int, _ fields: String) -> String {
        #"{"batchSeq":1,"kind":"\#(kind)","observedAt":"2026-03-01T09:00:00Z","v":1,"#
            + #""uuid":"\#(uuid(number))","start":"2026-03-01T08:00:00Z","#
            + #""end":"2026-03-01T08:10:00Z",\#(fields)}"#
    }

    static func steps(_ number: Int, _ value: String = "420") -> String {
        record(
            "sample.quantity", number,
            #""hkIdentifier":"HKQuantityTypeIdentifierStepCount","unit":"count","value":\#(value)"#)
    }

    static func digest(of records: [String]) -> String {
        var sum = SHA256()
        sum.update(Array(records.map { $0 + "\n" }.joined().utf8))
        return sum.finish()
    }

    static func header(_ fields: String = #""exporterId":"phone-1""#) -> String {
        #"{"batchId":"01950000-0000-7000-8000-000000000001","batchSeq":0,"kind":"batch.header","#
            + #""spec":"ohe.wire/1","specVersion":"1.0","v":1,\#(fields)}"#
    }

    static func footer(_ digest: String) -> String {
        #"{"batchId":"01950000-0000-7000-8000-000000000001","complete":true,"#
            + #""contentDigest":"\#(digest)","kind":"batch.footer","v":1}"#
    }

    /// Returns a batch of lines with header, footer and digest.
    static func batch(_ records: [String], header: String = ExporterText.header()) -> String {
        let lines = [header] + records + [footer("sha256:" + digest(of: records))]
        return lines.map { $0 + "\n" }.joined()
    }
}

extension CollectedIntake {
    /// Reads a batch of records with header, footer and digest.
    init(exporter records: [String]) throws {
        try self.init(.openHealthExporter, ExporterText.batch(records))
    }
}
