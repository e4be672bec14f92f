import Foundation

extension WorkoutsPage {
    /// The numbers of workouts in the store, which a ``HealthService`` cannot report.
    public struct Counts: Hashable, Sendable {
        /// The number of all workouts.
        public var total: Int
        /// The number of workouts of any activity on the filter's days.
        public var inRange: Int

        public init(total: Int, inRange: Int) {
            self.total = total
            self.inRange = inRange
        }
    }

    /// The listed workouts of a page.
    struct Listing {
        private(set) var workouts: [WorkoutSummary] = []
        /// The `before=` parameter of the next page; nil if all are listed.
        private(set) var older: Date?
        /// The number of workouts of the filter; nil if it is not known.
        var matching: Int?

        /// Reads the newest workouts of a range and a filter.
        init(
            of service: some HealthService, over range: DateInterval, limit: Int,
            _ filter: WorkoutFilter, _ history: WorkoutHistory, _ context: PageContext
        ) async throws(Unavailability) {
            let days = filter.interval(context.calendar)
            let start = max(range.start, days.start)
            let end = max(start, min(range.end, days.end))
            let listed = DateInterval(start: start, end: end)
            // One more than are listed shows whether there are more.
            if filter.activity == nil {
                workouts = try await service.workouts(listed, limit: limit + 1)
                matching = filter.hasDays ? nil : history.count
            } else if filter.hasDays {
                try await search(WorkoutPages(of: service, days), filter, before: end, limit)
            } else {
                matching = history.activities.first { $0.name == filter.activity }?.count ?? 0
                try await find(WorkoutPages(of: service, listed), filter, limit)
            }
            guard workouts.count > limit else { return }
            workouts.removeLast(workouts.count - limit)
            older = WorkoutPages.end(after: workouts)
        }

        /// Reads workouts until there is one more than the limit.
        private mutating func find(
            _ pages: WorkoutPages, _ filter: WorkoutFilter, _ limit: Int
        ) async throws(Unavailability) {
            var pages = pages
            while workouts.count <= limit, let page = try await pages.next() {
                workouts += page.filter { filter.hasActivity(of: $0) }
            }
        }

        /// Reads all workouts, counts those of the filter, and keeps those to list.
        private mutating func search(
            _ pages: WorkoutPages, _ filter: WorkoutFilter, before end: Date, _ limit: Int
        ) async throws(Unavailability) {
            var pages = pages
            var count = 0
            while let page = try await pages.next() {
                let found = page.filter { filter.hasActivity(of: $0) }
                count += found.count
                let older = found.filter { $0.start < end }
                workouts += older.prefix(max(0, limit + 1 - workouts.count))
            }
            matching = count
        }
    }
}
