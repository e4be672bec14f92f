import Foundation
import HealthTesting
import Testing

/// What scripts depend on: exit codes, streams, keys.
@Suite(.inTestAll) struct ContractTests {
    @Test(
        "wrong usage exits with 64, with a message on standard error and no output",
        arguments: [
            "stats", "stats nonsense", "stats stepCount --from 2024-02-30",
            "stats stepCount --from yesterdaY2", "stats stepCount --to 2024-03-10T25:00",
            "stats stepCount --from 2024-03-31 --to 2024-03-30", "stats stepCount --by fortnight",
            "stats stepCount --unit kg", "stats stepCount --unit furlong",
            "stats sleepAnalysis --unit hr", "stats stepCount --json --csv",
            "stats stepCount --time-zone Berlin", "stats stepCount --time-zone EST5",
            "stats stepCount --week-starts caturday", "explain stepCount",
            "explain stepCount --day 2024-02-30", "samples stepCount --limit -1",
            "types --as ../x", "types --as .", "types --store=", "frobnicate", "types --verbose",
            "simulate", "simulate --out x.zip --years 0", "simulate --out x.zip --records 0",
            "simulate --out x.zip --records -5", "simulate --out x.zip --years -1",
            "simulate --out x.zip --years 1 --records 100", "types --store n9/",
            "sources order stepCount DayCounter DayCounter",
        ])
    func wrongUsage(arguments: String) throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            arguments.split(separator: " ").map(String.init), store: store.path)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
    }

    @Test(
        "what can't be done exits with 1 and one sentence",
        arguments: [
            "stats stepCount --source Nobody", "explain heartRate --day 2024-03-31",
            "stats bloodPressure", "sources order stepCount Nobody",
            "sources identify Nobody com.example.app", "sources identify DayCounter a\u{A0}b",
            "import nowhere.zip",
        ])
    func notDone(arguments: String) throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            arguments.split(separator: " ").map(String.init), store: store.path)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("openhealth: "))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "a store that is missing or none of ours exits with 1",
        arguments: ["types", "sources", "stats stepCount", "check", "workouts --json"])
    func noStore(arguments: String) throws {
        let folder = try TemporaryFolder()
        let words = arguments.split(separator: " ").map(String.init)
        let missing = try CommandRun(words, store: folder.path + "/none.sqlite")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("openhealth import"))
        let other = folder.path + "/other.sqlite"
        try Data("hello".utf8).write(to: URL(fileURLWithPath: other))
        #expect(try CommandRun(words, store: other).status == 1)
    }

    @Test("the same export again brings nothing new; its ledger adds up")
    func importTwice() throws {
        let store = try AnnasStore()
        let run = try CommandRun(["import", AnnasStore.export, "--json"], store: store.path)
        let records = try #require(run.object?["records"] as? [String: Int])
        #expect(run.status == 0)
        #expect(records["new"] == 0)
        #expect(records["unchanged"] == records["read"])
        #expect(try #require(run.object?["vanished"] as? Int) == 0)
    }

    @Test("a file cut short exits with 2, with --partial 0, and says so")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let whole = try String(contentsOfFile: AnnasStore.export, encoding: .utf8)
        let cut = folder.path + "/export.xml"
        try Data(whole.utf8.prefix(5000)).write(to: URL(fileURLWithPath: cut))
        let store = folder.path + "/health.sqlite"
        let run = try CommandRun(["import", cut], store: store)
        #expect(run.status == 2)
        #expect(run.errors.contains("ends unexpectedly at byte"))
        #expect(try CommandRun(["import", cut, "--partial"], store: store).status == 0)
    }

    @Test("check exits with 3 and names the broken rule")
    func damagedStore() throws {
        let store = try AnnasStore()
        _ = try Python.run(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute('update sample set end_time = start_time - 1 where sequence = 1'); "
                + "c.commit()", [store.path])
        let run = try CommandRun(["check", "--json"], store: store.path)
        #expect(run.status == 3)
        #expect(run.object?["ok"] as? Bool == false)
        let problems = try #require(run.object?["problems"] as? [[String: Any]])
        #expect(problems.first?["invariant"] as? String == "samples end no earlier than they start")
    }

    @Test("people have stores of their own beside each other")
    func people() throws {
        let store = try AnnasStore()
        let other = try CommandRun(["types", "--as", "Ben"], store: store.path)
        #expect(other.status == 1)
        #expect(other.errors.contains("health-Ben.sqlite"))
        let bens = try CommandRun(
            ["--as", "Ben", "import", AnnasStore.export, "--json"], store: store.path)
        #expect(bens.status == 0)
        #expect(try CommandRun(["types", "--as=Ben"], store: store.path).status == 0)
    }

    @Test("global options may stand before the command")
    func globalOptionsFirst() throws {
        let store = try AnnasStore.shared.get()
        let before = try CommandRun(
            ["--store", store.path, "--json", "--time-zone", "Asia/Tokyo", "sources", "stepCount"])
        let behind = try CommandRun(
            ["sources", "stepCount", "--store", store.path, "--json", "--time-zone=Asia/Tokyo"])
        #expect(before.status == 0)
        #expect(before.output == behind.output)
        #expect(before.output.contains("+09:00"))
    }
}

