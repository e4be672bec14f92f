import Foundation

/// `openhealth import` as a process of its own, for what only processes can do: be killed.
final class ImportProcess {
    private let process = Process()
    private let errors = Pipe()

    /// The command that is built beside these tests; nil where there is none.
    static let command: String? = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        let path = (tests as NSString).deletingLastPathComponent + "/openhealth"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// - Parameter fileLimit: The most kilobytes a file may grow to, as on a full disk.
    convenience init(
        _ export: String, store: String, command: String, fileLimit: Int? = nil
    ) throws {
        try self.init(
            ["import", export, "--store", store, "--time-zone", "Europe/Berlin", "--json"],
            command: command, fileLimit: fileLimit)
    }

    /// Any other subcommand.
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

    /// Sends a signal, unless the process has ended and its number may be another's.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// The exit status, and what was said on standard error.
    func wait() -> (status: Int32, words: String) {
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    /// The most memory it took until it ended, in bytes, and its exit status.
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

/// A long export of one pedometer, a record a line, written without holding it.
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
