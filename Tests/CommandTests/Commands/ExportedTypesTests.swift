import Foundation
import HealthTesting
import Testing

/// The CSV of `export`, read by programs that infer column types.
@Suite(.inTestAll) struct ExportedTypesTests {
    /// 24,000 walks of which the first thousands are whole kilometres, and versions that look like
    /// numbers.
    private static func walks() throws -> HandMadeExport {
        let records = (0..<24_000).map { index in
            let (day, hour, minute) = (1 + index / 1440, index / 60 % 24, index % 60)
            func at(_ second: String) -> String {
                String(format: "2024-06-%02d %02d:%02d:", day, hour, minute) + second + " +0000"
            }
            return HandMadeExport.record(
                "HKQuantityTypeIdentifierDistanceWalkingRunning", index < 22_000 ? "3" : "0.25",
                source: "Watch", from: at("00"), to: at("30"), version: "10.10", unit: "km")
        }
        return try HandMadeExport(records, zone: "Asia/Tokyo")
    }

    @Test(
        "DuckDB and pandas sum every kilometre, read days as dates and versions as text",
        .enabled(
            if: Python.withDataTools != nil,
            "No Python with DuckDB and pandas: Tools/setup brings them into .build/python."))
    func types() throws {
        let python = try #require(Python.withDataTools)
        let store = try Self.walks()
        let forms: [[String]] = [[], ["--merged"]]
        for options in forms {
            let file = store.folder.path + "/walks\(options.count).csv"
            let run = try store.run(["export", "--format", "csv", "--out", file] + options)
            #expect(run.status == 0, "\(run.errors)")
            let read = try Python.run(Self.program, [file], by: python).split(separator: "\n")
            let versions = options.isEmpty ? ["'10.10 VARCHAR", "'10.10 text"] : []
            // 22,000 times 3 and 2,000 times 0.25. In Tokyo the first day has fifteen hours of
            // them.
            let sums = ["66500.0 DOUBLE", "66500.0 float64"]
            let days = ["2024-06-01 DATE 900", "2024-06-01 900"]
            #expect(read.map(String.init) == sums + days + versions)
        }
    }

    private static let program = """
        import sys, duckdb, pandas
        file = sys.argv[1]
        database = duckdb.connect()
        def ask(words):
            return database.execute(f"{words} FROM '{file}'").fetchall()
        kinds = {row[0]: row[1] for row in ask("DESCRIBE SELECT *")}
        frame = pandas.read_csv(file)
        print(ask("SELECT sum(value)")[0][0], kinds["value"])
        print(frame["value"].sum(), frame["value"].dtype)
        first = min(day for day, in ask("SELECT DISTINCT day"))
        count = sum(day == first for day, in ask("SELECT day"))
        print(first, kinds["day"], count)
        counts = frame.groupby("day").size()
        print(counts.index[0], counts.iloc[0])
        if "sourceVersion" in kinds:
            print(ask("SELECT max(sourceVersion)")[0][0], kinds["sourceVersion"])
            version = frame["sourceVersion"].iloc[0]
            print(version, "text" if isinstance(version, str) else type(version))
        """

    @Test("a column of numbers has a point in every cell, and text none of its own")
    func points() throws {
        let store = try SimulatedStore.shared.get()
        let rows = try #require(CSVTable(try store.export("csv", "points.csv")))
        let values = rows.compactMap { $0["value"] }.filter { !$0.isEmpty }
        #expect(values.count > 1000 && values.allSatisfy { $0.contains(".") })
        #expect(rows.allSatisfy { $0["sourceVersion"]?.first.map { $0 == "'" } ?? true })
        for row in rows { #expect(row["start"]?.hasPrefix(row["day"] ?? "-") == true) }
    }

    @Test(
        "rings are exported on their own day, in every zone and form, and chosen by it",
        arguments: ["America/New_York", "Pacific/Kiritimati", "Europe/Berlin", "UTC"])
    func rings(zone: String) throws {
        let days = ["2024-03-09", "2024-03-10", "2024-03-11", "2024-03-12"]
        let store = try HandMadeExport(
            days.map {
                "<ActivitySummary dateComponents=\"\($0)\" activeEnergyBurned=\"300\" "
                    + "activeEnergyBurnedGoal=\"400\" activeEnergyBurnedUnit=\"kcal\"/>"
            }, zone: zone)
        func started(_ texts: [String?]) -> [String] { texts.map { String(($0 ?? "").prefix(10)) } }
        let cases: [(options: [String], days: [String])] = [
            ([], days), (["--from", days[1], "--to", days[3]], Array(days[1...2])),
        ]
        for (options, expected) in cases {
            let csv = try #require(CSVTable(try store.export("csv", options)))
            #expect(csv.map { $0["day"] } == expected)
            #expect(started(csv.map { $0["start"] }) == expected)
            let lines = try store.export("jsonl", options).split(separator: "\n").map {
                try #require(
                    JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(lines.map { $0["day"] as? String } == expected)
            let plain = store.folder.path + "/plain\(options.count).sqlite"
            _ = try store.run(["export", "--format", "sqlite", "--out", plain] + options)
            let sql =
                "SELECT group_concat(day || substr(start_date, 1, 10) || date) FROM sample "
                + "JOIN activity_summary USING (uuid)"
            let output = try Python.run(
                "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2])"
                    + ".fetchone()[0])", [plain, sql])
            #expect(output == expected.map { $0 + $0 + $0 }.joined(separator: ","))
            let listed = try store.run(
                ["samples", "HKActivitySummaryTypeIdentifier", "--json"] + options)
            let samples = try #require(listed.object?["samples"] as? [[String: Any]])
            #expect(started(samples.map { $0["start"] as? String }) == expected)
            let zip = store.folder.path + "/apple\(options.count).zip"
            _ = try store.run(["export", "--format", "apple", "--out", zip] + options)
            let xml = try Python.run(
                "import sys, zipfile, re; z = zipfile.ZipFile(sys.argv[1]); "
                    + "print(','.join(re.findall('dateComponents=\"(.*?)\"', "
                    + "z.read('apple_health_export/export.xml').decode())))", [zip])
            #expect(xml == expected.joined(separator: ","))
        }
    }

    @Test("the merged timeline of a category is exported as samples --merged lists it")
    func mergedCategory() throws {
        let store = try SimulatedStore.shared.get()
        let run = try store.run(["samples", "sleepAnalysis", "--merged", "--csv"])
        let listed = try #require(CSVTable(run.output))
        let exported = try #require(
            CSVTable(
                try store.export("csv", "sleep.csv", ["sleepAnalysis", "--merged"])))
        #expect(listed.count == exported.count && listed.count > 100)
        for (a, b) in zip(listed, exported) {
            for name in ["start", "end", "value", "valueName", "source"] {
                #expect(a[name] == b[name], "\(name)")
            }
        }
        let refused = try store.run([
            "export", "HKWorkoutTypeIdentifier", "--format", "csv", "--out", "-", "--merged",
        ])
        #expect(refused.status == 64)
    }
}
