import Foundation

/// A child process that does its work once for each line it receives.
///
/// ```swift
/// let writer = try PromptedProcess(writer: "HealthKitLaps", store: path)
/// try writer.prompt()   // saves one heart rate
/// ```
public final class PromptedProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = ""

    /// Starts a program.
    ///
    /// - Parameter words: The program's path and its arguments.
    /// - Throws: An error if the program can't be started.
    public init(_ words: [String]) throws {
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Starts `HealthKitLaps --write`, which saves a heart rate on each prompt, and waits until it
    /// is ready.
    ///
    /// - Parameters:
    ///   - program: The path of `HealthKitLaps`.
    ///   - store: The path of the store it writes to.
    /// - Throws: An error if the program can't be started, or prints anything other than `ready`.
    public convenience init(writer program: String, store: String) throws {
        try self.init([program, "--write", store])
        guard try line() == "ready" else { throw NoResponseError(program: program) }
    }

    deinit { end() }

    /// Sends a line, so that the program does its work once.
    ///
    /// - Throws: An error if the line can't be written.
    public func prompt() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    /// Waits for the next line of the program's output.
    ///
    /// - Returns: The line without its terminator.
    /// - Throws: An error if the program has ended.
    public func line() throws -> String {
        while !unread.contains("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw NoResponseError(program: process.executableURL?.lastPathComponent ?? "")
            }
            unread += String(decoding: more, as: UTF8.self)
        }
        let line = String(unread.prefix { $0 != "\n" })
        unread.removeFirst(line.count + 1)
        return line
    }

    /// Closes the program's input and waits until it has ended.
    public func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The error for a program that has ended or printed something unexpected.
    private struct NoResponseError: Error, CustomStringConvertible {
        var program: String
        var description: String { "\(program) doesn't answer" }
    }
}
