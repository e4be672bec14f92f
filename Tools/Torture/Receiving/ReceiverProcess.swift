import Foundation
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process of `openhealth`. Calls block.
final class ReceiverProcess {
    let id: pid_t
    /// The port on which it listens; 0 unless it serves.
    private(set) var port = 0
    private let output: Int32
    private let errors: String
    private var status: Int32?

    /// Held while sockets and pipes are created and while a process starts, so that no child
    /// inherits one.
    static let startLock = NSLock()

    /// Returns the path of the command: that in the environment variable `OPENHEALTH`, or the one
    /// beside this tool.
    static func executable() throws -> String {
        if let path = ProcessInfo.processInfo.environment["OPENHEALTH"] { return path }
        let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let path = own.resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "openhealth").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandError("\(path) is missing. Build it: swift build --product openhealth")
        }
        return path
    }

    /// Starts the command in a folder.
    init(_ arguments: [String], in folder: String, zone: String = "UTC") throws {
        errors = folder + "/errors.txt"
        let environment = [
            "HOME=\(folder)", "XDG_DATA_HOME=\(folder)/data", "TMPDIR=\(folder)", "TZ=\(zone)",
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
        ]
        let program = try Self.executable()
        let started: (pid_t, Int32)? = Self.startLock.withLock { [errors] in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { Foundation.close(ends[1]) }
            let id = Self.spawn(
                [program] + arguments, environment, output: ends[1], errors: errors)
            if let id { return (id, ends[0]) }
            Foundation.close(ends[0])
            return nil
        }
        guard let started else { throw CommandError("openhealth can't be started.") }
        (id, output) = started
    }

    deinit {
        if status == nil {
            Foundation.kill(id, SIGKILL)
            _ = wait()
        }
        Foundation.close(output)
    }

    private static func spawn(
        _ words: [String], _ environment: [String], output: Int32, errors: String
    ) -> pid_t? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(
            &actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let argv = words.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var id = pid_t()
        return posix_spawn(&id, words[0], &actions, nil, argv, envp) == 0 ? id : nil
    }

    /// Starts a receiver of a store, and waits until it listens.
    static func serving(_ store: String, in folder: String, zone: String) throws
        -> ReceiverProcess
    {
        let process = try ReceiverProcess(
            ["serve", "--receive", "--port", "0", "--store", store], in: folder, zone: zone)
        let line = process.read(untilNewline: true)
        guard let address = line.firstRange(of: "://127.0.0.1:"),
            let port = Int(line[address.upperBound...].prefix { $0.isNumber })
        else {
            process.end()
            throw CommandError("openhealth serve printed no address: \(process.errorText)")
        }
        process.port = port
        return process
    }

    /// Runs the command to its end, and returns its output.
    static func run(_ arguments: [String], in folder: String) throws -> String {
        let process = try ReceiverProcess(arguments, in: folder)
        let output = process.read(untilNewline: false)
        guard process.wait() == 0 else {
            throw CommandError("openhealth \(arguments[0]) failed: \(process.errorText)")
        }
        return output
    }

    private func read(untilNewline: Bool) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while !untilNewline || !bytes.contains(10) {
            let count = Foundation.read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the process wrote to standard error.
    var errorText: String {
        String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    }

    /// Whether the process runs.
    var isRunning: Bool {
        if status != nil { return false }
        var state: Int32 = 0
        guard waitpid(id, &state, WNOHANG) == id else { return true }
        status = state
        return false
    }

    /// Kills the process with SIGKILL, and waits for its end.
    func kill() {
        guard status == nil else { return }
        Foundation.kill(id, SIGKILL)
        _ = wait()
    }

    /// Ends the process with SIGTERM, or with SIGKILL after ten seconds. Returns whether SIGTERM
    /// ended it.
    @discardableResult
    func end() -> Bool {
        guard isRunning else { return true }
        Foundation.kill(id, SIGTERM)
        for _ in 0..<5000 where isRunning { usleep(2000) }
        guard isRunning else { return true }
        kill()
        return false
    }

    /// Waits for the end of the process, and returns its status.
    private func wait() -> Int32 {
        if let status { return status }
        var state: Int32 = 0
        while waitpid(id, &state, 0) == -1, errno == EINTR {}
        status = state
        return state
    }
}

/// A folder with a store on which two devices are registered, to be copied for each schedule.
struct ReceiverTemplate: Sendable {
    let folder: String
    let tokens: [String]

    /// The name of the store in the folder.
    static let store = "received.sqlite"

    /// Creates the store and registers the devices.
    init(in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        self.folder = folder
        tokens = try ["phone", "second"].map { name in
            let text = try ReceiverProcess.run(
                ["devices", "add", name, "--store", folder + "/" + Self.store, "--json"],
                in: folder)
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard let token = object?["token"] as? String else {
                throw CommandError("openhealth devices add printed no token.")
            }
            return token
        }
    }

    /// Copies the store and the files beside it to another folder.
    func copy(to other: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(
                atPath: folder + "/" + name, toPath: other + "/" + name)
        }
    }
}
