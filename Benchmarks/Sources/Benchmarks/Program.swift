import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A command line to measure.
struct Program: Sendable {
    var path: String
    var arguments: [String]

    init(_ path: String, _ arguments: String...) {
        self.path = path
        self.arguments = arguments
    }
}

/// The result and resource use of one process, measured from before its start until its end.
struct ProcessRun: Sendable {
    /// Wall time in seconds.
    var wall: Double
    /// Processor time in seconds, user and system, over all threads.
    var processor: Double
    /// Peak memory in bytes, including mapped files.
    ///
    /// On Linux a process inherits the peak of its parent, so this is at least the memory of this
    /// program: 15 MB at first, and more
    /// after suites that hold bodies and answers.
    var peakMemory: Int
    /// The exit code, or 128 plus the signal's number.
    var status: Int32
    var output: Data
    var errorOutput: String
}

extension Program {
    /// Runs the program and waits for it. Its output goes to files, so that reading it doesn't
    /// affect the timing.
    ///
    /// - Throws: ``Failure`` if it can't be started.
    func run() throws(Failure) -> ProcessRun {
        let folder = FileManager.default.temporaryDirectory.path
        let stem = "\(folder)/openhealth-bench-\(getpid())"
        let (output, errorOutput) = (stem + ".out", stem + ".err")
        defer {
            unlink(output)
            unlink(errorOutput)
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in [(Int32(1), output), (2, errorOutput)] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var arguments = ([path] + self.arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }

        var child = pid_t()
        var usage = rusage()
        var state: Int32 = 0
        let clock = ContinuousClock()
        let start = clock.now
        let error = posix_spawnp(&child, path, &actions, nil, &arguments, &variables)
        guard error == 0 else { throw Failure("\(path) can't be started.") }
        while wait4(child, &state, 0, &usage) < 0, errno == EINTR {}
        let wall = clock.now - start

        return ProcessRun(
            wall: wall / .seconds(1), processor: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peakMemory: usage.peakBytes,
            status: state & 0x7F == 0 ? (state >> 8) & 0xFF : 128 + (state & 0x7F),
            output: FileManager.default.contents(atPath: output) ?? Data(),
            errorOutput: (try? String(contentsOfFile: errorOutput, encoding: .utf8)) ?? "")
    }

    /// Runs the program and requires success.
    ///
    /// - Throws: ``Failure`` with the last line of standard error.
    func succeed() throws(Failure) -> ProcessRun {
        let run = try run()
        guard run.status == 0 else {
            let words = ([(path as NSString).lastPathComponent] + arguments.prefix(1))
                .joined(separator: " ")
            let last = run.errorOutput.split(whereSeparator: \.isNewline).last ?? ""
            throw Failure("\(words) ended with \(run.status). \(last)")
        }
        return run
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

extension rusage {
    fileprivate var peakBytes: Int {
        #if canImport(Darwin)
            ru_maxrss
        #else
            ru_maxrss * 1024
        #endif
    }
}

/// A row that couldn't be measured, or a wrong answer.
struct Failure: Error {
    var message: String

    init(_ message: String) { self.message = message }
}
