import Foundation
import HealthSimulator
import OpenHealthKit
import Testing

/// The actions of a script, without a store.
@Suite struct DeviceScriptTests {
    let nine = Date(timeIntervalSinceReferenceDate: 796_899_600)
    var script = DeviceScript()

    private func steps(_ count: Double) -> DeviceScript.Reading {
        .quantity(.stepCount, count, unit: .count())
    }

    private func later(_ hours: Double) -> Date { nine.addingTimeInterval(hours * 3600) }

    @Test("a measurement is written once it has ended and the device's delay has passed")
    mutating func delay() throws {
        let watch = script.add(.watch(named: "Watch"), delay: 30)
        script.measure(steps(842), from: nine, for: 600, on: watch)
        let action = try #require(script.actions.first)
        #expect(script.actions.count == 1)
        #expect(action.date == nine.addingTimeInterval(630))
        #expect(action.records.map(\.reading) == [steps(842)])
        #expect(action.records.map(\.end) == [nine.addingTimeInterval(600)])
        #expect(action.records[0].syncIdentifier == nil)
    }

    @Test("measurements of an offline device arrive together when it is online again")
    mutating func absence() {
        let watch = script.add(.watch(named: "Watch"), delay: 0)
        let phone = script.add(.phone(named: "Phone"), delay: 0)
        for hour in 0..<3 {
            script.measure(steps(1), from: later(Double(hour)), on: watch)
            script.measure(steps(2), from: later(Double(hour)), on: phone)
        }
        script.goOffline(watch, from: later(0.5), for: 10 * 3600)
        // Adjacent offline periods are merged.
        script.goOffline(watch, from: later(10.5), for: 1800)
        let actions = script.actions
        #expect(actions.filter { $0.device == watch }.map(\.date) == [nine, later(11)])
        #expect(actions.last?.records.map(\.start) == [later(1), later(2)])
        #expect(actions.filter { $0.device == phone }.count == 3)
    }

    @Test("edits are versions of one sync identifier; those that arrive together are one")
    mutating func edits() {
        let watch = script.add(.watch(named: "Watch"), delay: 0)
        let walk = script.measure(steps(100), from: nine, on: watch)
        script.edit(walk, to: 110, at: later(1))
        script.edit(walk, to: 120, at: later(3))
        script.edit(walk, to: 130, at: later(4))
        script.goOffline(watch, from: later(2), for: 3 * 3600)
        let records = script.actions.flatMap(\.records)
        #expect(records.map(\.reading) == [steps(100), steps(110), steps(130)])
        #expect(records.map(\.version) == [1, 2, 4])
        #expect(Set(records.map(\.syncIdentifier)).count == 1)
        #expect(records[0].syncIdentifier != nil)
        #expect(script.actions.map(\.date) == [nine, later(1), later(5)])
    }

    @Test("what was deleted before it reached the store is never written")
    mutating func earlyDeletion() {
        let watch = script.add(.watch(named: "Watch"), delay: 60)
        let gone = script.measure(steps(100), from: nine, on: watch)
        let kept = script.measure(steps(200), from: nine, on: watch)
        script.delete(gone, at: nine.addingTimeInterval(30))
        script.delete(kept, at: later(1))
        script.edit(kept, to: 250, at: later(2))
        #expect(script.actions.flatMap(\.records).map(\.reading) == [steps(200)])
        #expect(script.actions.map(\.deletions) == [[], [kept]])
    }

    @Test("a duplicate is another sample with the same content")
    mutating func duplicates() {
        let phone = script.add(.phone(named: "Phone"), delay: 0)
        let walk = script.measure(steps(100), from: nine, on: phone)
        let twin = script.duplicate(walk, at: later(1))
        script.delete(walk, at: later(2))
        #expect(script.actions.flatMap(\.records).map(\.start) == [nine, nine])
        #expect(script.actions.flatMap(\.records).map(\.entry) == [walk, twin])
        #expect(script.actions.flatMap(\.deletions) == [walk])
    }

    @Test("samples carry the zone that the device was in when it began to measure")
    mutating func travel() throws {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let watch = script.add(.watch(named: "Watch"), delay: 0, timeZone: berlin)
        let phone = script.add(.phone(named: "Phone"), delay: 0)
        script.travel(watch, to: tokyo, at: later(1))
        for hour in [0, 0.9, 1] {
            script.measure(steps(1), from: later(hour), for: 1800, on: watch)
        }
        script.measure(steps(1), from: nine, on: phone)
        let records = script.actions.flatMap(\.records)
        #expect(
            Set(records.map { "\($0.start.timeIntervalSince(nine)) \($0.timeZone ?? "nowhere")" })
                == [
                    "0.0 Europe/Berlin", "3240.0 Europe/Berlin", "3600.0 Asia/Tokyo",
                    "0.0 nowhere",
                ])
    }
}

/// The effects of a script on a store.
@Suite struct DevicePlaybackTests {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 796_899_600))
    let store: HKHealthStore
    let nine: Date

    init() {
        nine = clock.now
        store = .inMemory(configuration: .init(clock: clock))
    }

    private func merged() async throws -> Double? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount)), options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    @Test("a Watch that syncs eleven hours late changes the day's sum when it does")
    func lateSync() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"))
        let phone = script.add(.phone(named: "Phone"))
        script.measure(.quantity(.stepCount, 100, unit: .count()), from: nine, for: 600, on: watch)
        script.measure(
            .quantity(.stepCount, 60, unit: .count()), from: nine.addingTimeInterval(300), for: 600,
            on: phone)
        script.goOffline(watch, from: nine, for: 11 * 3600)
        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(3600))
        #expect(try await merged() == 60)
        let done = try await devices.run(until: nine.addingTimeInterval(12 * 3600))
        #expect(done.map(\.device) == [watch])
        #expect(try await merged() == 130)
        #expect(clock.now == nine.addingTimeInterval(12 * 3600))
    }

    @Test("duplicates, edits and deletions reach an anchored query as in HealthKit")
    func changes() async throws {
        let type = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [], read: [type])
        var script = DeviceScript()
        let scale = script.add(AppIdentity("com.example.scale", name: "Scale"), delay: 0)
        let kilograms = HKUnit.gramUnit(with: .kilo)
        let first = script.measure(.quantity(.bodyMass, 71, unit: kilograms), from: nine, on: scale)
        let twin = script.duplicate(first, at: nine.addingTimeInterval(60))
        script.edit(first, to: 72, at: nine.addingTimeInterval(120))
        script.delete(twin, at: nine.addingTimeInterval(180))
        let devices = DevicePlayback(script, store: store, clock: clock)
        try await devices.run(until: nine.addingTimeInterval(60))
        let both = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: type)], anchor: nil
        ).result(for: store)
        #expect(both.addedSamples.map { $0.quantity.doubleValue(for: kilograms) } == [71, 71])
        try await devices.run(until: nine.addingTimeInterval(180))
        let changes = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: type)], anchor: both.newAnchor
        ).result(for: store)
        #expect(changes.addedSamples.map { $0.quantity.doubleValue(for: kilograms) } == [72])
        #expect(Set(changes.deletedObjects.map(\.uuid)) == Set(both.addedSamples.map(\.uuid)))
        #expect(await devices.object(of: twin) == nil)
        #expect(await devices.object(of: first)?.uuid == changes.addedSamples.first?.uuid)
    }
}
