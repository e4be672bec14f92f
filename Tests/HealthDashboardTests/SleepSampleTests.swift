import Foundation
import HealthDashboard
import HealthEngine
import HealthSimulator
import OpenHealthKit
import Testing

/// HealthKit's sleep samples converted to nights.
@Suite struct SleepSampleTests {
    private let store = HKHealthStore.inMemory()
    private let type = HKCategoryType(.sleepAnalysis)
    /// 2024-03-11T00:00:00Z.
    private let midnight = Date(timeIntervalSinceReferenceDate: 731_808_000)

    private func calendar() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        return calendar
    }

    private func hour(_ hour: Double) -> Date { midnight.addingTimeInterval(hour * 3600) }

    private func save(
        _ value: HKCategoryValueSleepAnalysis, _ start: Double, _ end: Double,
        by identity: AppIdentity
    ) async throws {
        let handle = store.withIdentity(identity)
        try await handle.requestAuthorization(toShare: [type], read: [])
        try await handle.save(
            HKCategorySample(
                type: type, value: value.rawValue, start: hour(start), end: hour(end)))
    }

    private func samples() async throws -> [HKCategorySample] {
        try await store.requestAuthorization(toShare: [], read: [type])
        return try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: type)], sortDescriptors: []
        ).result(for: store)
    }

    private func sample(_ value: Int, _ start: Double, _ end: Double) -> HKCategorySample {
        HKCategorySample(type: type, value: value, start: hour(start), end: hour(end))
    }

    @Test("a Watch, an app and a phone give one night, with the Watch first by default")
    func threeSources() async throws {
        let app = AppIdentity("com.example.sleep", name: "Sleep")
        try await save(.asleepUnspecified, -2, 7, by: app)
        try await save(.inBed, -3, 8, by: .phone(named: "Phone"))
        try await save(.asleepCore, -1, 2, by: .watch(named: "Watch"))
        try await save(.awake, 2, 2.5, by: .watch(named: "Watch"))
        try await save(.asleepREM, 2.5, 4, by: .watch(named: "Watch"))
        try await save(.asleepDeep, 4, 6, by: .watch(named: "Watch"))
        let samples = try await samples()
        let nights = samples.nights(in: try calendar())
        let night = try #require(nights.first)
        #expect(nights.count == 1)
        #expect(night.morning == CivilDate(2024, 3, 11))
        #expect(night.asleep == 30_600.0)
        #expect(night.interval == DateInterval(start: hour(-3), end: hour(8)))
        let intervals: [String] = night.mergedIntervals.map { "\($0.source) \($0.stage)" }
        #expect(
            intervals == [
                "Phone inBed", "Sleep asleep", "Watch core", "Watch awake", "Watch rem",
                "Watch deep", "Sleep asleep", "Phone inBed",
            ])
        let parts: [String] = night.parts.map { part in
            "\(part.rank) \(part.source) \(part.recorded / 3600) \(part.counted / 3600) "
                + (part.reason ?? "counted")
        }
        #expect(
            parts == [
                "1 Watch 6.5 6.5 counted",
                "2 Phone 0.0 0.0 only time in bed; other sources recorded stages",
                "3 Sleep 9.0 2.0 Watch recorded at the same time",
            ])
    }

    @Test("the source order is a parameter")
    func order() async throws {
        let app = AppIdentity("com.example.sleep", name: "Sleep")
        try await save(.asleepUnspecified, -2, 7, by: app)
        try await save(.awake, 2, 3, by: .watch(named: "Watch"))
        let samples = try await samples()
        #expect(samples.nights(in: try calendar()).first?.asleep == 28_800.0)
        let source = try #require(
            samples.map(\.sourceRevision.source).first { $0.name == "Sleep" })
        let nights = samples.nights(order: [source], in: try calendar())
        #expect(nights.first?.asleep == 32_400.0)
        #expect(nights.first?.parts.map(\.source) == ["Sleep", "Watch"])
    }

    @Test("two sources of one name have different names")
    func equalNames() async throws {
        try await save(.asleepCore, -1, 6, by: AppIdentity("com.example.a", name: "Sleep"))
        try await save(.asleepCore, -2, 6, by: AppIdentity("com.example.b", name: "Sleep"))
        let nights = try await samples().nights(in: try calendar())
        let names: [String] = nights.flatMap(\.parts).map(\.source).sorted()
        #expect(names == ["Sleep (com.example.a)", "Sleep (com.example.b)"])
    }

    @Test("every raw value has its stage, and unknown ones are counted as skipped")
    func rawValues() throws {
        let samples = (0..<8).map { sample($0, Double($0), Double($0) + 1) }
        let result = samples.mergedNights(rules: .init(calendar: try calendar()))
        #expect(result.skipped.unknownStage == 2)
        let stages: [SleepStage] = result.nights.flatMap(\.mergedIntervals).map(\.stage)
        #expect(stages == [.inBed, .asleep, .awake, .core, .deep, .rem])
    }

    @Test("samples of other types and of undetermined duration leave the night as it is")
    func strangers() throws {
        var samples = [sample(3, -1, 6)]
        samples.append(
            HKCategorySample(
                type: HKCategoryType(.mindfulSession), value: 0, start: hour(-4), end: hour(9)))
        samples.append(
            HKCategorySample(type: type, value: 2, start: hour(7), end: .distantFuture))
        samples.append(
            HKCategorySample(type: type, value: 3, start: hour(5), end: .distantFuture))
        let nights = samples.nights(in: try calendar(), until: hour(7))
        #expect(nights.count == 1)
        #expect(nights.first?.asleep == 28_800.0)
        #expect(nights.first?.interval == DateInterval(start: hour(-1), end: hour(7)))
        #expect([HKCategorySample]().nights(in: try calendar()).isEmpty)
    }

    @Test("the hour that divides the days is a parameter")
    func cut() throws {
        let samples = [sample(3, -8, -7.5), sample(3, -1, 6)]
        let evening: [Int] = samples.nights(in: try calendar()).map(\.naps.count)
        #expect(evening == [0, 0])
        let afternoon: [Int] = samples.nights(in: try calendar(), cut: 15).map(\.naps.count)
        #expect(afternoon == [1])
    }
}
