import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Activity summaries")
struct ActivitySummaryTests {
    let store = HKHealthStore.inMemory(
        identity: AppIdentity("com.example.rings"), configuration: .withoutSummary)

    /// Writes summaries like an import: rows without an app.
    private func write(_ days: [ActivitySummary]) throws {
        let row = try #require(HKObjectType.activitySummaryType().row)
        var batch = SampleBatch(
            sources: [Source(name: "Health", bundleIdentifier: "com.apple.Health")],
            origins: [Origin(source: 0)])
        for (index, day) in days.enumerated() {
            let time = Double(try #require(CivilDate(day.date)).dayNumber) * 86_400
            batch.samples.append(
                Sample(type: row.code, origin: 0, metadata: -1, start: time, end: time, value: .nan)
            )
            batch.details[index] = .activitySummary(day)
        }
        _ = try store.connection.store.save(
            batch, uuids: days.map { _ in SampleUUID(UUID()) }, at: 0)
        store.connection.feed.wake()
    }

    private func day(_ date: String, energy: Double = 400) -> ActivitySummary {
        var summary = ActivitySummary(date: date)
        summary.activeEnergyBurned = energy
        summary.activeEnergyBurnedGoal = 500
        summary.activeEnergyBurnedUnit = "kcal"
        summary.appleExerciseTime = 30
        summary.appleExerciseTimeGoal = 40
        summary.appleStandHours = 11
        summary.appleStandHoursGoal = 12
        return summary
    }

    private func components(_ day: Int) -> DateComponents {
        DateComponents(
            calendar: Calendar(identifier: .gregorian), year: 2024, month: 3, day: day)
    }

    private func authorize() async throws {
        try await store.requestAuthorization(
            toShare: [], read: [HKObjectType.activitySummaryType()])
    }

    @Test(
        "§10.1 a summary has its quantities, and its day in any calendar",
        .covers(
            "HKActivitySummary", "HKActivitySummary.appleExerciseTime",
            "HKActivitySummary.activeEnergyBurned", "HKActivitySummary.exerciseTimeGoal",
            "HKActivitySummary.standHoursGoal", "HKActivitySummary.init()",
            "HKActivitySummaryQueryDescriptor.result(for:)",
            "HKActivitySummary.activeEnergyBurnedGoal", "HKActivitySummary.appleStandHours",
            "HKActivitySummary.appleExerciseTimeGoal", "HKActivitySummary.appleMoveTime",
            "HKActivitySummary.appleStandHoursGoal", "HKActivitySummary.dateComponents(for:)",
            "HKActivitySummaryQueryDescriptor", "HKActivitySummaryQueryDescriptor.init(predicate:)")
    )
    func quantities() async throws {
        try await authorize()
        try write([day("2024-03-10")])
        let summaries = try await HKActivitySummaryQueryDescriptor(predicate: nil)
            .result(for: store)
        let summary = try #require(summaries.first)
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 400)
        #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 500)
        #expect(summary.appleExerciseTime.doubleValue(for: .minute()) == 30)
        #expect(summary.appleExerciseTimeGoal.doubleValue(for: .minute()) == 40)
        #expect(summary.exerciseTimeGoal?.doubleValue(for: .minute()) == 40)
        #expect(summary.appleStandHours.doubleValue(for: .count()) == 11)
        #expect(summary.appleStandHoursGoal.doubleValue(for: .count()) == 12)
        #expect(summary.standHoursGoal?.doubleValue(for: .count()) == 12)
        #expect(summary.appleMoveTime.doubleValue(for: .minute()) == 0)
        #expect(summary.activityMoveMode == .activeEnergy)
        let gregorian = summary.dateComponents(for: Calendar(identifier: .gregorian))
        #expect(gregorian.era == 1)
        #expect(gregorian.year == 2024)
        #expect(gregorian.month == 3)
        #expect(gregorian.day == 10)
        #expect(gregorian.calendar?.identifier == .gregorian)
        let buddhist = summary.dateComponents(for: Calendar(identifier: .buddhist))
        #expect(buddhist.year == 2567)
        #expect(buddhist.day == 10)
        let empty = HKActivitySummary()
        #expect(empty.dateComponents(for: .current).day == nil)
        #expect(empty.exerciseTimeGoal == nil && empty.standHoursGoal == nil)
        #expect(empty.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 0)
        #expect(!empty.isPaused && empty.activityMoveMode == .activeEnergy)
        empty.appleExerciseTimeGoal = HKQuantity(unit: .hour(), doubleValue: 1)
        empty.appleStandHoursGoal = HKQuantity(unit: .count(), doubleValue: 9)
        #expect(empty.exerciseTimeGoal?.doubleValue(for: .minute()) == 60)
        #expect(empty.standHoursGoal?.doubleValue(for: .count()) == 9)
    }

    @Test(
        "§10.1 the move ring of a day with a goal for time and none for energy measures time",
        .covers(
            "HKActivitySummary.activityMoveMode", "HKActivitySummary.appleMoveTime",
            "HKActivitySummary.appleMoveTimeGoal", "HKActivitySummaryQueryDescriptor.predicate"))
    func moveTime() async throws {
        try await authorize()
        var moving = ActivitySummary(date: "2024-03-11")
        moving.appleMoveTime = 25
        moving.appleMoveTimeGoal = 60
        try write([day("2024-03-10"), moving])
        var descriptor = HKActivitySummaryQueryDescriptor(predicate: nil)
        descriptor.predicate = HKQuery.predicateForActivitySummary(with: components(11))
        let found = try await descriptor.result(for: store)
        #expect(found.map(\.activityMoveMode) == [.appleMoveTime])
        let stored = try #require(found.first)
        let copied = try #require(stored.copy() as? HKActivitySummary)
        for summary in [stored, try archived(stored), copied] {
            #expect(summary.activityMoveMode == .appleMoveTime)
            #expect(summary.appleMoveTime.doubleValue(for: .minute()) == 25)
            #expect(summary.appleMoveTimeGoal.doubleValue(for: .minute()) == 60)
        }
    }

