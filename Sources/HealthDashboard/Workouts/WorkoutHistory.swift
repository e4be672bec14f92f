import Foundation
import HealthCalendar

/// The activities, weekly totals and records of all workouts.
public struct WorkoutHistory: Hashable, Sendable {
    /// An activity and the number of its workouts.
    public struct Activity: Hashable, Sendable, Codable {
        /// The activity's display name, as in ``WorkoutSummary/activity``.
        public var name: String
        /// The number of workouts.
        public var count: Int

        public init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// The number of weeks; see ``weeks(of:)``.
    static let weekCount = 12
    /// The maximum number of activities whose records are shown together.
    static let activitiesWithRecords = 5

    /// The activities, the one with the most workouts first.
    public private(set) var activities: [Activity] = []
    /// The weeks of each activity, with workouts only.
    private var weeksByActivity: [String: [Int: WorkoutWeek]] = [:]
    private var recordsByActivity: [String: [WorkoutRecord.Kind: WorkoutRecord]] = [:]
    /// The starts of the weeks, and the end of the last one; empty without workouts.
    private var boundaries: [Date] = []

    /// The number of all workouts.
    public var count: Int { activities.reduce(0) { $0 + $1.count } }

    /// Creates the history of workouts.
    ///
    /// - Parameters:
    ///   - workouts: The workouts in any order.
    ///   - context: The time and calendar.
    init(_ workouts: [WorkoutSummary], context: PageContext) {
        var counts: [String: Int] = [:]
        add(workouts.sorted { $0.start > $1.start }, to: &counts, context)
        sort(counts)
    }

    /// Reads all workouts of a service in pages.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``; ``Unavailability/notDetermined`` without requested
    ///   authorization for workouts.
    /// - Complexity: O(workouts). Memory is constant.
    public init(
        of service: some HealthService, context: PageContext
    ) async throws(Unavailability) {
        try await self.init(WorkoutPages(of: service, Self.always), context)
    }

    /// Reads all workouts of HealthKit in pages, without looking for their routes.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``.
    package init(
        of service: HealthKitService, context: PageContext
    ) async throws(Unavailability) {
        let pages = WorkoutPages(Self.always) { (range, limit) async throws(Unavailability) in
            try await service.workoutsWithoutRoutes(range, limit: limit)
        }
        try await self.init(pages, context)
    }

    private init(
        _ pages: WorkoutPages, _ context: PageContext
    ) async throws(Unavailability) {
        var pages = pages
        var counts: [String: Int] = [:]
        while let page = try await pages.next() { add(page, to: &counts, context) }
        sort(counts)
    }

    private static var always: DateInterval {
        DateInterval(start: .distantPast, end: .distantFuture)
    }
}

extension WorkoutHistory {
    /// Returns the totals of the twelve calendar weeks to that of the newest workout that has
    /// started. The weeks are those of all activities.
    ///
    /// - Parameter activity: The activity's display name; nil for all activities.
    /// - Returns: The weeks, the earliest first; empty without workouts.
    package func weeks(of activity: String? = nil) -> [WorkoutWeek] {
        var weeks = zip(boundaries, boundaries.dropFirst()).map {
            WorkoutWeek(start: $0, end: $1)
        }
        // In the order of names, so that sums are equal in each run.
        let names = activity.map { [$0] } ?? weeksByActivity.keys.sorted()
        for (index, week) in names.compactMap({ weeksByActivity[$0] }).joined()
        where weeks.indices.contains(index) {
            weeks[index].add(week)
        }
        return weeks
    }

    /// Returns the records of an activity, or those of the five activities with the most workouts.
    ///
    /// - Parameter activity: The activity's display name; nil for several activities.
    /// - Returns: The records in the order of the activities and of ``WorkoutRecord/Kind``.
    package func records(of activity: String? = nil) -> [WorkoutRecord] {
        let names =
            activity.map { [$0] } ?? activities.prefix(Self.activitiesWithRecords).map(\.name)
        return names.flatMap { name in
            WorkoutRecord.Kind.allCases.compactMap { recordsByActivity[name]?[$0] }
        }
    }
}

extension WorkoutHistory {
    /// Adds workouts that started before all earlier ones, the newest first.
    private mutating func add(
        _ workouts: [WorkoutSummary], to counts: inout [String: Int], _ context: PageContext
    ) {
        for workout in workouts {
            counts[workout.activity, default: 0] += 1
            for kind in WorkoutRecord.Kind.allCases {
                guard let record = WorkoutRecord(kind, of: workout) else { continue }
                let held = recordsByActivity[workout.activity]?[kind]
                if held.map({ record.replaces($0) }) ?? true {
                    recordsByActivity[workout.activity, default: [:]][kind] = record
                }
            }
            addToWeek(workout, context)
        }
    }

    private mutating func addToWeek(_ workout: WorkoutSummary, _ context: PageContext) {
        // A clock that was wrong may have recorded a workout in the future.
        guard workout.start <= context.now else { return }
        if boundaries.isEmpty {
            let calendar = context.calendar
            boundaries = (0..<Self.weekCount).reversed().map { weeks in
                calendar.start(of: .week, weeks, before: workout.start)
            }
            boundaries.append(calendar.interval(of: .week, containing: workout.start).end)
        }
        guard let end = boundaries.firstIndex(where: { workout.start < $0 }), end > 0 else {
            return
        }
        let new = WorkoutWeek(start: boundaries[end - 1], end: boundaries[end])
        weeksByActivity[workout.activity, default: [:]][end - 1, default: new].add(workout)
    }

    private mutating func sort(_ counts: [String: Int]) {
        activities = counts.map { Activity(name: $0.key, count: $0.value) }
            .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
    }
}
