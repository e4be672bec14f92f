import HealthEngine
import Testing

@Suite("Batch invariants")
struct SampleBatchInvariantsTests {
    private var valid: SampleBatch {
        SampleBatch(
            samples: [
                Sample(type: 1, origin: 0, metadata: 0, start: 0, end: 1, created: .nan),
                Sample(type: 1, origin: 1, start: 5, end: Sample.undeterminedEnd, created: 6),
            ],
            sources: [Source(name: "A", bundleIdentifier: "")],
            origins: [Origin(source: 0), Origin(source: -1)], metadata: [[:]],
            details: [0: .heartbeats([])], parents: [1: 0])
    }

    @Test("a batch without dangling indices is valid, and so is an empty one")
    func passes() throws {
        try valid.checkInvariants()
        try SampleBatch().checkInvariants()
        var orphan = valid
        (orphan.parents, orphan.orphans) = ([:], [1])
        try orphan.checkInvariants()
    }

    static let damages: [(SampleBatchViolation, @Sendable (inout SampleBatch) -> Void)] = [
        (.origin(sample: 1), { $0.samples[1].origin = -1 }),
        (.origin(sample: 1), { $0.samples[1].origin = 2 }),
        (.source(origin: 1), { $0.origins[1].source = 1 }),
        (.source(origin: 0), { $0.origins[0].source = -2 }),
        (.metadata(sample: 0), { $0.samples[0].metadata = 1 }),
        (.metadata(sample: 0), { $0.samples[0].metadata = -2 }),
        (.times(sample: 0), { $0.samples[0].start = .nan }),
        (.times(sample: 0), { $0.samples[0].end = .infinity }),
        (.times(sample: 0), { $0.samples[0].end = .nan }),
        (.times(sample: 1), { $0.samples[1].created = -.infinity }),
        (.detail(sample: 7), { $0.details[7] = .heartbeats([]) }),
        (.parent(sample: 1), { $0.parents[1] = 2 }),
        (.parent(sample: 1), { $0.parents[1] = 1 }),
        (.parent(sample: 1), { $0.parents[1] = -1 }),
        (.parent(sample: 9), { $0.orphans = [9] }),
        (.parent(sample: 9), { $0.parents[9] = 0 }),
    ]

    @Test("the first violation is reported with its index", arguments: damages.indices)
    func violations(index: Int) {
        let (violation, damage) = Self.damages[index]
        var batch = valid
        damage(&batch)
        #expect(throws: violation) { try batch.checkInvariants() }
    }
}
