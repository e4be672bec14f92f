import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

extension StoreAPI {
    /// The maximum number of buckets of an answer.
    private static let maximumBuckets = 100_000

    @Sendable func types(_ request: APIRequest) throws -> JSONText {
        let types = try store.types(visibility: request.scope.visibility(in: store))
        return TypeList.json(types, try request.calendar(of: store, timeZone))
    }

    @Sendable func sources(_ request: APIRequest) throws -> JSONText {
        let type = try request["type"].map { try request.type($0, in: store) }
        return try SourceList(
            store, type, try request.calendar(of: store, timeZone),
            visibility: request.scope.visibility(in: store)
        ).json
    }

    @Sendable func explain(_ request: APIRequest) throws -> JSONText {
        guard let day = request["day"] else {
            throw UsageError("day is missing. Use YYYY-MM-DD, for example 2024-03-10.")
        }
        let type = try request.type(request.name, in: store)
        let explanation = try DayExplanation(
            store, type, day: day, try request.calendar(of: store, timeZone),
            visibility: request.scope.visibilityOfPermittedTypes)
        // A merged interval can have the value of a single sample.
        return ExplainJSON.value(
            explanation, intervals: request.scope.isAggregatedOnly ? .omitted : .listed)
    }

    func stats(_ request: APIRequest) async throws -> String {
        let type = try await queue.run { try request.type(request.name, in: store) }
        guard type.identifier == Metric.sleep.identifier else {
            return try await queue.run { try quantities(request, type).text + "\n" }
        }
        return try await nights(request, type).text + "\n"
    }

    private func quantities(_ request: APIRequest, _ type: SampleType) throws -> JSONText {
        let calendar = try request.calendar(of: store, timeZone)
        let query = try request.query(type, calendar)
        let step = try request.step
        try UnitOption.check(request["unit"], for: type)
        var rules = StatisticsRules()
        rules.separation = try request.flag("by-source") ? .bySource : .mergedOnly
        rules.horizon = Date.now.timeIntervalSinceReferenceDate
        let result = try StatsResult(
            reading: store, query, by: step, unit: request["unit"], rules: rules,
            calendar: calendar
        ) { edges in
            guard edges.count <= StoreAPI.maximumBuckets else {
                throw UsageError(
                    "The range has more than \(StoreAPI.maximumBuckets) buckets: use a longer by "
                        + "or a shorter range.")
            }
        }
        return StatsJSON.value(result)
    }

    /// Reads statistics of sleep. They are read on the main actor, which has no other work while a
    /// server runs.
    @MainActor private func nights(_ request: APIRequest, _ type: SampleType) async throws
        -> JSONText
    {
        let calendar = try request.calendar(of: store, timeZone)
        let query = try request.query(type, calendar)
        try UnitOption.check(request["unit"], for: type)
        let separation: StatisticsRules.Separation =
            try request.flag("by-source") ? .bySource : .mergedOnly
        return SleepJSON.value(
            try await SleepStatsResult(store, query, by: request.step, separation, calendar))
    }
}

extension APIRequest {
    /// The length of a bucket: `by`, by default a day.
    fileprivate var step: Step {
        get throws {
            guard let text = self["by"] else { return .each(.day) }
            // Groups of weekdays are another answer, which the interface doesn't have.
            guard let step = Step(argument: text), step != .weekday else {
                let names = Step.allCases.filter { $0 != .weekday }.map(\.name)
                    .joined(separator: ", ")
                throw UsageError("“\(text.prefix(40))” is not one of \(names).")
            }
            return step
        }
    }
}
