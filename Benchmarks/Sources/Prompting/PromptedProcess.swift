import Foundation

/// Another program that does its work once for every line it is sent.
///
/// ```swift
/// let writer = try PromptedProcess(["HealthKitLaps", "--write", path], greeting: "ready")
/// try writer.prompt()   // saves one heart rate
/// ```
public final class PromptedProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = ""

    /// Starts a program.
    ///
    /// - Parameter words: Its path and its arguments.
    public init(_ words: [String]) throws {
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Starts `HealthKitLaps --write`, which saves a heart rate whenever it is prompted, and waits until
    /// it can.
    public convenience init(writer program: String, store: String) throws {
        try self.init([program, "--write", store])
        guard try line() == "ready" else { throw Silence(program: program) }
    }

    deinit { end() }

    /// Tells it to do its work once more.
    public func prompt() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    /// The next line it prints.
    public func line() throws -> String {
        while !unread.contains("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Silence(program: process.executableURL?.lastPathComponent ?? "")
            }
            unread += String(decoding: more, as: UTF8.self)
        }
        let line = String(unread.prefix { $0 != "\n" })
        unread.removeFirst(line.count + 1)
        return line
    }

    /// Lets it end, and waits until it has.
    public func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The program has ended, or says something else.
    private struct Silence: Error, CustomStringConvertible {
        var program: String
        var description: String { "\(program) doesn't answer" }
    }
}
