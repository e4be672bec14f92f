import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct HandlerNightsTests {
    let calendar: Calendar

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        self.calendar = calendar
    }

    private func date(_ text: String) throws -> Date {
        let numbers = text.split { "-: ".contains($0) }.compactMap { Int($0) }
        try #require(numbers.count == 5)
        return try #require(
            calendar.date(
                from: DateComponents(
                    year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
                    minute: numbers[4])))
    }

    private func sleep(_ start: String, _ end: String) throws -> HKCategorySample {
        HKCategorySample(
            type: WatcherWorld.sleep, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
            start: try date(start), end: try date(end))
    }

    @Test(
        "a night lasts from noon to noon and is named by its morning, also when clocks change",
        arguments: [
            ("2026-03-10 23:00", 11, 24.0), ("2026-03-11 11:59", 11, 24),
            ("2026-03-11 12:00", 12, 24),
            // The clocks go forward on 29 March and back on 25 October.
            ("2026-03-29 01:00", 29, 23), ("2026-03-28 12:00", 29, 23),
            ("2026-10-25 02:30", 25, 25),
            ("2026-10-25 12:00", 26, 24),
        ])
    func noonToNoon(moment: String, morning: Int, hours: Double) throws {
        let night = Night(containing: try date(moment), in: calendar)
        #expect(night.morning.day == morning)
        #expect(night.interval.duration == hours * 3600)
        #expect(calendar.component(.hour, from: night.interval.start) == 12)
    }

    @Test("an interval overlaps nights up to its end, which is exclusive")
    func touched() throws {
        func mornings(_ start: String, _ end: String) throws -> [Int?] {
            Night.overlapping(from: try date(start), to: try date(end), in: calendar)
                .map(\.morning.day)
        }
        #expect(try mornings("2026-03-10 23:00", "2026-03-11 07:00") == [11])
        #expect(try mornings("2026-03-11 11:00", "2026-03-11 12:00") == [11])
        #expect(try mornings("2026-03-11 11:00", "2026-03-11 12:01") == [11, 12])
        #expect(try mornings("2026-03-11 12:00", "2026-03-11 12:00") == [12])
        #expect(try mornings("2026-03-27 13:00", "2026-03-30 12:00") == [28, 29, 30])
    }

    @Test("a sleep of eight thousand years changes only its first and last night")
    func touchedForMillennia() throws {
        let start = try date("2026-03-10 23:00")
        let nights = Night.overlapping(
            from: start, to: start.addingTimeInterval(252_460_000_000), in: calendar)
        #expect(nights.count == 2 && nights[0].morning.day == 11)
        for seconds in [1e12, -1e15, 1e19, 1e300] {
            let moment = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(Night.overlapping(from: moment, to: moment, in: calendar).count == 1)
        }
    }

    /// Records the days of the mornings that each call received.
    private func nightly(
        _ world: WatcherWorld, _ body: @escaping @Sendable () throws -> Void = {}
    ) async throws -> (Watcher, LockedBox<[[Int?]]>) {
        let delivered = LockedBox<[[Int?]]>([])
        let watcher = world.watcher([WatcherWorld.sleep])
        try await watcher.onNights(calendar: calendar, debounce: .seconds(5)) { nights in
            delivered { $0.append(nights.map(\.morning.day)) }
            try body()
        }
        return (watcher, delivered)
    }

    @Test("a night that arrives in batches is delivered once, after the debounce interval")
    func settles() async throws {
        let world = try await WatcherWorld()
        let (watcher, delivered) = try await nightly(world)
        await watcher.start()
        try await world.store.save(try sleep("2026-03-10 23:00", "2026-03-11 01:00"))
        try await eventually { try await waiting(world) == 1 }
        try await world.store.save(try sleep("2026-03-11 01:00", "2026-03-11 02:00"))
        try await world.store.save(try sleep("2026-03-12 01:00", "2026-03-12 02:00"))
        await eventually { (watcher.statuses.first?.subscribers.values.first?.added ?? 0) >= 3 }
        #expect(delivered { $0 }.isEmpty)
        await eventually {
            world.clock.advance(by: .seconds(5))
            return delivered { $0 } == [[11, 12]]
        }
        await watcher.stop()
    }

    private func waiting(_ world: WatcherWorld) async throws -> Int {
        try await world.file.positionKeys().count
    }

    @Test("a deleted sample changes the night that it spanned, also in a later process")
    func deletions() async throws {
        let world = try await WatcherWorld()
        let sample = try sleep("2026-03-10 23:00", "2026-03-11 13:00")
        try await world.store.save(sample)
        let (first, delivered) = try await nightly(world)
        try await first.sync()
        #expect(delivered { $0 } == [[11, 12]])
        try await world.store.delete(sample)
        let (second, deliveredAgain) = try await nightly(world)
        try await second.sync()
        #expect(deliveredAgain { $0 } == [[11, 12]])
        try await second.sync()
        #expect(deliveredAgain { $0 }.count == 1)
    }

    @Test("changed nights survive a crash before the handler returns")
    func survives() async throws {
        let world = try await WatcherWorld()
        try await world.store.save(try sleep("2026-03-10 23:00", "2026-03-11 07:00"))
        let (first, _) = try await nightly(world) { throw SimulatedCrash() }
        let summary = try await first.sync()
        #expect(summary.failures.values.first is SimulatedCrash)
        await eventually { first.statuses.first?.pause == .handlerFailed }
        let (second, delivered) = try await nightly(world)
        await second.start()
        await eventually {
            world.clock.advance(by: .seconds(5))
            return delivered { $0 } == [[11]]
        }
        await second.stop()
    }

    @Test("a night that changes while its handler runs is delivered again")
    func touchedMeanwhile() async throws {
        let world = try await WatcherWorld()
        let late = try sleep("2026-03-11 05:00", "2026-03-11 06:00")
        try await world.store.save(try sleep("2026-03-10 23:00", "2026-03-11 04:00"))
        let watcher = world.watcher([WatcherWorld.sleep])
        let calls = LockedBox(0)
        try await watcher.onNights(calendar: calendar, debounce: .seconds(5)) { _ in
            let call = calls { count -> Int in
                count += 1
                return count
            }
            guard call == 1 else { return }
            try await world.store.save(late)
            await eventually { (watcher.statuses.first?.subscribers.values.first?.added ?? 0) >= 2 }
        }
        await watcher.start()
        await eventually {
            world.clock.advance(by: .seconds(5))
            return calls { $0 } == 2
        }
        await watcher.stop()
    }

    @Test("nights need a position file")
    func needsFile() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher([WatcherWorld.sleep], positions: TransactionalRecorder())
        await #expect(throws: SubscriberError.noPositionFile) {
            try await watcher.onNights(calendar: calendar) { _ in }
        }
    }
}
