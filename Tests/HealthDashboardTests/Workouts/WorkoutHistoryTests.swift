import Foundation
import HealthCalendar
import HealthEngine
import Testing

@testable import HealthDashboard

/// Activities, weekly totals and records of all workouts.
@Suite struct WorkoutHistoryTests {
    /// Sunday, 10 March 2024, 12:00 in UTC.
    private let now = Date(timeIntervalSinceReferenceDate: 731_764_800)
    private var context: PageContext { PageContext(now: now, calendar: .gregorian(in: .gmt)) }

    private func workout(
        _ activity: String = "running", daysAgo: Double, seconds: Double = 1800,
        metres: Double? = nil, energy: Double? = nil
    ) -> WorkoutSummary {
        let start = now - daysAgo * 86_400
        return WorkoutSummary(
            id: UUID(), activity: activity, start: start, end: start + seconds, duration: seconds,
            distance: metres, energy: energy, averageHeartRate: nil, maximumHeartRate: nil,
            source: "Watch", hasRoute: false)
    }

    private func history(_ workouts: [WorkoutSummary]) -> WorkoutHistory {
        WorkoutHistory(workouts, context: context)
    }

    @Test("each record has its best workout, and of equal ones the first")
    func records() throws {
        let early = workout(daysAgo: 9, seconds: 3600, metres: 10_000, energy: 500)
        let again = workout(daysAgo: 5, seconds: 3600, metres: 10_000, energy: 500)
        // The fastest workout, but shorter than a kilometre.
        let sprint = workout(daysAgo: 4, seconds: 100, metres: 999, energy: 30)
        let fast = workout(daysAgo: 3, seconds: 300, metres: 1000, energy: 510)
        let ride = workout("cycling", daysAgo: 2, seconds: 7200, metres: 40_000)
        let rest = workout("yoga", daysAgo: 1, seconds: 0)
        let all = [sprint, again, rest, fast, early, ride]
        for workouts in [all, all.reversed()] {
            let records = history(workouts).records(of: "running")
            #expect(records.map(\.kind) == [.distance, .duration, .speed, .energy])
            #expect(records.map(\.workout) == [early.id, early.id, fast.id, fast.id])
            #expect(records.map(\.value) == [10_000, 3600, 1000.0 / 300, 510])
            #expect(records.map(\.date) == [early.start, early.start, fast.start, fast.start])
            let cycling = history(workouts).records(of: "cycling")
            #expect(cycling.map(\.kind) == [.distance, .duration, .speed])
            #expect(history(workouts).records(of: "yoga").isEmpty)
            // The activity with the most workouts comes first.
            #expect(
                history(workouts).records().map(\.activity)
                    == Array(repeating: "running", count: 4)
                    + Array(repeating: "cycling", count: 3))
        }
    }

    @Test("values that are not finite hold no record")
    func damaged() {
        let bad = workout(daysAgo: 1, seconds: .infinity, metres: .nan, energy: -.infinity)
        let good = workout(daysAgo: 2, seconds: 60, metres: 0, energy: 7)
        let found = history([bad, good])
        #expect(found.records().map(\.value) == [60, 7])
        #expect(found.weeks().last?.seconds == 60)
    }

    @Test("twelve weeks end with that of the newest workout, and begin on Monday")
    func weeks() throws {
        // Monday 4 March to Sunday 10 March is the last week.
        let workouts = [
            workout(daysAgo: 0, seconds: 600, metres: 1000), workout("yoga", daysAgo: 6.5),
            workout(daysAgo: 6.51, metres: 500), workout(daysAgo: 83.4, seconds: 60),
            workout(daysAgo: 83.6, seconds: 7),
            // A wrong clock.
            workout(daysAgo: -400),
        ]
        let found = history(workouts)
        #expect(found.count == 6)
        #expect(
            found.activities
                == [.init(name: "running", count: 5), .init(name: "yoga", count: 1)])
        let weeks = found.weeks()
        let calendar = context.calendar
        let (first, last) = (try #require(weeks.first), try #require(weeks.last))
        #expect(weeks.count == 12)
        #expect(calendar.civilDate(of: first.start) == CivilDate(2023, 12, 18))
        #expect(calendar.civilDate(of: last.start) == CivilDate(2024, 3, 4))
        #expect(zip(weeks, weeks.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(weeks.map(\.count) == [1] + Array(repeating: 0, count: 9) + [1, 2])
        #expect(weeks.map(\.seconds).suffix(2) == [1800, 2400])
        #expect(weeks.map(\.distance).suffix(2) == [500, 1000])
        #expect(weeks[0].seconds == 60 && weeks[0].distance == nil)
        #expect(found.weeks(of: "yoga").map(\.count).suffix(2) == [0, 1])
        #expect(found.weeks(of: "rowing").allSatisfy { $0.count == 0 })
        #expect(history([]).weeks().isEmpty)
    }

    @Test("a long history is read in pages, each workout once")
    func pages() async throws {
        // Twenty workouts with the same start are around the end of the first page.
        var values = FakeHealthService.Values()
        let workouts = (0..<1203).map { index in
            workout(daysAgo: (490..<510).contains(index) ? 490 : Double(index), metres: 1000)
        }
        values.workouts = workouts.reversed().map {
            WorkoutDetail(summary: $0, heartRate: [], route: [])
        }
        let service = FakeHealthService(values, calendar: context.calendar)
        let read = try await WorkoutHistory(of: service, context: context)
        #expect(read.count == 1203)
        #expect(read == history(workouts))
        #expect(await service.requestCount == 3)
        var pages = WorkoutPages(
            of: service, DateInterval(start: .distantPast, end: .distantFuture))
        var seen: [UUID] = []
        while let page = try await pages.next() { seen += page.map(\.id) }
        #expect(seen.count == 1203 && Set(seen) == Set(workouts.map(\.id)))
    }
}
