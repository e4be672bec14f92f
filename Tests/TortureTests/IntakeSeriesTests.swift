import HealthEngine
import HealthSimulator
import HealthStorage
import HealthTesting
import Testing

@testable import torture

/// Tests of schedules of phones that send to the built `openhealth serve --receive`.
@Suite(.inTestAll) struct IntakeSeriesTests {
    @Test(
        "what phones send equals their stores despite kills, lost answers and replays",
        .enabled(if: ProgramRun.built("openhealth") != nil, "needs the built openhealth"),
        .timeLimit(.minutes(10)))
    func schedules() throws {
        let run = try runTool(["--intake", TestTier.isTorture ? "200" : "9", "--json"])
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        #expect(run.object?["failed"] as? Int == 0)
        #expect(try #require(run.object?["samples"] as? Int) > 1000)
        #expect(try #require(run.object?["kills"] as? Int) > 0)
        #expect(try #require(run.object?["lostAnswers"] as? Int) > 0)
    }

    @Test("a number of schedules below 1 is a usage error")
    func wrongUsage() throws {
        #expect(try runTool(["--intake", "0"]).status == 64)
    }
}

/// Tests of schedules and requests of phones as values.
@Suite struct IntakeScheduleTests {
    @Test("equal seeds give equal schedules, and nine seeds use each dialect")
    func seeds() {
        let dialects = (1...9).flatMap { IntakeSchedule(seed: $0).dialects }
        #expect(Set(dialects) == Set(PhoneDialect.allCases))
        #expect(IntakeSchedule(seed: 5).person == IntakeSchedule(seed: 5).person)
        #expect(IntakeSchedule(seed: 5).person != IntakeSchedule(seed: 13).person)
    }
}

/// Tests of the comparison, which must be able to fail.
@Suite struct StoreComparisonTests {
    private let steps = Catalogue.type(identifier: "HKQuantityTypeIdentifierStepCount")
    private let uuids = (1...3).map { SampleUUID(high: 0x4000, low: $0) }

    /// Returns a store with the samples at some indices of ``uuids``.
    private func store(_ indices: [Int], value: Double = 100) throws -> SampleStore {
        let store = try SampleStore.inMemory()
        let type = try #require(steps).code
        let batch = SampleBatch(
            samples: indices.map {
                Sample(
                    type: type, origin: 0, start: Double($0) * 600, end: Double($0) * 600 + 60,
                    value: value)
            },
            sources: [Source(name: "Walks", bundleIdentifier: "com.example.walks")],
            origins: [Origin(source: 0, unit: "count")])
        try store.save(batch, uuids: indices.map { uuids[$0] }, at: 10_000)
        return store
    }

    private func check(_ received: SampleStore, deleted: [SampleUUID] = []) throws -> Int {
        let type = try #require(steps).code
        return try StoreComparison(
            [.openHealthExporter], expected: try store([0, 1]), received: received,
            days: [0, 86_400],
            deleted: deleted.map {
                IntakePerson.Saved(uuid: $0, type: type, bundleIdentifier: "com.example.walks")
            }
        ).check()
    }

    @Test("equal stores have no difference")
    func equal() throws {
        #expect(try check(try store([1, 0])) == 2)
    }

    @Test("a missing, an additional, a changed and a revived sample are differences")
    func different() throws {
        #expect(throws: IntakeFinding.self) { try check(try store([0])) }
        #expect(throws: IntakeFinding.self) { try check(try store([0, 1, 2])) }
        #expect(throws: IntakeFinding.self) { try check(try store([0, 2])) }
        #expect(throws: IntakeFinding.self) { try check(try store([0, 1], value: 101)) }
        #expect(throws: IntakeFinding.self) {
            try check(try store([0, 1]), deleted: [uuids[1]])
        }
    }
}
