import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The result of one process of the command.
struct CommandRun {
    /// The exit code; nil if a signal ended it.
    var status: Int32?
    /// The signal that ended it; nil if it exited.
    var signal: Int32?
    /// Whether it was killed because of a timeout.
    var isHanging = false
    var seconds = 0.0
    /// The peak memory in bytes.
    var peakMemory = 0
    var output: [UInt8] = []
    var errorOutput: [UInt8] = []
    /// Whether some output was discarded because of the limit.
    var isTruncated = false

    var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
    var outputText: String { String(decoding: output, as: UTF8.self) }
}

/// The command under test, which runs as a separate process with limits on time, memory and files.
struct TestedCommand {
    /// How a process ends: by itself, or by SIGTERM after some seconds.
    enum Termination { case exit, signal(after: Double) }

    var path: String
    /// The working directory, which also contains the default store.
    var folder: String
    /// Additional environment variables: "NAME=value".
    var environmentVariables: [String] = []
    /// The timeout in seconds.
    var timeout = 20.0
    /// The maximum processor time of a process in seconds.
    var processorSeconds = 60

    private static let maximumOutput = 8 << 20
    /// A shell script that starts the command with generous limits, so that a defect can't affect
    /// the machine: no core file, seconds of processor time, KiB of address space, and blocks of
    /// 512 bytes for each file.
    private var wrapper: String {
        "ulimit -c 0; ulimit -t \(processorSeconds); ulimit -v 16000000; ulimit -f 2000000; "
            + "cd \"$0\" && exec \"$@\""
    }

    private var environment: [String] {
        [
            "HOME=\(folder)", "XDG_DATA_HOME=\(folder)/data", "TMPDIR=\(folder)", "PATH=\(folder)",
            "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
        ]
    }

    /// Returns a shell command that runs the tested command with these arguments in its folder, but
    /// without the environment and the limits.
    func shellLine(_ arguments: [String]) -> String {
        "cd \(CommandLineText.quoted(folder)); "
            + ([path] + arguments).map(CommandLineText.quoted).joined(separator: " ")
    }

    func run(
        _ arguments: [String], zone: String = "Europe/Berlin", termination: Termination = .exit
    ) -> CommandRun {
        var run = CommandRun()
        let begin = ContinuousClock.now
        guard let process = started(arguments, zone: zone) else {
            run.errorOutput = Array("can't be started".utf8)
            return run
        }
        var pipes = [process.output, process.errorOutput]
        var signalTime: Double? = nil
        if case .signal(let after) = termination { signalTime = after }
        var isSignalled = false
        while pipes.contains(where: { $0 >= 0 }) {
            let elapsed = (ContinuousClock.now - begin) / .seconds(1)
            if let after = signalTime, !isSignalled, elapsed >= after {
                kill(process.id, SIGTERM)
                isSignalled = true
            }
            if elapsed > timeout + (signalTime ?? 0) {
                run.isHanging = true
                break
            }
            let next =
                isSignalled || signalTime == nil
                ? 250 : max(1, Int32(((signalTime ?? 0) - elapsed) * 1000))
            read(from: &pipes, into: &run, waiting: min(250, next))
        }
        for pipe in pipes where pipe >= 0 { close(pipe) }
        reap(process.id, &run, since: begin)
        run.seconds = (ContinuousClock.now - begin) / .seconds(1)
        return run
    }

    private struct StartedProcess {
        var id: pid_t
        var output: Int32
        var errorOutput: Int32
    }

    private func started(_ arguments: [String], zone: String) -> StartedProcess? {
        guard let output = PipeEnds.opened, let errorOutput = PipeEnds.opened else { return nil }
        let id = spawned(
            arguments, zone: zone, output: output.write, errorOutput: errorOutput.write)
        close(output.write)
        close(errorOutput.write)
        guard let id else {
            close(output.read)
            close(errorOutput.read)
            return nil
        }
        return StartedProcess(id: id, output: output.read, errorOutput: errorOutput.read)
    }

    /// Starts a process with no input and two output descriptors. Returns its id; nil on failure.
    func spawned(
        _ arguments: [String], zone: String = "Europe/Berlin", output: Int32, errorOutput: Int32
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
        posix_spawn_file_actions_adddup2(&actions, errorOutput, 2)
        let words = ["sh", "-c", wrapper, folder, path] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map(TestedCommand.copied) + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] =
            (environment + environmentVariables + ["TZ=\(zone)"]).map(TestedCommand.copied) + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var id = pid_t()
        return posix_spawn(&id, "/bin/sh", &actions, nil, &argv, &envp) == 0 ? id : nil
    }

    private static func copied(_ text: String) -> UnsafeMutablePointer<CChar>? {
        (CommandLineText.bytes(text) + [0]).withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.flatMap { strdup($0) }
        }
    }

    private func read(from pipes: inout [Int32], into run: inout CommandRun, waiting: Int32) {
        var states = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&states, nfds_t(states.count), waiting) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for index in pipes.indices where pipes[index] >= 0 && states[index].revents != 0 {
            let count = Foundation.read(pipes[index], &buffer, buffer.count)
            if count <= 0 {
                close(pipes[index])
                pipes[index] = -1
                continue
            }
            let kept = index == 0 ? run.output.count : run.errorOutput.count
            if kept + count > TestedCommand.maximumOutput {
                run.isTruncated = true
            } else if index == 0 {
                run.output += buffer[..<count]
            } else {
                run.errorOutput += buffer[..<count]
            }
        }
    }

    /// Waits for the end of a process that has closed its pipes, and kills it after a timeout. A
    /// hanging process is killed at once.
    private func reap(_ id: pid_t, _ run: inout CommandRun, since begin: ContinuousClock.Instant) {
        if run.isHanging { kill(id, SIGKILL) }
        var state: Int32 = 0
        var usage = rusage()
        while true {
            let found = wait4(id, &state, run.isHanging ? 0 : WNOHANG, &usage)
            if found == id { break }
            if found < 0, errno != EINTR { return }
            if (ContinuousClock.now - begin) / .seconds(1) > timeout + 30 {
                run.isHanging = true
                kill(id, SIGKILL)
            }
            usleep(200)
        }
        let signal = state & 0x7F
        if signal == 0 { run.status = (state >> 8) & 0xFF } else { run.signal = signal }
        #if canImport(Darwin)
            run.peakMemory = usage.ru_maxrss
        #else
            run.peakMemory = usage.ru_maxrss * 1024
        #endif
    }
}

/// A pipe that later processes don't inherit.
struct PipeEnds {
    var read: Int32
    var write: Int32

    static var opened: PipeEnds? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return PipeEnds(read: ends[0], write: ends[1])
    }
}
