import HealthEngine
import Testing

@testable import HealthStorage

/// The reported changes of an import, by reason.
@Suite struct ImportDifferenceTests {
    private let file: TemporaryStore

    init() throws { file = try TemporaryStore() }

    /// Returns the stored difference of an import.
    private func difference(
        _ number: Int64 = 2
    ) throws -> ImportDifference {
        let store = try file.open(.reading)
        defer { try? store.close() }
        return try store.difference(ofImport: number)
    }

    /// Returns "new changed vanished reasons" of one type; nil if nothing of it changed.
    private func changes(_ type: SampleType, _ number: Int64 = 2) throws -> String? {
        try difference(number).types.first { $0.type == type }.map { changes in
            let reasons = changes.reasons.map { "\($0.key) \($0.value)" }.sorted()
            return ([changes.new, changes.changed, changes.vanished].map(String.init) + reasons)
                .joined(separator: " ")
        }
    }

    private func add(_ body: (inout Recording) -> Void) throws {
        var recording = Recording()
        body(&recording)
        try file.add(recording)
    }

    @Test("another value, other metadata, another version and other details are distinguished")
    func reasons() throws {
        for later in [false, true] {
            try add { recording in
                recording.add(.bodyMass, "Scale", 0, 0, later ? 71 : 70)
                let note = recording.add(.heartRate, "Watch", 0, 0, 60, device: .watch)
                if later {
                    recording.batch.metadata = [["Note": .string("n")]]
                    recording.batch.samples[note].metadata = 0
                }
                recording.add(.steps, "Phone", 0, 60, 10, device: .phone)
                if later {
                    recording.batch.origins[2].version = "16"
                }
                let run = recording.add(.workout, "Phone", 0, 60, .nan, device: .phone)
                recording.batch.details[run] = .workout(
                    Workout(activityType: 37, duration: later ? 50 : 60))
            }
        }
        #expect(try changes(.bodyMass) == "0 1 0 value 1")
        #expect(try changes(.heartRate) == "0 1 0 metadata 1")
        #expect(try changes(.steps) == "0 1 0 origin 1")
        #expect(try changes(.workout) == "0 1 0 details 1")
        let difference = try difference()
        #expect(difference.changed == 4 && difference.new == 0 && difference.vanished == 0)
    }

    @Test("the same value in another unit is no change")
    func units() throws {
        try add { $0.add(.bodyMass, "Scale", 0, 0, 70, unit: "kg") }
        try add { $0.add(.bodyMass, "Scale", 0, 0, 70_000, unit: "g") }
        #expect(try difference().types.isEmpty)
    }

    @Test("reasons of vanished records: another with this start, a newer version, or none")
    func vanished() throws {
        for later in [false, true] {
            try add { recording in
                recording.add(.sleep, "Watch", 0, later ? 700 : 600, 3, device: .watch)
                if !later { recording.add(.sleep, "Watch", 9000, 9600, 3, device: .watch) }
                let mass = recording.add(
                    .bodyMass, "Scale", 0, 0, later ? 71 : 70, created: later ? 20 : 10)
                recording.batch.metadata = [SavedBatch.sync("a", later ? 2 : 1)]
                recording.batch.samples[mass].metadata = 0
            }
        }
        #expect(try changes(.sleep) == "1 0 2 retimed 1")
        #expect(try changes(.bodyMass) == "1 0 1 replaced 1")
        let sleep = try #require(try difference().types.first { $0.type == .sleep })
        #expect(sleep.first == 0 && sleep.last == 9000)
    }

    @Test("later imports that change and remove the samples of an import keep its difference")
    func later() throws {
        try add { $0.add(.bodyMass, "Scale", 0, 0, 70) }
        try add {
            $0.add(.bodyMass, "Scale", 0, 0, 71)
            $0.add(.bodyMass, "Scale", 100, 100, 72)
            $0.add(.bodyMass, "Scale", 200, 200, 73)
        }
        let difference = try changes(.bodyMass)
        #expect(difference == "2 1 0 value 1")
        try add { $0.add(.bodyMass, "Scale", 100, 100, 75) }
        #expect(try changes(.bodyMass, 1) == "1 0 0")
        #expect(try changes(.bodyMass, 2) == "2 1 0")
        #expect(try changes(.bodyMass, 3) == "0 1 2 value 1")
    }

    @Test("renamed and new sources, and changed characteristics, are named")
    func sources() throws {
        try add { $0.add(.steps, "Old", 0, 60, 1) }
        try add {
            $0.add(.steps, "New", 0, 60, 1)
            $0.add(.steps, "Phone", 0, 60, 1, device: .phone)
        }
        let difference = try difference()
        #expect(difference.renamed == [.init(from: "Old", to: "New")])
        #expect(difference.newSources == ["Phone"])
        #expect(difference.characteristics == [])
        #expect(try changes(.steps) == "1 0 0")
    }
}
