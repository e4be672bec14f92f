import Diary
import Foundation
import HealthKit
import Testing
import WeeklyReport

/// Tests of the diary with an in-memory store and its own Watch and iPhone sources.
@Suite struct DiaryTests {
    let store = HKHealthStore.inMemory()
    let diary: Diary
    let calendar: Calendar
    let noon: Date

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        self.calendar = calendar
        diary = Diary(healthStore: store, calendar: calendar)
        noon = try #require(
            calendar.date(from: DateComponents(year: 2026, month: 3, day: 29, hour: 12)))
    }

    private func record(_ steps: Double, minute: Int, for minutes: Int, by name: String)
        async throws
    {
        let start = noon.addingTimeInterval(Double(minute) * 60)
        let sample = HKQuantitySample(
            type: HKQuantityType(.stepCount),
            quantity: HKQuantity(unit: .count(), doubleValue: steps), start: start,
            end: start.addingTimeInterval(Double(minutes) * 60))
        let device = store.withIdentity(
            AppIdentity("com.example.\(name)", name: name))
        try await device.requestAuthorization(toShare: [sample.sampleType], read: [])
        try await device.save(sample)
    }

    @Test("steps of two devices are counted without duplicates, and listed by source")
    func overlap() async throws {
        try await diary.requestAuthorization()
        // The newer source has the higher priority.
        try await record(600, minute: 0, for: 10, by: "Pedometer")
        try await record(500, minute: 5, for: 10, by: "Band")
        let day = try #require(try await diary.days(1, upTo: noon).first)
        #expect(day.steps == 800)
        #expect(try await diary.stepsBySource(on: noon) == ["Pedometer": 600, "Band": 500])
    }

    @Test("days follow the calendar across a daylight saving change, including empty ones")
    func days() async throws {
        try await diary.requestAuthorization()
        try await record(100, minute: 0, for: 10, by: "Band")
        try await diary.saveWeight(71, at: noon)
        try await diary.saveWeight(72, at: noon.addingTimeInterval(60))
        let days = try await diary.days(3, upTo: noon.addingTimeInterval(86_400))
        #expect(days.map(\.steps) == [nil, 100, nil])
        #expect(days.map(\.kilograms) == [nil, 71.5, nil])
        #expect(days[2].date.timeIntervalSince(days[1].date) == 23 * 3600)
    }

    @Test("a corrected weight replaces the first, and the diary deletes only its own entries")
    func weights() async throws {
        try await diary.requestAuthorization()
        try await diary.saveWeight(80, at: noon)
        try await diary.saveWeight(79.5, at: noon, version: 2)
        #expect(try await diary.latestWeight()?.kilograms == 79.5)
        let scale = Diary(
            healthStore: store.withIdentity(
                AppIdentity("com.example.scale", name: "Scale")),
            calendar: calendar)
        try await scale.requestAuthorization()
        try await scale.saveWeight(81, at: noon.addingTimeInterval(60))
        #expect(try await diary.removeWeights(on: noon) == 1)
        #expect(try await diary.latestWeight()?.kilograms == 81)
    }

    @Test("a change notifies the observer")
    func changes() async throws {
        try await diary.requestAuthorization()
        var iterator = diary.changes().makeAsyncIterator()
        #expect(await iterator.next() != nil)
        try await diary.saveWeight(70, at: noon)
        #expect(await iterator.next() != nil)
    }

    @Test("the older report returns the same week")
    func report() async throws {
        try await diary.requestAuthorization()
        try await record(1200, minute: 0, for: 10, by: "Band")
        try await diary.saveWeight(71, at: noon)
        let week = DateInterval(start: noon.addingTimeInterval(-86_400), duration: 7 * 86_400)
        let report = WeeklyReport(healthStore: store, calendar: calendar)
        let line = await withCheckedContinuation { continuation in
            report.line(for: week) { continuation.resume(returning: $0) }
        }
        #expect(line == "1200 steps, 71.0 kg")
    }
}
