import Foundation

/// A child process with a pipe as its input.
///
/// Foundation's `Process` passes on the blocked signals of a thread of the cooperative pool, with
/// which a shell waits forever, and the sockets of other children, which it then waits for.
final class ChildProcess {
    private let process: pid_t
    private let input: Int32

    /// Starts a program, whose output is discarded.
    ///
    /// - Parameter words: The program, which is searched in PATH, and its arguments.
    /// - Throws: `POSIXError`.
    init(_ words: [String]) throws {
        var pipes: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw POSIXError(.EMFILE) }
        input = pipes[1]
        defer { close(pipes[0]) }
        #if os(macOS)
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, pipes[0], 0)
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
        // Closing a file that isn't open is ignored.
        for file: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&files, file) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let texts = words.map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, words[0], &files, &attributes, texts + [nil], environ)
        guard code == 0 else {
            close(pipes[1])
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        self.process = process
    }

    /// Writes a line to the input, closes it and waits for the end.
    ///
    /// - Parameter line: The line; nil for none.
    /// - Returns: The exit status, or the number of the signal that ended it.
    @discardableResult
    func end(_ line: String? = nil) -> Int32 {
        if let line { _ = write(input, line + "\n", line.utf8.count + 1) }
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }
}
