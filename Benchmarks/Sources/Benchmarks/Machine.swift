import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The machine on which the session ran, and what it measured, without names and paths of the
/// machine.
struct Machine: Encodable {
    var system = ProcessInfo.processInfo.operatingSystemVersionString
    /// The name of the processor, as in /proc/cpuinfo.
    var processor: String = {
        let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
    }()
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var memory = ProcessInfo.processInfo.physicalMemory
    /// The kernel's release.
    var kernel: String = {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &name.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }()
    /// The version of the Swift compiler: "6.3.1".
    var swift: String = {
        let words = Self.output("swift", "--version").split(whereSeparator: \.isWhitespace)
        return words.drop { $0 != "version" }.dropFirst().first.map { String($0) } ?? "unknown"
    }()
    /// The version of SQLite with which the command wrote its store.
    var sqlite = "unknown"
    /// The commit of the working tree, followed by "with changes" if it has any.
    var commit: String = {
        let hash = Self.output("git", "-C", Session.package, "rev-parse", "HEAD")
        let changes = Self.output(
            "git", "-C", Session.package, "status", "--porcelain", "--untracked-files=no")
        return hash.isEmpty ? "unknown" : changes.isEmpty ? hash : hash + " with changes"
    }()
    /// The day on which the session began, in UTC: "2024-03-10".
    var day = String(Date().formatted(.iso8601).prefix(10))
    /// The load average over one minute at the start of the session.
    var load: Double = {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : .nan
    }()

    var text: String {
        "\(processors) processors, \(memory >> 30) GB, \(system), load \(Spread.digits(load))"
    }

    /// Reads the version of SQLite from the header of a file that the command wrote, which has it
    /// as a number at offset 96 (SQLite's file format, §1.3).
    mutating func readSQLiteVersion(ofDatabase path: String) {
        guard let handle = FileHandle(forReadingAtPath: path),
            let header = try? handle.read(upToCount: 100), header.count == 100
        else { return }
        let number = header[96...].reduce(0) { $0 << 8 | Int($1) }
        sqlite = "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    /// Returns a program's output, or an empty string if it can't be run.
    private static func output(_ path: String, _ arguments: String...) -> String {
        var program = Program(path)
        program.arguments = arguments
        let run = try? program.succeed()
        return String(decoding: run?.output ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
