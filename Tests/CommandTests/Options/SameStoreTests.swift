import Foundation
import HealthTesting
import Testing

/// All ways to name a store lead to the same one, and errors name what can't be reached.
@Suite(.inTestAll) struct SameStoreTests {
    @Test("one person's name in capitals, small letters or another form is one store")
    func people() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        for name in ["Anna", "J\u{F6}rg"] {
            let run = try CommandRun(["import", AnnasStore.export, "--as", name], store: store)
            #expect(run.status == 0, "\(run.errors)")
        }
        for name in ["anna", "ANNA", "Anna", "JO\u{308}RG", "j\u{F6}rg"] {
            let run = try CommandRun(
                ["import", AnnasStore.export, "--as", name, "--json"], store: store)
            let records = run.object?["records"] as? [String: Any]
            #expect(records?["new"] as? Int == 0, "\(name): \(run.errors)")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasSuffix(".sqlite") }.count == 2)
        // Two files of an earlier version remain separate, each under its exact name.
        try FileManager.default.copyItem(
            atPath: folder.path + "/health-Anna.sqlite", toPath: folder.path + "/health-anna.sqlite"
        )
        #expect(try CommandRun(["types", "--as", "anna"], store: store).status == 0)
        let several = try CommandRun(["types", "--as", "ANNA"], store: store)
        #expect(several.status == 64 && several.errors.contains("health-Anna.sqlite, health-anna"))
    }

    @Test("a suggested command uses the same store")
    func hints() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        let options = ["--store", store, "--as", "Anna"]
        let words = "openhealth --store \(store) --as Anna "
        func run(_ arguments: String) throws -> CommandRun {
            try CommandRun(arguments.split(separator: " ").map(String.init) + options)
        }
        #expect(try run("types").errors.contains(words + "import export.zip"))
        #expect(try run("summary").errors.contains(words + "import export.zip"))
        let imported = try run("import " + AnnasStore.export)
        #expect(imported.output.contains("openhealth types --store \(store) --as Anna\n"))
        #expect(try run("stats nothing").errors.contains("`\(words)types`"))
        #expect(try run("stats workout").errors.contains(words + "samples workout"))
        let explained = try run("explain heartRate --day 2024-03-30")
        #expect(explained.errors.contains(words + "samples heartRate"))
        #expect(try run("grants").output.contains(words + "grants allow"))
        #expect(
            try CommandRun(["types"], store: store).errors.contains("openhealth import export.zip"))
    }

    @Test("a command that a page suggests uses the served store")
    func pageHints() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        let run = try CommandRun(["import", AnnasStore.export, "--as", "Anna"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        let serving = try Serving(["serve", "--as", "Anna"], store: store)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        for page in ["/why?metric=stepCount&day=2024-03-30", "/check-up"] {
            let body = try await serving.send(page, cookie: cookie).body
            let commands = body.components(separatedBy: "<code").dropFirst().map {
                String($0.prefix { $0 != "<" }.drop { $0 != ">" }.dropFirst())
            }.filter { $0.hasPrefix("openhealth ") }
            #expect(
                !commands.isEmpty && commands.allSatisfy { $0.hasSuffix(" --as Anna") }, "\(page)")
        }
    }

    @Test(
        "a store at a dangling link is reported as such and not created"
    )
    func danglingLink() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/health.sqlite"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path + "/away/health.sqlite")
        for command in [
            ["types"], ["summary"], ["import", AnnasStore.export], ["weight", "log", "70"],
        ] {
            let run = try CommandRun(command, store: link)
            #expect(run.status == 1)
            #expect(run.errors.contains("is a link to \(folder.path)/away"), "\(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/away"))
    }

    @Test("a store that another program is writing is reported as busy")
    func busy() throws {
        let store = try AnnasStore()
        // In one process: it starts a write, runs the command, and ends.
        let program = """
            import sqlite3, subprocess, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            db.execute("BEGIN IMMEDIATE")
            run = subprocess.run([sys.argv[2], "weight", "list", "--store", sys.argv[1]],
                capture_output=True, text=True)
            print(run.returncode, run.stderr.strip())
            """
        let output = try Python.run(program, [store.path, CommandRun.executable.path])
        #expect(output.hasPrefix("1 "))
        #expect(output.contains("is being written by another process"), "\(output)")
    }

    @Test("a server on every interface prints its network addresses with the same token")
    func reachable() throws {
        let store = try AnnasStore.shared.get()
        let serving = try Serving(["serve", "--listen", "0.0.0.0"], store: store.path)
        defer { serving.command.kill() }
        let program = """
            import subprocess
            run = subprocess.run(["hostname", "-I"], capture_output=True, text=True)
            print((run.stdout.split() + [""])[0])
            """
        let address = try Python.run(program, [])
        guard !address.isEmpty, !address.hasPrefix("127.") else { return }
        try serving.command.waitForMessage("From other devices: ")
        let url = "http://\(address):\(serving.port)/?token=\(serving.token)"
        #expect(serving.command.errors.contains(url), "\(serving.command.errors)")
    }
}
