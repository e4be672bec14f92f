import Foundation
import HealthTesting
import Testing

/// `import FOLDER`: what it imports, and when it asks for a choice.
@Suite(.inTestAll) struct FolderImportTests {
    @Test("several exports in a folder are listed, and none is imported")
    func several() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder.path + "/in/apple_health_export", withIntermediateDirectories: true)
        try files.copyItem(
            atPath: AnnasStore.export, toPath: folder.path + "/in/apple_health_export/export.xml")
        let zip = folder.path + "/in/export.zip"
        let made = try CommandRun(
            ["simulate", "--records", "500", "--seed", "1", "--out", zip])
        #expect(made.status == 0, "\(made.errors)")
        let store = folder.path + "/health.sqlite"
        let run = try CommandRun(["import", folder.path + "/in"], store: store)
        #expect(run.status == 1)
        #expect(
            run.errors.contains(
                "contains 2 exports; name one of them: apple_health_export/export.xml, export.zip"))
        #expect(!files.fileExists(atPath: store))
        try files.removeItem(atPath: folder.path + "/in/apple_health_export")
        let single = try CommandRun(["import", folder.path + "/in", "--json"], store: store)
        #expect(single.status == 0, "\(single.errors)")
        let records = single.object?["records"] as? [String: Any]
        #expect((records?["new"] as? Int ?? 0) >= 400)
    }

    @Test("a folder that is no export's is not walked for long, and where it ended is said")
    func bounded() throws {
        let folder = try TemporaryFolder()
        for index in 0..<1_010 {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/in/\(index % 10)/\(index)",
                withIntermediateDirectories: true)
        }
        let run = try CommandRun(
            ["import", folder.path + "/in"], store: folder.path + "/health.sqlite")
        #expect(run.status == 1)
        #expect(run.errors.contains("the search ended at \(folder.path)/in/"), "\(run.errors)")
        #expect(run.errors.contains("name the export itself"))
    }

    @Test("what an Apple export leaves out is not counted among what is in it")
    func leftOut() throws {
        let store = try HandMadeExport(
            [
                HandMadeExport.record(
                    "HKQuantityTypeIdentifierStepCount", "12", source: "Phone",
                    from: "2024-06-01 08:00:00 +0000", to: "2024-06-01 08:10:00 +0000",
                    unit: "count"),
                "<Record type=\"HKDataTypeOfTomorrow\" sourceName=\"Phone\" "
                    + "startDate=\"2024-06-01 08:00:00 +0000\" endDate=\"2024-06-01 08:10:00 +0000\"/>",
            ], zone: "UTC")
        let out = store.folder.path + "/out.zip"
        let run = try store.run(["export", "--format", "apple", "--out", out])
        let output = run.output + run.errors
        #expect(output.contains("Wrote 1 sample of 1 type to"), "\(output)")
        #expect(output.contains("1 samples that have no element in the format"), "\(output)")
    }

    @Test("an unknown value survives repeated exports")
    func unknownValues() throws {
        let types = [
            ("HKCategoryTypeIdentifierMindfulSession", "HKCategoryValueOfTomorrow"),
            ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisDreaming"),
            ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueNotApplicable"),
            ("HKDataTypeOfTomorrow", "much"),
        ]
        let store = try HandMadeExport(
            types.enumerated().map { index, type in
                HandMadeExport.record(
                    type.0, type.1, source: "App", from: "2024-06-01 0\(index):00:00 +0000",
                    to: "2024-06-01 0\(index):10:00 +0000")
            }, zone: "UTC")
        func rows(_ path: String) throws -> [[String]] {
            let run = try CommandRun(["export", "--format", "csv", "--out", "-"], store: path)
            return try #require(CSVTable(run.output)).map {
                [$0["type"] ?? "", $0["value"] ?? "", $0["metadata"] ?? ""]
            }
        }
        let first = try rows(store.path)
        #expect(first.count == 4 && first.allSatisfy { $0[1].isEmpty })
        var path = store.path
        for round in 1...2 {
            let zip = store.folder.path + "/\(round).zip"
            let out = try CommandRun(["export", "--format", "apple", "--out", zip], store: path)
            #expect(out.status == 0, "\(out.errors)")
            path = store.folder.path + "/\(round).sqlite"
            let back = try CommandRun(["import", zip, "--time-zone", "UTC"], store: path)
            #expect(back.status == 0, "\(back.errors)")
            #expect(try rows(path) == first, "round \(round)")
        }
    }
}
