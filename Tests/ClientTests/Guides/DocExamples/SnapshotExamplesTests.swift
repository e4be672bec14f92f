import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// The examples in HealthStorage's doc comments: imports and what they changed.
@Suite struct SnapshotExamplesTests {
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/health.sqlite" }
    private let start = 731_754_000.0

    init() throws { temporary = try TemporaryFolder() }

    /// Imports the batch of an export into the store at `path`.
    ///
    /// - Parameter number: The number of the export. A later one has a higher number.
    private func importBatch(
        number: Double, _ write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotOutcome {
        let description = SnapshotDescription(
            file: "export.zip", bytes: 1, exportDate: start + number, importedAt: start + number)
        return try SampleStore.importSnapshot(into: path, description) { writer, _ in
            try write(writer)
            return try writer.finish(.complete)
        }
    }

    /// Imports an export with steps in each of these hours.
    @discardableResult
    private func importSteps(inHours hours: [Double], number: Double) throws -> SnapshotOutcome {
        try importBatch(number: number) { writer in
            let type = try writer.type(identifier: "HKQuantityTypeIdentifierStepCount")
            var batch = SampleBatch(
                sources: [Source(name: "Watch", bundleIdentifier: "")],
                origins: [Origin(source: 0, version: "1", unit: "count")])
            batch.samples = hours.map { hour in
                let begin = start + hour * 3600
                return Sample(
                    type: type, origin: 0, start: begin, end: begin + 600, created: begin + 600,
                    value: 842)
            }
            try writer.write(batch)
        }
    }

    @Test("a difference has the numbers of new and vanished samples by type")
    func difference() throws {
        try importSteps(inHours: [0, 1, 2], number: 1)
        try importSteps(inHours: [0, 3], number: 2)
        let store = try SampleStore(at: path, access: .reading)
        let difference = try store.difference(ofImport: 2)
        let changes = difference.types.map { ($0.type.name, $0.new, $0.vanished) }
        #expect(changes.map(\.0) == ["stepCount"])
        #expect(changes.map(\.1) == [1])
        #expect(changes.map(\.2) == [2])
    }

    @Test("undoing an import restores the samples that it removed")
    func undo() throws {
        try importSteps(inHours: [0, 1, 2], number: 1)
        try importSteps(inHours: [0, 3], number: 2)
        let store = try SampleStore(at: path, access: .writing)
        let outcome = try store.undoImport(2)
        #expect(outcome.restored == 2)
        #expect(outcome.removed == 1)
    }

    @Test("a store is being imported into while an import runs, and not afterwards")
    func importing() throws {
        _ = try importBatch(number: 1) { _ in
            if SampleStore.isBeingImported(into: path) { print("An import is under way.") }
            #expect(SampleStore.isBeingImported(into: path))
        }
        #expect(!SampleStore.isBeingImported(into: path))
    }

    @Test("a numbering has the code that the writer gives to a new type")
    func numbering() throws {
        _ = try importBatch(number: 1) { writer in
            var numbering = try writer.typeNumbering()
            let (code, isNew) = numbering.number(of: "HKQuantityTypeIdentifierStepCount")
            #expect(isNew)
            let stored = try writer.type(identifier: "HKQuantityTypeIdentifierStepCount")
            #expect(stored == code)
        }
    }

    @Test("the points of an imported route are read by their number")
    func routePoints() throws {
        _ = try importBatch(number: 1) { writer in
            let type = try writer.type(identifier: "HKWorkoutTypeIdentifier")
            var batch = SampleBatch(
                sources: [Source(name: "Watch", bundleIdentifier: "")],
                origins: [Origin(source: 0)])
            batch.samples = [Sample(type: type, origin: 0, start: start, end: start + 600)]
            let points = (0..<3).map { second in
                RoutePoint(
                    time: start + Double(second), latitude: 48.5, longitude: 11, altitude: 500,
                    horizontalAccuracy: 5, verticalAccuracy: 4, course: 90, speed: 3)
            }
            let route = WorkoutRoute(start: start, end: start + 600, points: points)
            batch.details[0] = .workout(Workout(activityType: 37, routes: [route]))
            try writer.write(batch)
        }
        var counts: [Int] = []
        let store = try SampleStore(at: path, access: .reading)
        let found = try store.objects([SampleRequest(store.type(named: "workout"))])
        for case .workout(let workout) in found.batch.details.values {
            for number in workout.routes.compactMap(\.storedPoints) {
                counts.append(try store.routePoints(number).count)
            }
        }
        #expect(counts == [3])
    }
}
