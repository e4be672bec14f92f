import HealthEngine
import Testing

@testable import HealthStorage

/// An undo that conflicts with later changes: it reports why and changes nothing.
@Suite struct ImportRefusalTests {
    private let file: TemporaryStore
    private let store: SampleStore

    /// Creates a store with two imports. The second one adds a scale, a run and three walks.
    init() throws {
        file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 10, device: .phone)
        try file.add(recording)
        for start in [1000.0, 2000, 3000] {
            recording.add(.steps, "Phone", start, start + 60, 20, device: .phone)
        }
        recording.add(.bodyMass, "Scale", 5000, 5000, 70)
        let run = recording.add(.workout, "Phone", 4000, 4600, .nan, unit: nil, device: .phone)
        recording.batch.details[run] = .workout(Workout(activityType: 37))
        try file.add(recording)
        store = try file.open()
    }

    private func obstacles() throws -> [ImportUndoError.Obstacle] {
        let before = try StoreQueryDump(store)
        let error = try #require(throws: ImportUndoError.self) { try store.undoImport(2) }
        #expect(throws: error) { try store.checkUndo(ofImport: 2) }
        #expect(try StoreQueryDump(store) == before)
        guard case .blocked(2, let obstacles) = error else { return [] }
        let lines = obstacles.map { "\n  \($0)" }.joined()
        #expect(
            error.description
                == "Import 2 can't be undone because later changes depend on it:" + lines)
        return obstacles
    }

    private func bundle(_ name: String, _ type: SampleType) throws -> String {
        try #require(store.sources(of: type).first { $0.name == name }).bundleIdentifier
    }

    @Test("there is no obstacle as long as the imported data are unchanged")
    func untouched() throws {
        try store.save(1, .steps, 9000, 9060)
        try store.checkUndo(ofImport: 2)
        #expect(try store.undoImport(2).removed == 5)
    }

    @Test("samples that a program has deleted since are named, the first twenty of them")
    func deleted() throws {
        let uuids = try store.uuids(.steps)
        try store.delete([uuids[1], uuids[2]], by: bundle("Phone", .steps))
        #expect(
            try obstacles().map(\.description) == [
                "a program has deleted the stepCount sample of 2001-01-01 00:16:40 UTC",
                "a program has deleted the stepCount sample of 2001-01-01 00:33:20 UTC",
            ])
    }

    @Test("what a program has attached to an imported workout is named with it")
    func attached() throws {
        let run = try #require(store.uuids(.workout).first)
        try store.save(1, .heartRate, 4000)
        try store.save(2, .heartRate, 4010)
        try store.associate([1, 2], with: run)
        #expect(
            try obstacles().map(\.description) == [
                "a program has attached 2 samples to the workout of 2001-01-01 01:06:40 UTC"
            ])
    }

    @Test("an order of sources that names one it brought is named with its type")
    func ordered() throws {
        try store.setOrder(of: .bodyMass, to: ["Scale"])
        #expect(try obstacles() == [.ordered(type: "bodyMass", source: "Scale")])
        try store.resetSources(of: .bodyMass)
        try store.checkUndo(ofImport: 2)
    }

    @Test(
        "a source it brought that has another identifier by now, or samples of a program, is named")
    func source() throws {
        try store.identify("Scale", as: "com.example.scale")
        try store.save(1, .bodyMass, 6000, source: "scale")
        #expect(
            try obstacles().map(\.description) == [
                "the source “Scale” has been given another identifier",
                "programs have saved a sample under the source “Scale”",
            ])
    }

    @Test("only the newest import is undone, and one that is there")
    func others() throws {
        #expect(throws: ImportUndoError.notNewest(1, newest: 2)) { try store.undoImport(1) }
        for number in [0, -1, 3, .max] as [Int64] {
            #expect(throws: ImportUndoError.unknown(number)) { try store.undoImport(number) }
            #expect(throws: ImportUndoError.unknown(number)) {
                try store.difference(ofImport: number)
            }
        }
        try store.undoImport(2)
        #expect(throws: ImportUndoError.unknown(2)) { try store.undoImport(2) }
        try store.undoImport(1)
        #expect(try store.types().isEmpty)
    }

    @Test("an import without stored undo data is refused as such")
    func withoutTrace() throws {
        try store.close()
        try file.damage("UPDATE import SET previous = NULL")
        let store = try file.open()
        #expect(throws: ImportUndoError.missingUndoData(2)) { try store.undoImport(2) }
        #expect(try store.difference(ofImport: 2).new == 5)
    }
}
