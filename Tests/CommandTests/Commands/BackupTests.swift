import Foundation
import HealthTesting
import Testing

@Suite("a backup brings everything back", .inTestAll)
struct BackupTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }
    private var backup: String { folder.path + "/out/health.backup" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/out", withIntermediateDirectories: true)
        let run = try CommandRun(["import", AnnasStore.export], store: store)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func dump(_ store: String) throws -> String {
        let run = try CommandRun(["export", "--format", "jsonl", "--out", "-"], store: store)
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    private func passphrase(_ text: String, _ name: String = "secret") throws -> String {
        let path = folder.path + "/" + name
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func succeed(_ arguments: [String], store: String? = nil) throws {
        let run = try CommandRun(arguments, store: store ?? self.store)
        #expect(run.status == 0, "\(arguments) \(run.errors)")
    }

    /// The names in the folder of the store, without those that tests put there.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "out" && !$0.hasPrefix("secret") }.sorted()
    }

    @Test("every sample and the weight diary come back in another place, the checksums are unzip's")
    func moving() throws {
        try succeed(["weight", "log", "71.5kg", "--note", "after the run"])
        let before = try dump(store)
        try succeed(["backup", backup])
        let other = folder.path + "/out/new/health.sqlite"
        let run = try CommandRun(["restore", backup, "--store", other, "--json"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try dump(other) == before)
        let diary = try CommandRun(["weight", "list"], store: other)
        #expect(diary.output.contains("after the run"), "\(diary.output)\(diary.errors)")
        #expect(try CommandRun(["check"], store: other).status == 0)
        let test = try ProgramRun(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import zipfile,sys,json,hashlib\nz=zipfile.ZipFile(sys.argv[1])\nm=json.loads(z.read("
                    + "'manifest.json'))\nassert {f['name'] for f in m['files']}|{'manifest.json'}=="
                    + "set(z.namelist())\nfor f in m['files']:\n d=z.read(f['name'])\n assert len(d)=="
                    + "f['byteCount'] and hashlib.sha256(d).hexdigest()==f['sha256']\nprint('equal')",
                backup,
            ])
        #expect(test.output == "equal\n", "\(test.errors)")
    }

    @Test("a restored store is another one for programs that read changes")
    func identity() throws {
        func identifier(_ path: String) throws -> String {
            let run = try ProgramRun(
                "/usr/bin/env",
                [
                    "python3", "-c",
                    "import sqlite3,sys\nprint(sqlite3.connect(sys.argv[1]).execute(\"SELECT value "
                        + "FROM store WHERE key='identifier'\").fetchone()[0])", path,
                ])
            return run.output
        }
        try succeed(["backup", backup])
        let other = folder.path + "/other.sqlite"
        try succeed(["restore", backup, "--store", other])
        #expect(try identifier(other).count == 33)
        #expect(try identifier(other) != identifier(store))
    }

    @Test("an existing store is replaced only on demand, and kept")
    func replacing() throws {
        try succeed(["backup", backup])
        let before = try dump(store)
        try succeed(["weight", "log", "71.5kg"])
        let refused = try CommandRun(["restore", backup], store: store)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--replace"))
        let changed = try dump(store)
        #expect(changed != before)
        try succeed(["restore", backup, "--replace"])
        #expect(try dump(store) == before)
        #expect(try dump(folder.path + "/health.before-restore/store.sqlite") == changed)
        // What is kept is deleted with everything else.
        try succeed(["delete", "--everything", "--yes"])
        #expect(try names() == [])
    }

    @Test("an encrypted backup opens only with its passphrase, and shows no value without")
    func encryption() throws {
        let secret = try passphrase("correct horse battery")
        let before = try dump(store)
        try succeed(["backup", backup, "--passphrase-file", secret])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
        #expect(bytes.starts(with: Data("OHSEALED".utf8)))
        #expect(bytes.range(of: Data("manifest.json".utf8)) == nil)
        let other = folder.path + "/other.sqlite"
        let without = try CommandRun(["restore", backup, "--store", other], store: store)
        #expect(without.status == 64)
        let wrong = try CommandRun(
            [
                "restore", backup, "--store", other, "--passphrase-file",
                try passphrase("correct horse batterz", "secret2"),
            ], store: store)
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("The passphrase is wrong"))
        #expect(!FileManager.default.fileExists(atPath: other))
        try succeed(["restore", backup, "--store", other, "--passphrase-file", secret])
        #expect(try dump(other) == before)
    }

    @Test("Python's cryptography opens an encrypted backup by the documented format")
    func independentDecryption() throws {
        let secret = try passphrase("correct horse battery")
        try succeed(["backup", backup, "--passphrase-file", secret])
        let script = """
            import sys, struct, zipfile, io
            try:
                from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
                from cryptography.hazmat.primitives.ciphers.aead import AESGCM
            except ImportError:
                print('no cryptography'); sys.exit()
            data = open(sys.argv[1], 'rb').read()
            head = data[:28]
            key = Scrypt(salt=head[12:28], length=32, n=1 << head[9], r=head[10], p=head[11]).derive(
                b'correct horse battery')
            plain, rest, number = b'', data[28:], 0
            while True:
                part, rest = rest[:65552], rest[65552:]
                nonce = struct.pack('>Q', number) + bytes([0, 0, 0, 0 if rest else 1])
                plain += AESGCM(key).decrypt(nonce, part, head)
                number += 1
                if not rest: break
            print(zipfile.ZipFile(io.BytesIO(plain)).testzip())
            """
        let run = try ProgramRun("/usr/bin/env", ["python3", "-c", script, backup])
        #expect(run.output == "None\n" || run.output == "no cryptography\n", "\(run.errors)")
    }

    @Test("a damaged, cut or foreign file restores nothing", arguments: [false, true])
    func damage(isEncrypted: Bool) throws {
        let secret = isEncrypted ? ["--passphrase-file", try passphrase("correct horse")] : []
        try succeed(["backup", backup] + secret)
        let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
        let other = folder.path + "/other.sqlite"
        let seed = TestTier.seed(21)
        var generator = SeededRandom(seed: seed)
        for round in 0..<12 {
            var bytes = whole
            if round % 2 == 0 {
                bytes = bytes.prefix(Int.random(in: 0..<whole.count, using: &generator))
            } else {
                bytes[Int.random(in: 0..<whole.count, using: &generator)] ^= 0x10
            }
            try bytes.write(to: URL(fileURLWithPath: backup))
            let run = try CommandRun(["restore", backup, "--store", other] + secret, store: store)
            if run.status == 0 {
                // A changed byte that no reader of the archive uses, such as a time.
                #expect(!isEncrypted && round % 2 == 1, "seed \(seed), round \(round)")
                #expect(try dump(other) == dump(store))
                try FileManager.default.removeItem(atPath: other)
            } else {
                #expect([1, 64].contains(run.status), "seed \(seed), round \(round) \(run.errors)")
                #expect(!FileManager.default.fileExists(atPath: other))
            }
            #expect(!run.errors.contains("71.5"))
        }
        #expect(try names().filter { $0.hasSuffix(".partial") } == [])
    }

    @Test("earlier backups are kept under numbers, a file that isn't one is left alone")
    func versions() throws {
        for _ in 0..<4 { try succeed(["backup", backup, "--keep", "2"]) }
        let out = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted()
        #expect(out == ["health.backup", "health.backup.1", "health.backup.2"])
        let note = folder.path + "/out/note.txt"
        try Data("shopping".utf8).write(to: URL(fileURLWithPath: note))
        let run = try CommandRun(["backup", note], store: store)
        #expect(run.status == 64)
        #expect(try String(contentsOfFile: note, encoding: .utf8) == "shopping")
        let export = folder.path + "/out/export.zip"
        try succeed(["export", "--format", "apple", "--out", export])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: export))
        #expect(try CommandRun(["backup", export, "--keep", "0"], store: store).status == 64)
        #expect(try Data(contentsOf: URL(fileURLWithPath: export)) == bytes)
    }

    @Test("a backup during writes holds whole transactions")
    func whileWriting() async throws {
        let script = """
            import sqlite3, sys, time
            db = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
            db.execute("CREATE TABLE IF NOT EXISTS pairs (a)")
            print('ready', flush=True)
            for n in range(400):
                db.execute('BEGIN IMMEDIATE')
                db.execute('INSERT INTO pairs VALUES (?)', (n,))
                time.sleep(0.002)
                db.execute('INSERT INTO pairs VALUES (?)', (n,))
                db.execute('COMMIT')
            """
        // Another table in the diary, which has no check of its schema.
        try succeed(["weight", "log", "71.5kg"])
        let diary = folder.path + "/health.weight-mirror.sqlite"
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        writer.arguments = ["python3", "-c", script, diary]
        writer.standardOutput = FileHandle.nullDevice
        try writer.run()
        defer { writer.waitUntilExit() }
        for round in 0..<3 {
            try succeed(["backup", backup, "--keep", "0"])
            let other = folder.path + "/out/\(round)/health.sqlite"
            try succeed(["restore", backup, "--store", other])
            let copy = folder.path + "/out/\(round)/health.weight-mirror.sqlite"
            let count = try ProgramRun(
                "/usr/bin/env",
                [
                    "python3", "-c",
                    "import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nprint(d.execute(\"SELECT "
                        + "count(*) FROM sqlite_master WHERE name='pairs'\").fetchone()[0] and d."
                        + "execute('SELECT count(*)%2 FROM pairs').fetchone()[0])", copy,
                ])
            #expect(count.output == "0\n", "\(count.errors)")
        }
    }

    @Test("stores lists each person's store")
    func stores() throws {
        let run = try CommandRun(
            ["import", AnnasStore.export, "--store", folder.path + "/health-ben.sqlite"])
        #expect(run.status == 0)
        let list = try CommandRun(["stores", "--json"], store: store)
        let found = try #require(list.object?["stores"] as? [[String: Any]], "\(list.errors)")
        #expect(found.map { $0["name"] as? String } == ["ben", nil])
        #expect(Set(found.map { $0["samples"] as? Int }).count == 1)
        let text = try CommandRun(["stores"], store: store)
        #expect(text.output.hasPrefix("2 stores in "))
        #expect(text.output.contains("(default)"))
    }
}
