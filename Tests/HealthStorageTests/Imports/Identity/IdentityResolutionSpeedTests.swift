import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// The time for the end of an import in which every record differs. It prints figures and checks
/// nothing.
@Suite(.serialized, .inTorture)
struct IdentityResolutionSpeedTests {
    @Test("a hundred thousand changed, vanished and renamed records")
    func hundredThousand() throws {
        let file = try TemporaryStore()
        let count = 100_000
        func time(_ what: String, _ batch: SampleBatch) throws -> SnapshotOutcome {
            let start = ContinuousClock.now
            let outcome = try file.add(batch, [SampleType.steps.identifier])
            let taken = (ContinuousClock.now - start) / count
            print("\(count) \(what): \(taken) each")
            return outcome
        }
        _ = try time("first", batch(count))
        #expect(try time("unchanged", batch(count)).records.unchanged == count)
        #expect(try time("changed", batch(count, value: 2)).records.changed == count)
        let renamed = try time("renamed", batch(count, value: 2, source: "B"))
        #expect(renamed.records.unchanged == count)
        #expect(renamed.renamed.count == 1)
        let vanished = try time("vanished", batch(1, value: 2, source: "B"))
        #expect(vanished.vanished == count - 1)
        let versions = try time("distinct versions", batch(count, start: 1e8, versions: count))
        #expect(versions.records.new == count)
        #expect(try file.open(.reading).check() == [])
    }

    private func batch(
        _ count: Int, start: Double = 0, value: Double = 1, source: String = "A", versions: Int = 1
    ) -> SampleBatch {
        SampleBatch(
            samples: (0..<count).map { index in
                let time = start + Double(index) * 100
                return Sample(
                    type: SampleType.steps.code, origin: Int32(index % versions), start: time,
                    end: time + 60, created: time + 60, value: value)
            },
            sources: [Source(name: source, bundleIdentifier: "")],
            origins: (0..<versions).map { Origin(source: 0, version: "\($0)", unit: "count") })
    }
}
