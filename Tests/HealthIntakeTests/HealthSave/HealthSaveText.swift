import HealthEngine
import HealthStorage

@testable import HealthIntake

/// Writes batches of HealthSave with invented data of 1 March 2026.
enum HealthSaveText {
    /// 2026-03-01 00:00:00 UTC, in reference seconds.
    static let day = 794_016_000.0

    /// Returns the UUID of a number, in upper case as HealthKit writes it.
    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "1A1B1C1D-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    static func sampleUUID(_ number: Int) -> SampleUUID {
        SampleUUID(high: 0x1a1b_1c1d_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
    }

    static func identity(_ number: Int) -> IntakeIdentity { .healthKit(sampleUUID(number)) }

    /// Returns a sample of version 2 from 8:00 to 8:10.
    static func sample(_ number: Int, _ fields: String) -> String {
        #"{"uuid":"\#(uuid(number))","startDate":"2026-03-01T08:00:00Z","#
            + #""endDate":"2026-03-01T08:10:00Z",\#(fields)}"#
    }

    static func version1(_ metric: String, _ samples: [String]) -> String {
        #"{"metric":"\#(metric)","batch_index":0,"total_batches":1,"samples":["#
            + samples.joined(separator: ",") + "]}"
    }

    static func version2(
        _ metric: String, _ samples: [String], deletions: [String] = [], _ more: String = ""
    ) -> String {
        #"{"schema_version":2,"metric":"\#(metric)","batch_index":0,"total_batches":1,"samples":["#
            + samples.joined(separator: ",") + #"],"deletions":["#
            + deletions.joined(separator: ",") + "]\(more)}"
    }
}
