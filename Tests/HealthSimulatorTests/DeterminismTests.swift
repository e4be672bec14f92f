import HealthEngine
import HealthSimulator
import HealthTesting
import Testing

@Suite struct DeterminismTests {
    @Test("a seed gives the same bytes on every machine")
    func checkedIn() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1, records: 20_000))
        let (hash, count) = simulation.fingerprint()
        #expect(String(hash, radix: 16) == "2a37aaed9f67e881")
        #expect(count == 10_137_294)
    }

    @Test("the same seed makes the same bytes twice, another seed others", .inTestAll)
    func seeds() throws {
        func hash(_ seed: UInt64) throws -> UInt64 {
            try Simulation(SimulatedPerson(seed: seed, years: 1, records: 15_000)).fingerprint()
                .hash
        }
        let first = try hash(7)
        #expect(try hash(7) == first)
        #expect(try hash(8) != first)
    }

    @Test("more heart rate leaves steps and truth as they are", .inTestAll)
    func independentStreams() throws {
        let sparse = try Simulation(SimulatedPerson(seed: 3, years: 1, records: 80_000))
        let dense = try Simulation(SimulatedPerson(seed: 3, years: 1, records: 120_000))
        #expect(sparse.groundTruth.days == dense.groundTruth.days)
        let steps = [sparse, dense].map { $0.samples(of: "stepCount").samples.map(\.value) }
        #expect(steps[0] == steps[1])
    }

    @Test(
        "people that cannot be simulated are refused, with the reason",
        arguments: [
            (
                SimulatedPerson(homeTimeZone: "Mars/Olympus"),
                SimulationError.unknownTimeZone("Mars/Olympus")
            ),
            (SimulatedPerson(years: 0), .unusableYears(0)),
            (SimulatedPerson(years: 51), .unusableYears(51)),
            (SimulatedPerson(days: 0), .unusableDays(0)),
            (SimulatedPerson(days: 367), .unusableDays(367)),
            (SimulatedPerson(records: 0), .unusableRecords(0)),
            (SimulatedPerson(records: 20_000_001), .unusableRecords(20_000_001)),
        ])
    func refusals(person: SimulatedPerson, error: SimulationError) {
        #expect(throws: error) { try Simulation(person) }
    }
}
