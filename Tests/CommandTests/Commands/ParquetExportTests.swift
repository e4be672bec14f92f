import Foundation
import HealthTesting
import Testing

/// `openhealth export --format parquet`, `--lean` and `--daily`, read by other programs.
@Suite(.inTestAll) struct ParquetExportTests {
    private let folder: TemporaryFolder
    private let person: SimulatedStore

    init() throws {
        folder = try TemporaryFolder()
        person = try SimulatedStore.shared.get()
    }

    private func export(_ name: String, _ options: [String]) throws -> String {
        let out = folder.path + "/" + name
        let run = try person.run(["export", "--out", out] + options)
        #expect(run.status == 0, "\(run.errors)")
        return out
    }

    /// The sums or averages of `stats --json` by type and day.
    private func stats(_ type: String, _ key: String) throws -> [String: Double] {
        let text = try person.run(["stats", type, "--json"]).output
        let answer = try JSONDecoder().decode(StatsAnswer.self, from: Data(text.utf8))
        var values: [String: Double] = [:]
        for bucket in answer.buckets {
            let day = String(try #require(bucket["start"]?.text).prefix(10))
            values[day] = bucket[key]?.number
        }
        return values
    }

    /// The numbers of an answer. Of `JSONSerialization` some would be decimal numbers, whose doubles
    /// aren't the nearest ones.
    private struct StatsAnswer: Decodable {
        struct Member: Decodable {
            let number: Double?
            let text: String?

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                (number, text) = (try? value.decode(Double.self), try? value.decode(String.self))
            }
        }

        let buckets: [[String: Member]]
    }

