import HealthEngine
import HealthStorage

@testable import HealthIntake

/// Writes bodies of the protocol of Documentation/Protocol.md, with invented data of 1 March 2026.
enum ChangesText {
    /// 2026-03-01 00:00:00 UTC, in reference seconds.
    static let day = 794_016_000.0
    static let header =
        #"{"kind":"page","version":1,"stream":"phone/steps","from":null,"to":"1-a"}"#

    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0a0b0c0d-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    static func sampleUUID(_ number: Int) -> SampleUUID {
        SampleUUID(high: 0x0a0b_0c0d_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
    }

    /// Returns a sample from 8:00 to 8:10.
    static func sample(_ number: Int, _ type: String, _ fields: String = "") -> String {
        #"{"kind":"sample","uuid":"\#(uuid(number))","type":"\#(type)","#
            + #""start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z""#
            + (fields.isEmpty ? "}" : ",\(fields)}")
    }

    static func steps(_ number: Int, value: String = "420") -> String {
        sample(
            number, "HKQuantityTypeIdentifierStepCount", #""value":\#(value),"unit":"count""#)
    }
}

extension CollectedIntake {
    /// Reads a page of records.
    init(
        changes records: [String], header: String = ChangesText.header, limit: Int = 10_000
    ) throws {
        let body = ([header] + records).map { $0 + "\n" }.joined()
        try self.init(.changes, body, limit: limit)
    }
}