/// Surroundings that must not change an answer, and those that must.
@Suite(.inTestAll) struct EnvironmentTests {
    @Test(
        "language, zone and terminal change no number, and a pipe gets no colour",
        arguments: [
            ["LANG": "en_US.UTF-8", "TZ": "America/Los_Angeles"],
            ["LC_ALL": "ar_EG.UTF-8", "TZ": "Asia/Kathmandu"], ["NO_COLOR": "1"],
            ["TERM": "xterm-256color", "CLICOLOR_FORCE": "1"],
        ])
    func sameEverywhere(environment: [String: String]) throws {
        let store = try AnnasStore.shared.get()
        for arguments in [
            ["stats", "stepCount"], ["stats", "bodyMass", "--json"],
            ["explain", "stepCount", "--day", "2024-03-31"],
        ] {
            let usual = try CommandRun(arguments, store: store.path)
            let here = try CommandRun(arguments, store: store.path, environment: environment)
            #expect(here.output == usual.output)
            #expect(!here.output.contains("\u{1B}"))
        }
    }

    @Test("a change of the source order changes the answer, and a reset takes it back")
    func order() throws {
        let store = try AnnasStore()
        func sum() throws -> Double? {
            let run = try CommandRun(
                ["stats", "stepCount", "--by", "total", "--json"], store: store.path)
            return (run.object?["buckets"] as? [[String: Any]])?.first?["sum"] as? Double
        }
        #expect(try sum() == 13_714)
        let order = try CommandRun(
            [
                "sources", "order", "stepCount", "Anna’s iPhone", "anna’s apple\u{A0}watch",
                "--json",
            ],
            store: store.path)
        #expect(order.status == 1, "names are folded, their case is not")
        _ = try CommandRun(["sources", "order", "stepCount", "Anna’s iPhone"], store: store.path)
        #expect(try sum() == 13_684)
        _ = try CommandRun(["sources", "include", "stepCount", "DayCounter"], store: store.path)
        #expect(try #require(try sum()) > 20_000)
        _ = try CommandRun(["sources", "reset", "stepCount"], store: store.path)
        #expect(try sum() == 13_714)
    }

    @Test("simulate writes an export that imports whole, and the truth beside it")
    func simulate() throws {
        let folder = try TemporaryFolder()
        let (zip, truth) = (folder.path + "/export.zip", folder.path + "/truth.json")
        let run = try CommandRun([
            "simulate", "--out", zip, "--records", "15000", "--daily-app", "--truth", truth,
            "--json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let report = try CommandRun(
            ["import", zip, "--json"], store: folder.path + "/health.sqlite")
        #expect(report.status == 0)
        let records = try #require(report.object?["records"] as? [String: Int])
        #expect(records["read"] == run.object?["records"] as? Int)
        let data = try Data(contentsOf: URL(fileURLWithPath: truth))
        let days = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect((days?["days"] as? [[String: Any]])?.count == 365)
        for path in [zip, truth] {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(path)")
        }
    }
}
