import ArgumentParser
import Foundation
import HealthDashboard

/// `openhealth review PATH…`
struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Finds mistakes in Swift code that uses HealthKit.",
        discussion: """
            Runs openhealth-review with all arguments. openhealth-review is a separate package \
            (Review in the repository). It is searched for at $OPENHEALTH_REVIEW, beside this \
            command, in the repository that this command was built from, and in PATH.

              openhealth review Sources           lists findings in the format of compilers
              openhealth review --rules           lists the rules
              openhealth review --explain RULE    explains a rule and the fix
              openhealth review --help            lists all options

            Exit status: 0 no findings; 1 failure; 2 a file could not be read or is not Swift; \
            3 findings; 64 wrong usage.
            """)

    /// The subcommand whose arguments are passed on unchanged.
    static let name = "review"

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The arguments of openhealth-review.", valueName: "arguments"))
    var arguments: [String] = []

    func run() throws {
        let search = ReviewTool(
            environment: ProcessInfo.processInfo.environment, executable: ReviewTool.ownExecutable)
        guard let tool = try search.path else {
            if arguments == ["--help"] || arguments == ["-h"] { throw CleanExit.helpRequest(self) }
            throw search.missing
        }
        throw Self.execute(tool, arguments)
    }

    /// Replaces this process with the tool, so that signals, streams and the exit status are the
    /// tool's.
    ///
    /// - Returns: The error if that fails; otherwise this function doesn't return.
    private static func execute(_ tool: String, _ arguments: [String]) -> CommandError {
        var words: [UnsafeMutablePointer<CChar>?] = ([tool] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        execv(tool, words)
        return CommandError("\(tool.printable) can't be run: \(String(cString: strerror(errno))).")
    }
}

/// Finds `openhealth-review`, which is built separately because it needs swift-syntax.
struct ReviewTool {
    static let name = "openhealth-review"

    let environment: [String: String]
    /// The executable of this command with links resolved; nil if the system doesn't report it.
    let executable: URL?

    /// The executable of this process, with links resolved; nil if the system doesn't report it.
    static var ownExecutable: URL? {
        Bundle.main.executableURL?.resolvingSymlinksInPath()
    }

    /// The first of these that is an executable file: `$OPENHEALTH_REVIEW`, in the folder of this
    /// command, in the repository that built it (release before debug), in `PATH`. Nil if there is
    /// none.
    ///
    /// - Throws: ``CommandError`` if `$OPENHEALTH_REVIEW` is set, but isn't an executable file.
    var path: String? {
        get throws {
            if let path = environment["OPENHEALTH_REVIEW"], !path.isEmpty {
                guard Self.canRun(path) else {
                    throw CommandError(
                        "$OPENHEALTH_REVIEW is \(path.printable), which can't be run.")
                }
                return path
            }
            return (besideExecutable + built + onPath).first(where: Self.canRun)
        }
    }

    /// The error for a tool that isn't found, with the command that builds it.
    var missing: CommandError {
        let package = repository.map { $0.appending(path: "Review").path(percentEncoded: false) }
        return CommandError(
            "\(Self.name) isn't built. Build it once, which takes a few minutes:\n"
                + "  swift build -c release --package-path \(ShellWord.quoted(package ?? "Review"))"
                + " --product \(Self.name)"
                + (package == nil ? "\nin a copy of the OpenHealthKit repository." : ""))
    }

    private var besideExecutable: [String] {
        executable.map { [Self.tool(in: $0.deletingLastPathComponent())] } ?? []
    }

    private var built: [String] {
        guard let builds = repository?.appending(path: "Review/.build") else { return [] }
        return ["release", "debug"].map { Self.tool(in: builds.appending(path: $0)) }
    }

    private var onPath: [String] {
        (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { Self.tool(in: URL(fileURLWithPath: String($0), isDirectory: true)) }
    }

    /// The nearest parent folder of this command that contains the tool's package; nil if none
    /// does.
    private var repository: URL? {
        guard var folder = executable?.deletingLastPathComponent() else { return nil }
        while folder.path != "/" {
            let manifest = folder.appending(path: "Review/Package.swift").path(
                percentEncoded: false)
            if FileManager.default.fileExists(atPath: manifest) { return folder }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private static func tool(in folder: URL) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    private static func canRun(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }
}
