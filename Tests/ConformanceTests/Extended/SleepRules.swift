import Testing

@testable import PortableConformance

/// §10.6 and §10.7: nights of several sources.
@Suite struct SleepRules {
    @Test("§10.6 overlapping time in bed and time asleep are both kept")
    func overlappingSamples() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save(
            [sleep(.inBed, at(22), at(30)), sleep(.asleepCore, at(23), at(29))], as: .watch)
        let seconds = try fixture.seconds(
            of: HKCategoryType(.sleepAnalysis), from: at(18), to: at(42))
        #expect(seconds[HKCategoryValueSleepAnalysis.inBed.rawValue] == 28_800)
        #expect(seconds[HKCategoryValueSleepAnalysis.asleepCore.rawValue] == 21_600)
    }

    @Test("§10.7 a night's sleep is the union of its asleep samples: 5:40 of forum thread 105145")
    func publishedNight() async throws {
        let fixture = try MemoryFixture()
        let times = [
            ((4, 55), (5, 40)), ((5, 45), (5, 55)), ((6, 0), (7, 50)), ((7, 55), (10, 50)),
        ]
        for (start, end) in times {
            let (start, end) = (at(start.0, start.1), at(end.0, end.1))
            try await fixture.save(
                [sleep(.asleepUnspecified, start, end), sleep(.inBed, start, end)], as: .watch)
        }
        let seconds = try fixture.seconds(
            of: HKCategoryType(.sleepAnalysis), from: at(-6), to: at(18))
        #expect(seconds[HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue] == 20_400)
    }

    @Test("§10.7 at each time the source of highest priority counts, and others fill its gaps")
    func severalSources() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([sleep(.asleepDeep, at(23), at(26))], as: .watch)
        try await fixture.save([sleep(.asleepREM, at(22), at(28))], as: .ring)
        let seconds = try fixture.seconds(
            of: HKCategoryType(.sleepAnalysis), from: at(18), to: at(42))
        #expect(seconds[HKCategoryValueSleepAnalysis.asleepDeep.rawValue] == 10_800)
        #expect(seconds[HKCategoryValueSleepAnalysis.asleepREM.rawValue] == 10_800)
    }
}
