import Foundation

/// A process of `openhealth import`, for tests that kill it.
final class ImportProcess {
    private let process = Process()
    private let errors = Pipe()

    /// The command in the folder of the tests; nil if it isn't built.
    static let command: String? = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        let path = (tests as NSString).deletingLastPathComponent + "/openhealth"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Starts an import.
    ///
    /// - Parameter fileLimit: The largest file size in kilobytes, to simulate a full disk.
    convenience init(
        _ export: String, store: String, command: String, fileLimit: Int? = nil
    ) throws {
        try self.init(
            ["import", export, "--store", store, "--time-zone", "Europe/Berlin", "--json"],
            command: command, fileLimit: fileLimit)
    }

    /// Starts any other subcommand.
    init(_ arguments: [String], command: String, fileLimit: Int? = nil) throws {
        if let fileLimit {
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            let script = "ulimit -f \(fileLimit); exec \"$0\" \"$@\""
            process.arguments = ["-c", script, command] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: command)
            process.arguments = arguments
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
    }

    /// Sends a signal, unless the process has ended and its ID may be reused.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Returns the exit status and the standard error.
    func wait() -> (status: Int32, errorText: String) {
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: errorData, as: UTF8.self))
    }

    /// Returns the exit status and the peak memory in bytes.
    func waitWatchingMemory() -> (status: Int32, bytes: Int) {
        var peak = 0
        let path = "/proc/\(process.processIdentifier)/status"
        while process.isRunning {
            if let text = try? String(contentsOfFile: path, encoding: .utf8),
                let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kilobytes = Int(line.filter(\.isNumber))
            {
                peak = max(peak, kilobytes * 1024)
            }
            usleep(5_000)
        }
        return (process.terminationStatus, peak)
    }
}

/// A long export of one pedometer with one record per line, written in pieces.
enum LongExport {
    static func write(_ path: String, records: Int, value: Int, date: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"de_DE\">\n"
            + " <ExportDate value=\"\(date)\"/>\n"
        for index in 0..<records {
            let (day, rest) = (index / 280, index % 280)
            let time = twoDigits(rest / 12) + ":" + twoDigits(rest % 12 * 5)
            let date =
                "20\(twoDigits(10 + day / 336))-\(twoDigits(1 + day / 28 % 12))-"
                + twoDigits(1 + day % 28)
            text += " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Pedometer\""
            text += " unit=\"count\" startDate=\"\(date) \(time):00 +0100\""
            text += " endDate=\"\(date) \(time):59 +0100\" value=\"\(value + rest)\"/>\n"
            if text.utf8.count > 1 << 18 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data((text + "</HealthData>\n").utf8))
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}

/// A command run as a process, with its time and memory.
struct MeasuredProcess {
    /// The exit status, or the negative number of the signal that ended it.
    var status: Int32
    /// Processor time in seconds, which depends little on other load on the machine.
    var seconds: Double
    /// Peak memory in bytes, sampled every millisecond.
    var peak: Int

    struct NotStarted: Error {
        var code: Int32
    }

    /// Runs a command without output. It is ended if it uses more than `limit` seconds of processor
    /// time.
    init(_ arguments: [String], limit: Double) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The limit applies to processor time, not to wall time.
        let script = "ulimit -t \(Int(limit.rounded(.up))); exec \"$0\" \"$@\""
        let words = ["/bin/bash", "-c", script] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        var environment: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in environment { free(pointer) } }
        let code = posix_spawn(&process, words[0], &actions, nil, &pointers, &environment)
        guard code == 0 else { throw NotStarted(code: code) }
        var (result, usage) = (Int32(0), rusage())
        var highest = 0
        while wait4(process, &result, WNOHANG, &usage) == 0 {
            highest = max(highest, MeasuredProcess.memory(of: process))
            usleep(1000)
        }
        peak = highest
        status = result & 0x7F == 0 ? (result >> 8) & 0xFF : -(result & 0x7F)
        seconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }

    private static func memory(of process: pid_t) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = Int(line.filter(\.isNumber))
        else { return 0 }
        return kilobytes * 1024
    }
}