    @Test(
        "sums a day in DuckDB, pandas and polars are those of stats, from CSV and from Parquet",
        .comparedWithParquetReaders)
    func sums() throws {
        let python = try #require(Python.withParquetTools)
        var forms: [String] = []
        for format in ["csv", "parquet"] {
            for lean in [[], ["--lean"]] {
                forms.append(
                    try export(
                        "merged\(lean.count).\(format)", ["--format", format, "--merged"] + lean))
            }
        }
        let read = try Python.run(Self.sumProgram, forms, by: python)
        let results = try #require(
            JSONSerialization.jsonObject(with: Data(read.utf8)) as? [String: [String: Double]])
        #expect(results.count == forms.count * 3)
        for type in ["stepCount", "distanceWalkingRunning", "flightsClimbed"] {
            let expected = try stats(type, "sum")
            #expect(expected.count > 30)
            for (reader, sums) in results {
                let prefix =
                    "HKQuantityTypeIdentifier" + type.prefix(1).uppercased()
                    + type.dropFirst() + " "
                let own = sums.filter { $0.key.hasPrefix(prefix) }
                #expect(own.count == expected.count, "\(reader) \(type)")
                for (day, sum) in expected {
                    let found = own[prefix + day] ?? .nan
                    #expect(abs(found - sum) <= 1e-9 * max(1, sum), "\(reader) \(type) \(day)")
                }
            }
        }
    }

    private static let sumProgram = """
        import sys, json, duckdb, pandas, polars
        results = {}
        for file in sys.argv[1:]:
            def keep(reader, rows):
                results[f"{file} {reader}"] = {f"{t} {d}": v for t, d, v in rows}
            keep("duckdb", duckdb.sql(
                f"SELECT type, day, sum(value) FROM '{file}' GROUP BY ALL").fetchall())
            csv = file.endswith(".csv")
            frame = pandas.read_csv(file) if csv else pandas.read_parquet(file)
            sums = frame.groupby(["type", "day"])["value"].sum()
            keep("pandas", [(t, d, v) for (t, d), v in sums.items()])
            table = polars.read_csv(file) if csv else polars.read_parquet(file)
            keep("polars", table.group_by("type", "day").agg(polars.col("value").sum()).rows())
        print(json.dumps(results))
        """

    @Test(
        "a folder has the rows of an export as SQLite, table by table, with the same values",
        .comparedWithParquetReaders)
    func tables() throws {
        let python = try #require(Python.withParquetTools)
        let database = try export("plain.sqlite", ["--format", "sqlite"])
        let tables = try export("tables", ["--format", "parquet"])
        let differences = try Python.run(Self.tableProgram, [database, tables], by: python)
        #expect(differences == "samples workouts routes members")
    }

    /// Compares every column that both have, and prints some tables with rows.
    private static let tableProgram = """
        import sys, sqlite3, pathlib, pyarrow.parquet
        names = {"samples": "sample", "workouts": "workout", "routes": "route",
                 "workout_statistics": "workout_statistics", "workout_events": "workout_event",
                 "route_points": "route_point", "activity_summaries": "activity_summary",
                 "members": "member", "day_notes": "day_note"}
        plain = sqlite3.connect(sys.argv[1])
        assert {p.stem for p in pathlib.Path(sys.argv[2]).iterdir()} == set(names)
        filled = []
        def comparable(value):
            return value.isoformat() if hasattr(value, "isoformat") else value
        for name, table in names.items():
            frame = pyarrow.parquet.read_table(f"{sys.argv[2]}/{name}.parquet")
            known = [row[1] for row in plain.execute(f"PRAGMA table_info({table})")]
            unknown = set(frame.column_names) - set(known) - {"zone"}
            if name == "workouts": unknown -= {"day"}
            if name == "route_points": unknown -= {"time"}
            assert not unknown, (name, unknown)
            shared = [c for c in frame.column_names if c in known and not c.endswith("_date")]
            rows = plain.execute(f"SELECT {','.join(shared)} FROM {table}").fetchall()
            found = list(zip(*[map(comparable, frame[c].to_pylist()) for c in shared]))
            key = lambda row: [str(v) for v in row]
            rows, found = sorted(rows, key=key), sorted(found, key=key)
            assert len(rows) == len(found), (name, len(rows), len(found))
            for a, b in zip(rows, found): assert a == b, (name, a, b)
            for column in [c for c in frame.column_names if c.endswith("start_date")]:
                unix = column.replace("_date", "_unix")
                wanted = sorted(v for v, in plain.execute(f"SELECT {unix} FROM {table}"))
                got = sorted(v.timestamp() for v in frame[column].to_pylist())
                assert all(abs(a - b) < 2e-6 for a, b in zip(wanted, got)), (name, column)
            if rows: filled.append(name)
        print(*[n for n in filled if n in ("samples", "workouts", "routes", "members")])
        """

    @Test("a day has the numbers of stats, nights and workouts, as CSV and as Parquet")
    func daily() throws {
        let rows = try #require(
            CSVTable(
                try String(
                    contentsOfFile: try export("days.csv", ["--format", "csv", "--daily"]),
                    encoding: .utf8)))
        #expect(Set(rows.compactMap { $0["day"] }).count == rows.count && rows.count > 30)
        let checks = [
            ("stepCount_count", "stepCount", "sum"),
            ("heartRate_average_count_per_min", "heartRate", "average"),
            ("heartRate_maximum_count_per_min", "heartRate", "maximum"),
        ]
        for (column, type, key) in checks {
            let expected = try stats(type, key)
            for row in rows {
                let value = Double(row[column] ?? "")
                #expect(value == expected[row["day"] ?? ""], "\(column) \(row["day"] ?? "")")
            }
        }
        let nights = try stats("sleepAnalysis", "asleep")
        #expect(nights.count > 20)
        for row in rows {
            let asleep = Double(row["sleep_asleep_min"] ?? "").map { ($0 * 60).rounded() }
            #expect(asleep == nights[row["day"] ?? ""]?.rounded(), "\(row["day"] ?? "")")
        }
        let listed = try #require(
            try person.run(["workouts", "--json"]).object?["workouts"] as? [[String: Any]])
        let counted = rows.compactMap { Double($0["workouts_count"] ?? "") }
        #expect(counted.reduce(0, +) == Double(listed.count))
        #expect(!counted.contains(0))
        let parquet = try export("days.parquet", ["--format", "parquet", "--daily"])
        guard let python = Python.withParquetTools else { return }
        let same = try Python.run(
            "import sys, duckdb\n"
                + "a, b = [duckdb.sql(f\"SELECT * FROM '{f}' ORDER BY day\").fetchall() "
                + "for f in sys.argv[1:]]\nprint(len(a) if a == b else 'different')",
            [folder.path + "/days.csv", parquet], by: python)
        #expect(same == String(rows.count))
    }

    @Test("one kind of samples is one file, and what isn't in it is said")
    func oneFile() throws {
        let out = folder.path + "/workouts.parquet"
        let run = try person.run(["export", "workout", "--format", "parquet", "--out", out])
        #expect(run.status == 0 && run.errors.contains("routes with their points"))
        #expect(run.errors.contains("write parquet to a folder"))
        let again = try person.run(["export", "workout", "--format", "parquet", "--out", out])
        #expect(again.status == 1)
        let inFile = try person.run(["export", "--format", "parquet", "--out", out + "/x"])
        #expect(inFile.status != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test("options that a format doesn't have are refused")
    func refused() throws {
        for options in [
            ["--format", "parquet", "--out", "-"], ["--format", "jsonl", "--out", "-", "--lean"],
            ["--format", "sqlite", "--out", "x", "--daily"],
            ["--format", "csv", "--out", "-", "--daily", "--merged"],
        ] {
            #expect(try person.run(["export"] + options).status == 64, "\(options)")
        }
    }
}
