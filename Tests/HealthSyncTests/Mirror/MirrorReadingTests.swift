import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("reading the mirror")
struct MirrorReadingTests {
    @Test("random requests return the same as a filter over all entries")
    func agreement() async throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let mirror = try Mirror.inMemory()
        let samples = (0..<300).map { _ in
            let start = TestSample.noon.addingTimeInterval(
                Double(Int.random(in: 0...40, using: &random)) * 21_600)
            return TestSample(
                uuid: random.uuid(), type: Bool.random(using: &random) ? .bodyMass : .stepCount,
                start: start,
                end: start.addingTimeInterval(
                    [0, 60, 21_600, 86_400, 86_401, 500_000].randomElement(using: &random) ?? 0))
        }
        try await mirror.receive(samples)
        let hidden = Set(samples.prefix(40).map(\.uuid))
        try await mirror.write { db in
            for uuid in hidden { try mirror.setState(.notVisible, of: uuid, db) }
        }
        for _ in 0..<200 {
            let request = request(&random)
            let found = try await mirror.entries(request).map(\.id)
            let expected = expected(request, samples, hidden).map(\.uuid)
            #expect(found == Array(expected.prefix(request.limit ?? .max)), "seed \(seed)")
            #expect(try await mirror.count(request) == expected.count, "seed \(seed)")
        }
    }

    private func request(_ random: inout SeededRandom) -> EntryRequest {
        var request = EntryRequest()
        request.types = Set(
            [
                [], [TestSample.mass.identifier],
                [TestSample.mass.identifier, TestSample.steps.identifier],
            ].randomElement(using: &random) ?? [])
        let at = { (random: inout SeededRandom) in
            TestSample.noon.addingTimeInterval(
                Double(Int.random(in: 0...40, using: &random)) * 21_600)
        }
        if Bool.random(using: &random) { request.from = at(&random) }
        if Bool.random(using: &random) { request.to = at(&random) }
        if Bool.random(using: &random) { request.rule = .starting }
        if Bool.random(using: &random) { request.order = .oldestFirst }
        if Bool.random(using: &random) { request.states = [.synced] }
        if Bool.random(using: &random) { request.limit = Int.random(in: 0...20, using: &random) }
        return request
    }

    private func expected(
        _ request: EntryRequest, _ samples: [TestSample], _ hidden: Set<UUID>
    ) -> [TestSample] {
        samples.filter { sample in
            let end = sample.end ?? sample.start
            let from = request.from ?? .distantPast
            return (request.types.isEmpty || request.types.contains(sample.type.rawValue))
                && (request.rule == .starting ? sample.start >= from : end >= from)
                && sample.start < request.to ?? .distantFuture
                && (request.states.contains(.notVisible) || !hidden.contains(sample.uuid))
        }.sorted { one, other in
            guard one.start == other.start else {
                return (one.start < other.start) == (request.order == .oldestFirst)
            }
            return one.uuid.uuidString < other.uuid.uuidString
        }
    }

    @Test("an entry that ends at the start of a span is in it; one that starts at its end is not")
    func borders() async throws {
        let mirror = try Mirror.inMemory()
        let hour: TimeInterval = 3_600
        let before = TestSample(
            start: TestSample.noon.addingTimeInterval(-hour), end: TestSample.noon)
        let after = TestSample(start: TestSample.noon.addingTimeInterval(hour))
        try await mirror.receive([before, after])
        let found = try await mirror.entries(
            of: TestSample.mass, from: TestSample.noon,
            to: TestSample.noon.addingTimeInterval(hour))
        #expect(found.map(\.id) == [before.uuid])
    }

    @Test("entries are found by their tag, types by their entries")
    func tags() async throws {
        let mirror = try Mirror.inMemory()
        let (one, two) = (TestSample(), TestSample(type: .stepCount))
        try await mirror.receive([one, two])
        try await mirror.attach(.tag("fasted"), to: one.uuid)
        try await mirror.attach(.tag("fasted"), to: one.uuid)
        try await mirror.attach(.tag("travel"), to: two.uuid)
        var request = EntryRequest()
        request.tag = "fasted"
        #expect(try await mirror.entries(request).map(\.id) == [one.uuid])
        #expect(try await mirror.attachments(of: one.uuid).count == 1)
        #expect(try await mirror.tags() == ["fasted": 1, "travel": 1])
        #expect(
            try await mirror.types() == [
                "HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierStepCount",
            ])
        #expect(try await mirror.entry(UUID()) == nil)
    }

    @Test("metadata of every kind round-trips through JSON, also non-finite numbers")
    func metadata() throws {
        let all: [String: MirrorEntry.MetadataValue] = [
            "text": .text("21 °C"), "number": .number(0.1), "infinite": .number(.infinity),
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.3)),
            "quantity": .quantity(21.5, unit: "degC"),
        ]
        let data = try JSONEncoder().encode(all)
        let again = try JSONDecoder().decode([String: MirrorEntry.MetadataValue].self, from: data)
        #expect(again["text"] == all["text"] && again["number"] == all["number"])
        #expect(again["date"] == all["date"] && again["quantity"] == all["quantity"])
        #expect(again["infinite"] == .number(.infinity))
    }

    @Test("an entry round-trips through JSON")
    func coding() async throws {
        let mirror = try Mirror.inMemory()
        let sample = TestSample(sync: "s", version: 2, device: "Bathroom")
        try await mirror.receive([sample])
        let entry = try #require(await mirror.entry(sample.uuid))
        let again = try JSONDecoder().decode(MirrorEntry.self, from: JSONEncoder().encode(entry))
        #expect(again == entry)
    }
}
