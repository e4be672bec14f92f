import Foundation
import HealthStorage
import HealthTesting
import Testing

/// Pipes, devices, sockets and folders in place of files, orphaned files, and files that can't
/// grow.
@Suite(.inTestAll) struct FileKindTests {
    private let folder: TemporaryFolder
    private var pipe: String { folder.path + "/pipe" }
    private var socket: String { folder.path + "/socket" }

    init() throws {
        folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        try FileKindTests.makeSocket(folder.path + "/socket")
    }

    /// Runs the command with a limit of one minute, since reading from a pipe could block forever.
    private func run(_ arguments: [String], store: String? = nil) throws -> CommandRun {
        try CommandRun(
            ["60", CommandRun.executable.path] + arguments, of: "/usr/bin/timeout", store: store)
    }

    private func expectRefusal(_ arguments: [String], _ words: String) throws {
        let refused = try run(arguments, store: folder.path + "/health.sqlite")
        #expect(refused.status == 1, "\(arguments): \(refused.status)")
        #expect(refused.errors.contains(words), "\(arguments): \(refused.errors)")
        #expect(refused.output.isEmpty)
    }

    @Test("an export that is a pipe, a socket or a device is refused at once")
    func exports() throws {
        for path in [pipe, socket, "/dev/zero", "/dev/null"] {
            try expectRefusal(["import", path], "is neither a file nor a folder")
            try expectRefusal(["open", path], "is neither a file nor a folder")
        }
    }

    @Test("a store that is a pipe, a socket, a device or a folder is refused by what it is")
    func stores() throws {
        let kinds = [
            (pipe, "a pipe"), (socket, "a socket"), ("/dev/zero", "a device"),
            (folder.path, "a folder"),
        ]
        for (path, words) in kinds {
            for command in [["summary"], ["import", AnnasStore.export], ["grants"]] {
                try expectRefusal(command + ["--store", path], "is \(words)")
            }
        }
        let store = folder.path + "/health.sqlite"
        #expect(try run(["import", AnnasStore.export], store: store).status == 0)
        for suffix in ["-journal", "-wal"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
            try #require(mkfifo(store + suffix, 0o600) == 0)
            try expectRefusal(
                ["summary"], "\(suffix), which SQLite keeps beside the store, is a pipe")
            try FileManager.default.removeItem(atPath: store + suffix)
        }
        #expect(try run(["summary"], store: store).status == 0)
    }

    @Test("a folder of the name that an import builds its store under is left alone")
    func folderInTheWay() throws {
        let building = folder.path + "/health.sqlite.importing"
        try FileManager.default.createDirectory(
            atPath: building + "/mine", withIntermediateDirectories: true)
        try expectRefusal(["import", AnnasStore.export], "can't be removed")
        #expect(FileManager.default.fileExists(atPath: building + "/mine"))
    }

    @Test("a simulation is written to no pipe, device, folder or store, and whole or not at all")
    func simulations() throws {
        for (path, words) in [
            (pipe, "not a regular file"), ("/dev/full", "not a regular file"),
            (folder.path, "is a folder"),
        ] {
            try expectRefusal(["simulate", "--records", "100", "--out", path], words)
        }
        let store = folder.path + "/health.sqlite"
        #expect(try run(["import", AnnasStore.export], store: store).status == 0)
        try expectRefusal(
            ["simulate", "--records", "100", "--out", store], "a health store")
        let out = folder.path + "/out"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
        try Data("old".utf8).write(to: URL(fileURLWithPath: out + "/simulated.zip"))
        let limited = try CommandRun(
            [
                "-c", "ulimit -f 8; exec \"$0\" \"$@\"", CommandRun.executable.path, "simulate",
                "--records", "20000", "--out", out + "/simulated.zip",
            ], of: "/bin/bash")
        #expect(limited.status == 1)
        #expect(limited.errors.contains("simulated.zip") && limited.errors.contains("ulimit -f"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["simulated.zip"])
        #expect(try String(contentsOfFile: out + "/simulated.zip", encoding: .utf8) == "old")
    }

