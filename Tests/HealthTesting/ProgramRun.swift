public import Foundation

/// The result of a program that ran as a process to its end.
public struct ProgramRun: Sendable {
    /// Standard output.
    public let output: String
    /// Standard error.
    public let errors: String
    /// The exit status, or the number of the signal that ended it.
    public let status: Int32

    /// Runs a program without input and waits until it has ended.
    ///
    /// The program inherits no open files. Foundation's `Process` detects a child's end only when
    /// every process that inherited its socket has ended, and a server that was started meanwhile
    /// may run for minutes.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - arguments: Its arguments.
    ///   - environment: Its complete environment.
    /// - Throws: `POSIXError` if the program can't be started.
    public init(
        _ program: String, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        // The output goes to files, since a full pipe would block the program.
        let folder = try TemporaryFolder()
        let (outputPath, errorPath) = (folder.path + "/output", folder.path + "/errors")
        let process = try Self.start(
            program, arguments, environment: environment.map { "\($0)=\($1)" }.sorted(),
            output: outputPath, errors: errorPath)
        status = try Self.wait(for: process)
        output = try String(contentsOfFile: outputPath, encoding: .utf8)
        errors = try String(contentsOfFile: errorPath, encoding: .utf8)
    }

    /// Returns the path of a program that SwiftPM built beside the tests.
    ///
    /// - Parameter name: The name of the program.
    /// - Returns: The path; nil if the program wasn't built.
    public static func built(_ name: String) -> String? {
        let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = own.resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path),
                (try? candidate.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == false
            {
                return candidate.path
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// The output parsed as JSON; nil if it isn't an object.
    public var object: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }

    private static func start(
        _ program: String, _ arguments: [String], environment: [String], output: String,
        errors: String
    ) throws -> pid_t {
        #if os(macOS)
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&files, 2, errors, O_WRONLY | O_CREAT, 0o600)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        #if os(macOS)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #else
            // Closing a file that isn't open is ignored. (`closefrom_np` isn't available in Swift.)
            for file: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&files, file) }
        #endif
        var process = pid_t()
        let code = withPointers(to: [program] + arguments) { words in
            withPointers(to: environment) { environment in
                posix_spawn(&process, program, &files, &attributes, words, environment)
            }
        }
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return process
    }

    private static func wait(for process: pid_t) throws -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        // The low seven bits are the signal; if they are zero, the next byte is the exit status.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }

    /// Calls a closure with C strings, terminated by nil.
    private static func withPointers<Result>(
        to strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
