import Foundation

/// A command as a process of its own, with the time and memory it took.
struct MeasuredProcess {
    /// The exit status; negative for the signal that ended it.
    var status: Int32
    /// Processor time, in seconds: what else the machine does has little part in it.
    var seconds: Double
    /// The most memory it held, in bytes, as far as looking every millisecond shows.
    var peak: Int

    struct NotStarted: Error {
        var code: Int32
    }

    /// Runs a command without output; it is ended when it takes longer than `limit` seconds of
    /// processor time.
    init(_ arguments: [String], limit: Double) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The limit holds for the child's time, not for the clock's.
        let script = "ulimit -t \(Int(limit.rounded(.up))); exec \"$0\" \"$@\""
        let words = ["/bin/bash", "-c", script] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        var surroundings: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in surroundings { free(pointer) } }
        let code = posix_spawn(&process, words[0], &actions, nil, &pointers, &surroundings)
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