    @Test(
        "§10.1 a predicate between two days includes both",
        .covers(
            "HKActivitySummaryQuery", "HKActivitySummaryQuery.init(predicate:resultsHandler:)",
            "HKQuery.predicateForActivitySummary(with:)"))
    func inclusive() async throws {
        try await authorize()
        try write((1...9).map { day("2024-03-0\($0)") })
        let between = HKQuery.predicate(
            forActivitySummariesBetweenStart: components(3), end: components(5))
        let found = try await HKActivitySummaryQueryDescriptor(predicate: between)
            .result(for: store)
        let days = found.map { $0.dateComponents(for: Calendar(identifier: .gregorian)).day }
        #expect(days == [3, 4, 5])
        let one: [HKActivitySummary] = try await withCheckedThrowingContinuation { continuation in
            store.execute(
                HKActivitySummaryQuery(
                    predicate: HKQuery.predicateForActivitySummary(with: components(7))
                ) { _, summaries, error in
                    if let error { continuation.resume(throwing: error) }
                    if let summaries { continuation.resume(returning: summaries) }
                })
        }
        #expect(one.count == 1)
    }

    @Test("§10.1 date components without a calendar are rejected")
    func calendarIsNeeded() async throws {
        try await authorize()
        let bare = DateComponents(year: 2024, month: 3, day: 1)
        await #expect {
            _ = try await HKActivitySummaryQueryDescriptor(
                predicate: HKQuery.predicateForActivitySummary(with: bare)
            ).result(for: store)
        } throws: { isInvalidArgument($0) }
    }

    @Test(
        "a type never requested fails with code 5; the later summary of a day replaces the earlier")
    func authorization() async throws {
        await #expect {
            _ = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
        } throws: { ($0 as? HKError)?.code == .errorAuthorizationNotDetermined }
        try await authorize()
        try write([day("2024-03-10", energy: 100), day("2024-03-10", energy: 200)])
        let found = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
        #expect(found.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } == [200])
    }

    @Test(
        "a query with an update handler keeps running and reports the changed days",
        .covers("HKActivitySummaryQueryDescriptor.results(for:)"))
    func updates() async throws {
        try await authorize()
        try write([day("2024-03-10")])
        var counts: [Int] = []
        for try await summaries in HKActivitySummaryQueryDescriptor(predicate: nil)
            .results(for: store)
        {
            counts.append(summaries.count)
            if counts.count == 2 { break }
            try write([day("2024-03-11"), day("2024-03-12")])
        }
        #expect(counts == [1, 2])
    }

    @Test(
        "§10.1 the update handler receives the days that were added and those that changed",
        .covers("HKActivitySummaryQuery.updateHandler"))
    func updateHandler() async throws {
        try await authorize()
        try write([day("2024-03-10"), day("2024-03-11")])
        let (first, later) = (Received<[Double]>(), Received<[Double]>())
        @Sendable func energies(_ summaries: [HKActivitySummary]?) -> [Double] {
            (summaries ?? []).map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) }
        }
        let query = HKActivitySummaryQuery(predicate: nil) { _, summaries, _ in
            first(energies(summaries))
        }
        #expect(query.updateHandler == nil)
        query.updateHandler = { _, summaries, _ in later(energies(summaries)) }
        #expect(query.updateHandler != nil)
        store.execute(query)
        #expect(try await first.next() == [400, 400])
        try write([day("2024-03-11", energy: 450), day("2024-03-12", energy: 90)])
        #expect(try await later.next() == [450, 90])
        #expect(first.count == 1)
        store.stop(query)
    }

    @Test("an error after the first results is reported to the update handler")
    func updateError() async throws {
        try await authorize()
        let (first, later) = (Received<HKError.Code?>(), Received<HKError.Code?>())
        let query = HKActivitySummaryQuery(predicate: nil) { first(($2 as? HKError)?.code) }
        query.updateHandler = { later(($2 as? HKError)?.code) }
        store.execute(query)
        #expect(try await first.next() == nil)
        try store.setAuthorization(nil, for: [.activitySummaryType()])
        try write([day("2024-03-10")])
        #expect(try await later.next(within: 5) == .errorAuthorizationNotDetermined)
        #expect(first.count == 1)
        store.stop(query)
    }

    @Test(
        "an unarchived or copied summary equals the original",
        .covers("HKActivitySummary.isPaused"))
    func archive() throws {
        let summary = HKActivitySummary(_summary: day("2024-03-10"))
        summary.isPaused = true
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: summary, requiringSecureCoding: true)
        let archived = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKActivitySummary.self, from: data))
        let copied = try #require(summary.copy() as? HKActivitySummary)
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        for copy in [archived, copied] {
            #expect(copy.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 400)
            #expect(copy.standHoursGoal?.doubleValue(for: .count()) == 12)
            #expect(copy.isPaused)
            #expect(copy.dateComponents(for: Calendar(identifier: .gregorian)).month == 3)
        }
    }
}
