import Foundation
import GenerateCatalogue
import HealthEngine
import HealthTesting
import Testing

@Suite("Generated tables")
struct GeneratedTablesTests {
    private let root = ProjectFiles.tests.deletingLastPathComponent()

    @Test("the checked-in tables are what the facts render to")
    func fresh() throws {
        let tables = try GeneratedTables(data: root.appending(path: "Data"))
        let generated = root.appending(path: "Sources/HealthEngine/Generated")
        #expect(tables.stale(in: generated).isEmpty)
    }

    @Test("a changed, a missing and a left-over table are each named")
    func stale() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tables = try GeneratedTables(data: root.appending(path: "Data"))
        try tables.write(to: folder)
        #expect(tables.stale(in: folder).isEmpty)
        let units = folder.appending(path: "UnitTable+Units.swift")
        try Data("// edited by hand".utf8).write(to: units)
        try FileManager.default.removeItem(at: folder.appending(path: "Catalogue+Workouts.swift"))
        try Data().write(to: folder.appending(path: "Leftover.swift"))
        let names = ["Catalogue+Workouts.swift", "Leftover.swift", "UnitTable+Units.swift"]
        #expect(tables.stale(in: folder) == names)
    }

    @Test("the engine's public names don't clash with Foundation's")
    func names() {
        // Foundation is imported here, so an ambiguous name wouldn't compile.
        let types: [Any.Type] = [
            Catalogue.self, Characteristic.self, EnumerationValue.self, HealthUnit.self,
            HealthUnitError.self, MetadataKey.self, MetadataValue.self, Sample.self,
            SampleBatch.self,
            SampleDetail.self, SampleType.self, Source.self, SourceOrder.self, Statistics.self,
            StatisticsRules.self, UnitConversion.self, Workout.self,
        ]
        #expect(types.count == 17)
    }
}
