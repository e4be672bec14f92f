import HealthEngine

@testable import HealthIntake

/// Requests of the SDK of Open Wearables, with invented data.
enum SDKRequest {
    static let id = "5B1F0A6C-0000-4000-8000-00000000000A"
    /// The UUID of ``id``.
    static let uuid = SampleUUID(high: 0x5B1F_0A6C_0000_4000, low: 0x8000_0000_0000_000A)

    /// Reads a body of version 0.13 with the given lists.
    static func read(
        records: String = "", sleep: String = "", workouts: String = ""
    ) throws -> CollectedIntake {
        try CollectedIntake(
            .openWearables,
            #"""
            {"provider":"apple","sdkVersion":"0.13.0","syncTimestamp":"2026-03-01T08:20:00Z",
             "data":{"workouts":[\#(workouts)],"records":[\#(records)],"sleep":[\#(sleep)]}}
            """#)
    }

    /// Reads one quantity or category. Value and unit are JSON.
    static func record(
        _ type: String, _ value: String, _ unit: String = "null", metadata: String = "null"
    ) throws -> CollectedIntake {
        try read(
            records: #"""
                {"id":"\#(id)","type":"\#(type)",\#(times),"value":\#(value),"unit":\#(unit),
                 "metadata":\#(metadata)}
                """#)
    }

    static let times = #""startDate":"2026-03-01T08:15:00Z","endDate":"2026-03-01T08:16:30Z""#
    /// 2026-03-01 08:15:00 UTC.
    static let start = Double(CivilDate(2026, 3, 1).dayNumber) * 86_400 + 8 * 3600 + 15 * 60
    static let end = start + 90
}
