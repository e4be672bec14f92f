import ArgumentParser
import Foundation

/// `openhealth review PATH…`
struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Finds mistakes in Swift code that uses HealthKit.",
        discussion: """
            All arguments go to openhealth-review, which is a package of its own (Review in the \
            repository) and is found at $OPENHEALTH_REVIEW, beside this command, in the \
            repository that built this command, or on PATH.

              openhealth review Sources           what is wrong, where, as compilers print
              openhealth review --rules           which rules there are
              openhealth review --explain RULE    why, and the right shape
              openhealth review --help            everything else, from the tool itself

            Exit status: 0 nothing found; 1 not done; 2 something wasn't read or is no Swift; \
            3 something found; 64 wrong usage.
            """)

    /// The word that stands before arguments that aren't this command's.
    static let name = "review"

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("What openhealth-review understands.", valueName: "arguments"))
    var arguments: [String] = []

    func run() throws {
        let search = ReviewTool(
            environment: ProcessInfo.processInfo.environment, executable: ReviewTool.ownExecutable)
        guard let tool = try search.path else {
            if arguments == ["--help"] || arguments == ["-h"] { throw CleanExit.helpRequest(self) }
            throw search.missing
        }
        throw Self.becoming(tool, arguments)
    }

    /// Replaces this process by the tool, so that signals, streams and the exit status are its own.
    ///
    /// - Returns: Why that didn't work; else it doesn't return.
    private static func becoming(_ tool: String, _ arguments: [String]) -> NotDone {
        var words: [UnsafeMutablePointer<CChar>?] = ([tool] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        execv(tool, words)
        return NotDone("\(tool.printable) can't be run: \(String(cString: strerror(errno))).")
    }
}
