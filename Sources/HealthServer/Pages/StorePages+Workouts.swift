import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension StorePages {
    /// The page of workouts: the list of a filter, with the details of one.
    @Sendable func workouts(_ query: PageQuery) async throws -> WorkoutsPage {
        let id = try workoutIdentifier(of: query)
        let filter = try workoutFilter(of: query)
        let before = try query.moment("before")
        let unit = try query.choice("splits", of: WorkoutSplit.Unit.self) ?? .ofReader
        let range = DateInterval(
            start: .distantPast, end: before.map { max($0, .distantPast) } ?? .distantFuture)
        let (context, memo) = (context, workoutHistory)
        // Read before the workouts, so that a later change makes the history stale.
        let revision = try memo.revision(in: store)
        let counts = try workoutCounts(on: filter)
        let words =
            "workouts \(id?.uuidString ?? "") \(unit.rawValue) "
            + "of \(filter.activity ?? "all") "
            + "from \(filter.from?.description ?? "") to \(filter.to?.description ?? "")"
            + (before.map { " before \($0.timeIntervalSinceReferenceDate)" } ?? "")
        let page = try await current(words, context, of: [.workouts, .heartRate]) {
            service async throws(Unavailability) in
            let history = try await memo.history(at: revision, on: context.today) {
                () async throws(Unavailability) in
                try await WorkoutHistory(of: service.service, context: context)
            }
            return try await WorkoutsPage(
                of: service, over: range, filter: filter, chosen: id, splitUnit: unit,
                counts: counts, history: history, context: context)
        }
        if id != nil, page.detail == nil {
            throw PageError.notFound("There is no workout with this identifier.")
        }
        return page
    }

    private func workoutIdentifier(of query: PageQuery) throws -> UUID? {
        guard let name = query.name else { return nil }
        guard let uuid = UUID(uuidString: name) else {
            throw PageError.notFound("“\(name)” is not a workout identifier.")
        }
        return uuid
    }

    /// Returns the filter in the fields "activity", "from" and "to".
    private func workoutFilter(of query: PageQuery) throws -> WorkoutFilter {
        // Also as in Apple's API: "traditionalStrengthTraining".
        let activity = query["activity"].map { TypeText.split($0) }
        if let activity, !WorkoutFilter.activities.contains(activity) {
            throw PageError.badRequest(
                "“\(activity.prefix(40))” is not an activity. Choose one of the list.")
        }
        let (first, last) = (try day("from", of: query), try day("to", of: query))
        if let first, let last, first > last {
            throw PageError.badRequest("The range ends before it starts: \(first) to \(last).")
        }
        return WorkoutFilter(activity: activity, from: first, to: last)
    }

    private func workoutCounts(on filter: WorkoutFilter) throws -> WorkoutsPage.Counts {
        guard let type = Catalogue.type(identifier: Metric.workouts.identifier) else {
            return WorkoutsPage.Counts(total: 0, inRange: 0)
        }
        func count(from: Double, to: Double) throws -> Int {
            try store.starts(of: type, from: from, to: to)?.samples ?? 0
        }
        let total = try count(from: -.infinity, to: .infinity)
        guard filter.hasDays else { return WorkoutsPage.Counts(total: total, inRange: total) }
        let days = filter.interval(calendar.calendar)
        return WorkoutsPage.Counts(
            total: total,
            inRange: try count(
                from: days.start.timeIntervalSinceReferenceDate,
                to: days.end.timeIntervalSinceReferenceDate))
    }
}
