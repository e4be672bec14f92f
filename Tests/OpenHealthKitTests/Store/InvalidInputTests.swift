import Foundation
import HealthEngine
import Testing

@testable import OpenHealthKit

/// Extreme and invalid input from apps: an error for invalid input, a result otherwise, and an
/// unchanged store.
@Suite struct InvalidInputTests {
    private let steps = StoreFixture.steps

    private func count(_ store: HKHealthStore, _ predicate: NSPredicate?) async throws -> Int {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps, predicate: predicate)], sortDescriptors: []
        ).result(for: store).count
    }

    @Test("NaN and infinite values are rejected, and nothing of the save is stored")
    func nonFiniteValues() async throws {
        let fixture = try await StoreFixture.authorized()
        let valid = fixture.walk()
        var invalid: [HKSample] = [Double.nan, .infinity, -.infinity].map { fixture.walk($0) }
        for (start, end) in [
            (Double.nan, 0), (0, .nan), (-.infinity, 0), (0, .infinity), (.nan, .nan),
            (1e300, 1e300),
        ] {
            invalid.append(
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
                    start: Date(timeIntervalSinceReferenceDate: start),
                    end: Date(timeIntervalSinceReferenceDate: end)))
        }
        for sample in invalid {
            let error = await failure { try await fixture.store.save([valid, sample]) }
            #expect(error?.code == .errorInvalidArgument, "\(sample)")
        }
        #expect(try fixture.store.visibleCount(steps) == 0)
    }

    @Test(
        "metadata with empty and long text, NUL, emoji and infinite numbers is read back unchanged")
    func extremeMetadata() async throws {
        let fixture = try await StoreFixture.authorized()
        let long = String(repeating: "🦉a\u{0}\n\"\\", count: 100_000)
        let metadata: [String: Any] = [
            "": "empty key", "empty": "", "nul": "a\u{0}b", "nul\u{0}key": 1,
            "👩‍👩‍👧": "👨🏽‍⚕️",
            "long": long, "endless": Double.infinity, "less": -Double.infinity, "huge": 1e308,
            "integer": Int64.max, "then": Date(timeIntervalSinceReferenceDate: 1e15),
            "amount": HKQuantity(unit: .gram(), doubleValue: .infinity),
        ]
        let sample = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: fixture.date(), end: fixture.date(1), device: nil, metadata: metadata)
        try await fixture.store.save(sample)
        let stored = try #require(try fixture.store.stored(sample).metadata)
        #expect(Set(stored.keys) == Set(metadata.keys))
        #expect(stored["nul"] as? String == "a\u{0}b")
        #expect(stored["long"] as? String == long)
        #expect(stored["👩‍👩‍👧"] as? String == "👨🏽‍⚕️")
        #expect(stored["endless"] as? Double == .infinity)
        #expect(stored["huge"] as? Double == 1e308)
        #expect((stored["amount"] as? HKQuantity)?.doubleValue(for: .gram()) == .infinity)
        for (key, value) in [("nul", "a\u{0}b"), ("empty", ""), ("nul\u{0}key", nil)] {
            let predicate =
                value.map { HKQuery.predicateForObjects(withMetadataKey: key, allowedValues: [$0]) }
                ?? HKQuery.predicateForObjects(withMetadataKey: key)
            #expect(try await count(fixture.store, predicate) == 1, "\(key)")
        }
    }

    @Test("names of apps and devices can contain any characters")
    func unusualNames() async throws {
        let fixture = try await StoreFixture.authorized()
        func device(_ name: String) -> HKDevice {
            HKDevice(
                name: name, manufacturer: "", model: "👩‍👩‍👧", hardwareVersion: nil,
                firmwareVersion: nil, softwareVersion: "'\"%", localIdentifier: nil,
                udiDeviceIdentifier: nil)
        }
        func walk(with device: HKDevice) -> HKQuantitySample {
            HKQuantitySample(
                type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: fixture.date(), end: fixture.date(1), device: device, metadata: nil)
        }
        let unusualDevice = device("🦉\n; DROP TABLE sample")
        let store = fixture.store.withIdentity(
            AppIdentity("com.example.🦉'", name: "", version: "", device: unusualDevice))
        try await StoreFixture.requestAuthorization(store)
        let sample = walk(with: unusualDevice)
        try await store.save(sample)
        let stored = try store.stored(sample)
        #expect(stored.device == unusualDevice)
        #expect(stored.sourceRevision.source.name.isEmpty)
        #expect(stored.sourceRevision.source.bundleIdentifier == "com.example.🦉'")
        #expect(try await count(store, HKQuery.predicateForObjects(from: .default())) == 1)
        #expect(
            try await count(store, HKQuery.predicateForObjects(from: Set([unusualDevice]))) == 1)
        try await store.delete(sample)
        #expect(try store.visibleCount(steps) == 0)
    }

    @Test("a name that contains NUL is rejected")
    func namesWithNUL() async throws {
        let fixture = try await StoreFixture.authorized()
        let device = HKDevice(
            name: "a\u{0}b", manufacturer: nil, model: nil, hardwareVersion: nil,
            firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
            udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: fixture.date(), end: fixture.date(1), device: device, metadata: nil)
        let ofDevice = await failure { try await fixture.store.save(sample) }
        #expect(ofDevice?.code == .errorInvalidArgument)
        let app = fixture.app("od\u{0}d")
        try await StoreFixture.requestAuthorization(app)
        let ofApp = await failure { try await app.save(fixture.walk()) }
        #expect(ofApp?.code == .errorInvalidArgument)
    }

    @Test("predicates with extreme and invalid dates do not trap")
    func extremeDates() async throws {
        let fixture = try await StoreFixture.authorized()
        try await fixture.store.save(fixture.walk())
        let times = [
            Date.distantPast, .distantFuture, fixture.date(), Date(timeIntervalSince1970: .nan),
            Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -.infinity),
            Date(timeIntervalSince1970: 1e300),
        ]
        for start in times {
            for end in times {
                let predicate = HKQuery.predicateForSamples(
                    withStart: start, end: end, options: [.strictEndDate])
                let found = try await count(fixture.store, predicate)
                #expect(found == (predicate.evaluate(with: fixture.walk()) ? 1 : 0))
            }
        }
        let everything = HKQuery.predicateForSamples(
            withStart: .distantPast, end: .distantFuture, options: [])
        #expect(try await count(fixture.store, everything) == 1)
    }

    @Test("an object that occurs twice in a save is saved once, and can't be saved again")
    func twice() async throws {
        let fixture = try await StoreFixture.authorized()
        let walk = fixture.walk()
        try await fixture.store.save([walk, walk])
        #expect(try fixture.store.visible(steps) == [walk.uuid])
        let error = await failure { try await fixture.store.save([fixture.walk(), walk]) }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try fixture.store.visible(steps) == [walk.uuid])
        try await fixture.store.delete([walk, walk])
        let unknown = await failure { try await fixture.store.delete(fixture.walk()) }
        #expect(unknown?.code == .errorInvalidArgument)
    }

    @Test("untrusted unit strings are parsed or rejected, and never trap")
    func invalidUnits() throws {
        let nested = String(repeating: "(", count: 100_000)
        for text in [
            "?", "m^", "m^99999999999999999999", "m^-9223372036854775808", "/", "m//s", "(", nested,
            "k", "\u{0}", "🦉", "mol<>", "mol<nan>", "mol<1e999>",
            String(repeating: "m*", count: 9999),
        ] {
            #expect(throws: HKError.self, "\(text.prefix(20))") { try HKUnit(parsing: text) }
        }
        #expect(try HKUnit(parsing: "").isNull())
    }

    @Test("any interval and anchor give a result or an error in bounded time")
    func extremeIntervals() async throws {
        let fixture = try await StoreFixture.authorized()
        try await fixture.store.save(fixture.walk(60))
        func sums(_ anchor: Date, _ interval: DateComponents) async throws -> [Double] {
            try await HKStatisticsCollectionQueryDescriptor(
                predicate: .quantitySample(type: steps), options: .cumulativeSum,
                anchorDate: anchor, intervalComponents: interval
            ).result(for: fixture.store).statistics()
                .compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
        }
        for anchor in [Date.distantPast, .distantFuture, fixture.date()] {
            let sum = try await sums(anchor, DateComponents(month: 1, day: 2)).reduce(0, +)
            #expect(sum == 60, "\(anchor)")
        }
        let invalid: [(Date, DateComponents)] = [
            (fixture.date(), DateComponents()), (fixture.date(), DateComponents(day: 0)),
            (fixture.date(), DateComponents(day: -1)),
            (fixture.date(), DateComponents(month: 1, day: -30)),
            (fixture.date(), DateComponents(year: .max)),
            (Date(timeIntervalSince1970: .nan), DateComponents(day: 1)),
            (Date(timeIntervalSince1970: .infinity), DateComponents(day: 1)),
        ]
        for (anchor, interval) in invalid {
            let error = await failure { _ = try await sums(anchor, interval) }
            #expect(error?.code == .errorInvalidArgument, "\(anchor) \(interval)")
        }
    }

    @Test("§5.8 an unbounded interval can be enumerated by minutes until stop is set")
    func endlessEnumeration() async throws {
        let fixture = try await StoreFixture.authorized()
        try await fixture.store.save(fixture.walk(60))
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum,
            anchorDate: fixture.date(), intervalComponents: DateComponents(minute: 1)
        ).result(for: fixture.store)
        var starts: [Date] = []
        collection.enumerateStatistics(from: .distantPast, to: .distantFuture) { bucket, stop in
            starts.append(bucket.startDate)
            if starts.count == 3 { stop.pointee = true }
        }
        #expect(starts.count == 3)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 60 })
    }

    @Test("a nonexistent day in a predicate is an error of the query")
    func invalidDays() async throws {
        let fixture = try await StoreFixture.authorized()
        try await fixture.store.requestAuthorization(toShare: [], read: [.activitySummaryType()])
        let calendar = Calendar(identifier: .gregorian)
        for year in [Int.max - 1, Int.min, 1 << 40, -5] {
            let day = DateComponents(calendar: calendar, year: year, month: 1, day: 1)
            let predicate = HKQuery.predicateForActivitySummary(with: day)
            let query = HKActivitySummaryQueryDescriptor(predicate: predicate)
            let error = await failure { _ = try await query.result(for: fixture.store) }
            #expect(error?.code == .errorInvalidArgument, "\(year)")
        }
    }
}