    @Test("a photo that is not a file, or is too large, is rejected before any write")
    func photos() throws {
        for (path, words) in [
            (pipe, "a pipe"), ("/dev/zero", "a device"), (folder.path, "a folder"),
        ] {
            try expectRefusal(
                ["weight", "log", "80kg", "--photo", path], "is \(words), not a photo")
        }
        try expectRefusal(
            ["weight", "log", "80kg", "--photo", "/proc/self/status"], "is empty, not a photo")
        let large = folder.path + "/large.jpg"
        try #require(FileManager.default.createFile(atPath: large, contents: nil))
        try #require(truncate(large, 1 << 40) == 0)
        try expectRefusal(["weight", "log", "80kg", "--photo", large], "is larger than 256 MB")
    }

    @Test("a file to write that is a pipe is refused")
    func otherFiles() throws {
        let store = try AnnasStore.shared.get().path
        for format in ["csv", "jsonl", "sqlite", "apple"] {
            let refused = try run(
                ["export", "--format", format, "--out", pipe, "--force"], store: store)
            #expect(refused.status == 1 && refused.errors.contains("not a regular file"))
        }
    }

    @Test(
        "an export removes only the files of killed exports"
    )
    func orphans() throws {
        let store = try AnnasStore.shared.get().path
        func make(_ name: String, _ mode: Int = 0o600) throws -> String {
            let path = folder.path + "/" + name
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data("x".utf8), attributes: [.posixPermissions: mode]))
            return path
        }
        let orphans = try ["steps.csv.4711-0.partial", "other.zip.1-12.partial"].map {
            try make($0)
        }
        let foreign = [
            try make("notes.partial"), try make("a.4711-0.partial", 0o644),
            try make("b.4711-x.partial"), try make("4711-0.partially"),
        ]
        let living = try StagedFile(at: folder.path + "/living.csv", over: .nothing)
        let out = folder.path + "/steps.csv"
        let done = try run(["export", "stepCount", "--format", "csv", "--out", out], store: store)
        #expect(done.status == 0, "\(done.errors)")
        for path in orphans { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
        for path in foreign { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
        #expect(FileManager.default.fileExists(atPath: living.temporaryPath))
        try living.commit()
        #expect(FileManager.default.fileExists(atPath: living.path))
    }

    @Test("a file size limit ends each write with the reason and leaves no file")
    func sizeLimit() throws {
        let (store, target) = (folder.path + "/health.sqlite", folder.path + "/out")
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        func limited(_ kilobytes: Int, _ arguments: [String]) throws -> CommandRun {
            try CommandRun(
                [
                    "-c", "ulimit -f \(kilobytes); exec \"$0\" \"$@\"",
                    CommandRun.executable.path,
                ] + arguments, of: "/bin/bash", store: store)
        }
        let export = folder.path + "/person.zip"
        #expect(try run(["simulate", "--records", "3000", "--out", export]).status == 0)
        let refused = try limited(64, ["import", export])
        #expect(refused.status == 1 && refused.errors.contains("ulimit -f"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(try run(["import", export], store: store).status == 0)
        for format in ["csv", "jsonl", "sqlite", "apple"] {
            let refused = try limited(
                8, ["export", "--format", format, "--out", target + "/file"])
            #expect(refused.status == 1, "\(format): \(refused.status)")
            #expect(refused.errors.contains("ulimit -f"), "\(format): \(refused.errors)")
        }
        let simulated = try limited(8, ["simulate", "--out", folder.path + "/other.zip"])
        #expect(simulated.status == 1 && simulated.errors.contains("ulimit -f"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
    }

    private static func makeSocket(_ path: String) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = Foundation.socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
        }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        close(descriptor)
        try #require(code == 0, "\(path): \(errno)")
    }
}
