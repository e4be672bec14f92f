import HealthEngine

@testable import HealthIntake

/// Requests of Health Auto Export, with invented data.
enum AppExport {
    /// Reads a body with the app's headers.
    static func read(
        _ body: String, aggregation: String? = nil, automation: String? = nil,
        after firstRecord: Int = 0, limit: Int = 10_000
    ) throws -> CollectedIntake {
        var headers: [(name: String, value: String)] = []
        if let aggregation { headers.append(("automation-aggregation", aggregation)) }
        if let automation { headers.append(("Automation-ID", automation)) }
        return try CollectedIntake(
            .healthAutoExport, body, headers: headers, after: firstRecord, limit: limit)
    }

    /// Reads the data of one metric, of points unless an aggregation is given.
    static func metric(
        _ name: String, _ units: String, _ data: String, aggregation: String? = "None",
        automation: String? = nil
    ) throws -> CollectedIntake {
        try read(
            #"{"data":{"metrics":[{"name":"\#(name)","units":"\#(units)","data":[\#(data)]}]}}"#,
            aggregation: aggregation, automation: automation)
    }

    /// Reads the records of another list.
    static func list(_ name: String, _ records: String) throws -> CollectedIntake {
        try read(#"{"data":{"\#(name)":[\#(records)]}}"#)
    }

    /// An instant of UTC in reference seconds.
    static func utc(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0,
        _ second: Double = 0
    ) -> Double {
        Double(CivilDate(year, month, day).dayNumber) * 86_400
            + Double(hour * 3600 + minute * 60) + second
    }

    /// The metadata of samples of points.
    static func verdict(_ reason: String, _ more: Metadata = [:]) -> Metadata {
        let verdict: Metadata = [
            "healthautoexport.verdict": .string("point"),
            "healthautoexport.reason": .string(reason),
        ]
        return verdict.merging(more) { $1 }
    }
}

extension CollectedIntake {
    /// The numbers of samples, totals, unknown records and rejections.
    var counts: [Int] { [samples.count, totals.count, unknown.count, rejections.count] }

    /// The workouts of the samples.
    var workouts: [Workout] {
        samples.compactMap { sample in
            if case .workout(let workout)? = sample.detail { workout } else { nil }
        }
    }
}
