import Foundation
import HealthKit
import Testing

/// Journals that use descriptors: moods, meals, nights, cycles, and a mirror on a server.
@Suite struct MoodAndMealTests {
    let store = HKHealthStore.inMemory()
    let midnight = Date(timeIntervalSinceReferenceDate: 796_262_400)
    var day: DateInterval { DateInterval(start: midnight, duration: 86_400) }

    private func at(_ hour: Double) -> Date { midnight.addingTimeInterval(hour * 3600) }

    private func authorize(_ types: [HKSampleType]) async throws {
        try await store.requestAuthorization(toShare: Set(types), read: Set(types))
    }

    @Test("a state of mind is found by kind, label, association and valence")
    func moods() async throws {
        try await authorize([.stateOfMindType()])
        let journal = MoodJournal(healthStore: store)
        let sad = MoodEntry(
            date: at(9), period: .moment, valence: -0.5, labels: ["anxious", "sad"],
            contexts: ["work"])
        let happy = MoodEntry(
            date: at(20), period: .day, valence: 0.8, labels: ["happy"],
            contexts: ["family", "friends"])
        try await journal.log(sad)
        try await journal.log(happy)
        #expect(try await journal.entries(in: day) == [sad, happy])
        #expect(try await journal.entries(in: day, kind: .dailyMood) == [happy])
        #expect(try await journal.entries(in: day, label: .sad) == [sad])
        #expect(try await journal.entries(in: day, association: .friends) == [happy])
        #expect(try await journal.unpleasantDays(in: day) == [.unpleasant: 1])
        #expect(await journal.describe(2) == "?")
    }

    @Test("meals are read, summed by nutrient and deleted with their members")
    func meals() async throws {
        try await authorize(Nutrient.allCases.map { HKQuantityType($0.identifier) })
        let diary = NutritionStore(store: store)
        let bread: [Nutrient: Double] = [.energy: 200, .carbohydrate: 40, .sodium: 300]
        let first = try await diary.log(Food(name: "Bread", nutrients: bread), at: at(8))
        try await diary.log(
            Food(name: "Milk", nutrients: [.energy: 100, .calcium: 240]), at: at(9))
        let meals = try await diary.meals(on: day)
        #expect(meals.map(\.0) == ["Bread", "Milk"])
        #expect(meals.first?.1 == bread)
        let totals: [Nutrient: Double] = [
            .energy: 300, .carbohydrate: 40, .sodium: 300, .calcium: 240,
        ]
        #expect(try await diary.totals(on: day) == totals)
        #expect(try await diary.meals(over: 150, of: .energy) == 1)
        try await diary.delete(first)
        #expect(try await diary.totals(on: day) == [.energy: 100, .calcium: 240])
    }

    @Test("sleep stages form a night without the time in bed")
    func nights() async throws {
        try await authorize([HKCategoryType(.sleepAnalysis)])
        let sleep = SleepService(store: store)
        try await sleep.write(
            stages: [
                (.inBed, DateInterval(start: at(-1), end: at(7))),
                (.core, DateInterval(start: at(0), end: at(2))),
                (.deep, DateInterval(start: at(2), end: at(3))),
                (.awake, DateInterval(start: at(3), end: at(3.5))),
                (.rem, DateInterval(start: at(3.5), end: at(5))),
            ], timeZone: .gmt)
        let night = try #require(try await sleep.nights(from: at(-6), to: at(12)).first)
        #expect(night.interval == DateInterval(start: at(0), end: at(5)))
        #expect(night.asleep == 4.5 * 3600)
        #expect(night.durations[.awake] == 1800)
    }

    @Test("cycle starts are found by metadata, and whole-day categories are accepted")
    func cycles() async throws {
        let identifiers: [HKCategoryTypeIdentifier] = [
            .menstrualFlow, .ovulationTestResult, .cervicalMucusQuality, .intermenstrualBleeding,
            .sexualActivity, .contraceptive, .pregnancyTestResult, .progesteroneTestResult,
            .lactation, .pregnancy,
        ]
        try await authorize(
            identifiers.map { HKCategoryType($0) } + [HKQuantityType(.basalBodyTemperature)])
        let tracker = CycleTracker(store: store)
        try await tracker.logFlow(3, cycleStart: true, day: midnight)
        try await tracker.logFlow(2, cycleStart: false, day: at(24))
        try await tracker.logDay(midnight)
        #expect(try await tracker.starts() == [midnight])
    }

    private actor Server: RemoteServer {
        var rows: [UUID: RemoteSample] = [:]
        func upsert(_ samples: [RemoteSample]) { for row in samples { rows[row.id] = row } }
        func delete(_ ids: [UUID]) { for id in ids { rows[id] = nil } }
    }

    @Test("a server is synchronized page by page, including deletions")
    func mirror() async throws {
        let steps = HKQuantityType(.stepCount)
        try await authorize([steps, .stateOfMindType()])
        let samples = (0..<7).map { hour in
            HKQuantitySample(
                type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 10),
                start: at(Double(hour)), end: at(Double(hour) + 1),
                metadata: [HKMetadataKeyWasUserEntered: true])
        }
        try await store.save(samples)
        let server = Server()
        let mirror = ServerMirror(store: store, server: server)
        #expect(try await mirror.syncOnce([steps, .stateOfMindType()]) == (7, 0))
        #expect(await server.rows[samples[0].uuid]?.metadata == ["HKWasUserEntered": "1"])
        try await store.delete([samples[1], samples[5]])
        let again = ServerMirror(store: store, server: server)
        let anchor = try #require(try await mirror.blob(for: steps))
        try await again.restore(anchor, for: steps)
        #expect(try await again.syncOnce([steps]) == (0, 2))
        #expect(await server.rows.count == 5)
    }
}
