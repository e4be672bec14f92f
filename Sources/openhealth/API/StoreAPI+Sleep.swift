import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

extension StoreAPI {
    /// Returns the nights of `stats sleepAnalysis`, each with its stages and naps.
    @MainActor func sleep(_ request: APIRequest) async throws -> String {
        let type = try request.type(Metric.sleep.identifier, in: store)
        let calendar = try request.calendar(of: store, timeZone)
        let query = try request.query(type, calendar)
        let named = try UsageError.checking {
            try query.sources.map { try store.bundleIdentifier(ofSource: $0) }
        }
        let reading = NightReader(store: store, query: query, .each(.day), calendar)
        let nights = try await reading.nights(from: named.isEmpty ? nil : Set(named))
        return NightsJSON.value(nights, calendar).text + "\n"
    }
}

/// The JSON of nights. Durations are in seconds, and null if unknown.
enum NightsJSON {
    static func value(_ nights: [SleepNight], _ calendar: CalendarBuckets) -> JSONText {
        .object(["nights": .array(nights.map { night($0, calendar) })])
    }

    private static func night(_ night: SleepNight, _ calendar: CalendarBuckets) -> JSONText {
        let stages = SleepStatsResult.Amounts(night).stages
        return .object([
            "day": .string(night.morning.description),
            "start": .string(calendar.text(night.interval.start.timeIntervalSinceReferenceDate)),
            "end": .string(calendar.text(night.interval.end.timeIntervalSinceReferenceDate)),
            "asleep": .amount(night.asleep),
            "inBed": .amount(night.inBed),
            "stages": .object(
                SleepStage.columns.compactMap { stage in
                    stages[stage].map { (stage.name, .number($0)) }
                }),
            "naps": .array(night.naps.compactMap { nap($0, calendar) }),
        ])
    }

    private static func nap(
        _ intervals: [SleepNight.MergedInterval], _ calendar: CalendarBuckets
    ) -> JSONText? {
        guard let start = intervals.map(\.start).min(), let end = intervals.map(\.end).max() else {
            return nil
        }
        return .object([
            "start": .string(calendar.text(start.timeIntervalSinceReferenceDate)),
            "end": .string(calendar.text(end.timeIntervalSinceReferenceDate)),
            "asleep": .amount(intervals.secondsAsleep),
        ])
    }
}
