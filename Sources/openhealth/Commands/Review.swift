import Foundation

/// Where `openhealth-review` is: it is built apart, since few who want numbers want swift-syntax.
struct ReviewTool {
    static let name = "openhealth-review"

    let environment: [String: String]
    /// This command's own file, links followed; nil where the system doesn't say.
    let executable: URL?

    /// This process's own file, wherever it was called from.
    static var ownExecutable: URL? {
        Bundle.main.executableURL?.resolvingSymlinksInPath()
    }

    /// The first that can be run: `$OPENHEALTH_REVIEW`, beside this command, in the repository that
    /// built it (release before debug), on PATH.
    ///
    /// - Throws: ``NotDone`` if `$OPENHEALTH_REVIEW` names what can't be run.
    var path: String? {
        get throws {
            if let told = environment["OPENHEALTH_REVIEW"], !told.isEmpty {
                guard Self.canRun(told) else {
                    throw NotDone("$OPENHEALTH_REVIEW is \(told.printable), which can't be run.")
                }
                return told
            }
            return (beside + built + onPath).first(where: Self.canRun)
        }
    }

    /// What to do where there is none.
    var missing: NotDone {
        let package = repository.map { $0.appending(path: "Review").path(percentEncoded: false) }
        return NotDone(
            "\(Self.name) isn't built. Build it once, which takes some minutes:\n"
                + "  swift build -c release --package-path \(Self.quoted(package ?? "Review"))"
                + " --product \(Self.name)"
                + (package == nil ? "\nin a copy of the OpenHealthKit repository." : ""))
    }

    private var beside: [String] {
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

    /// The nearest folder above this command's file that holds the tool's package.
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

    /// A path as a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
