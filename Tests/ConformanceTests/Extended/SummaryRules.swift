import Testing

@testable import PortableConformance

/// §10.1: activity summaries, which apps can't save and an export contains.
@Suite struct SummaryRules {
    @Test(
        "§10.1 summaries are selected from one day through another, in a given calendar",
        .covers(
            "HKActivitySummaryQuery", "HKActivitySummaryQueryDescriptor",
            "HKQuery.predicate(forActivitySummariesBetweenStart:end:)",
            "HKQuery.predicateForActivitySummary(with:)", "HKActivitySummary"))
    func summaries() async throws {
        let lines = (1...5).map { day in
            """
            <ActivitySummary dateComponents="2024-05-0\(day)" activeEnergyBurned="\(100 * day)" \
            activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleMoveTime="0" \
            appleMoveTimeGoal="0" appleExerciseTime="\(10 * day)" appleExerciseTimeGoal="30" \
            appleStandHours="12" appleStandHoursGoal="10"/>
            """
        }
        try await FileFixture.imported(lines) { fixture in
            let store = try fixture.handle(.diary)
            try await store.requestAuthorization(
                toShare: [], read: [HKObjectType.activitySummaryType()])
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            func day(_ number: Int) -> DateComponents {
                DateComponents(calendar: calendar, year: 2024, month: 5, day: number)
            }
            let range = HKQuery.predicate(
                forActivitySummariesBetweenStart: day(2), end: day(4))
            let found = try await HKActivitySummaryQueryDescriptor(predicate: range)
                .result(for: store)
            #expect(
                found.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) }
                    == [200, 300, 400])
            #expect(found.map { $0.dateComponents(for: calendar).day } == [2, 3, 4])
            #expect(found.map { $0.appleExerciseTime.doubleValue(for: .minute()) } == [20, 30, 40])
            let one = try await HKActivitySummaryQueryDescriptor(
                predicate: HKQuery.predicateForActivitySummary(with: day(3))
            ).result(for: store)
            #expect(one.map { $0.appleStandHours.doubleValue(for: .count()) } == [12])
            let bare = HKQuery.predicate(
                forActivitySummariesBetweenStart: DateComponents(year: 2024, month: 5, day: 2),
                end: DateComponents(year: 2024, month: 5, day: 4))
            #expect(
                try await code {
                    _ = try await HKActivitySummaryQueryDescriptor(predicate: bare)
                        .result(for: store)
                } == .errorInvalidArgument)
        }
    }
}
