import Foundation
import HealthDashboard

/// The path of a person's store.
enum StorePath {
    /// Returns `--store`, else `$OPENHEALTH_STORE`, else health.sqlite in
    /// `$XDG_DATA_HOME/openhealth` or `~/.local/share/openhealth`.
    ///
    /// `--as Anna` adds "-Anna" before the extension: health-Anna.sqlite. If only a file exists
    /// whose name differs in case or Unicode normalization, that is used: Anna and anna are the
    /// same person.
    ///
    /// - Throws: ``UsageError`` for an invalid path or name, and if several files differ only in
    ///   case or normalization and none matches exactly.
    static func resolved(
        store: String?, person: String?, environment: [String: String], home: String
    ) throws -> String {
        if let store, store.isEmpty { throw UsageError("--store needs a path.") }
        let path =
            store ?? environment["OPENHEALTH_STORE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? folder(environment, home: home) + "/health.sqlite"
        if path.hasSuffix("/") {
            throw UsageError(
                "\(path.printable) is a folder. Name a file in it, for example "
                    + "\(path.printable)health.sqlite.")
        }
        guard let person else { return path }
        return try existing(siblingPath(path, try checked(person)))
    }

    private static func existing(_ path: String) throws -> String {
        if FileManager.default.fileExists(atPath: path) { return path }
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let folder = start == path.startIndex ? "." : String(path[..<start])
        let name = folded(path[start...])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let alike = names.filter { folded($0[...]) == name }.sorted()
        guard alike.count < 2 else {
            throw UsageError(
                "The names of several stores differ only in case: "
                    + alike.map(\.printable).joined(separator: ", ")
                    + ". Use the exact name with --as.")
        }
        return alike.first.map { path[..<start] + $0 } ?? path
    }

    private static func folded(_ name: Substring) -> String {
        name.lowercased().precomposedStringWithCanonicalMapping
    }

    /// Returns the home folder: `$HOME`, or the account's folder if that is unset or empty.
    static func home(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], !home.isEmpty { return home }
        return FileManager.default.homeDirectoryForCurrentUser.path
    }

    /// Returns the folder of the default store. The XDG specification requires that a relative
    /// `$XDG_DATA_HOME` is ignored.
    private static func folder(_ environment: [String: String], home: String) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return data + "/openhealth"
        }
        return home + "/.local/share/openhealth"
    }

    private static func checked(_ person: String) throws -> String {
        let isSafe = person.unicodeScalars.allSatisfy {
            $0 != "/" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F
        }
        let isWordy = person.contains { $0 != "." && !$0.isWhitespace }
        guard isSafe, isWordy, person.utf8.count <= 100 else {
            throw UsageError(
                "“\(person.printable)” can't be part of a file name. Use a name such as Anna.")
        }
        return person
    }

    /// Adds "-person" before the path's extension. It doesn't use NSString, whose path functions
    /// trap on a name of one letter.
    private static func siblingPath(_ path: String, _ person: String) -> String {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let file = path[start...]
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let end = dot ?? path.endIndex
        return path[..<end] + "-" + person + path[end...]
    }
}

/// The options that select the same store in a suggested command.
enum StoreOptions {
    /// Returns " --store /x/health.sqlite --as Anna" with the options that were given; empty
    /// without them.
    static func text(_ global: GlobalOptions) -> String {
        text(store: global.store, person: global.as)
    }

    private static func text(store: String?, person: String?) -> String {
        (store.map { " --store " + ShellWord.quoted($0) } ?? "")
            + (person.map { " --as " + ShellWord.quoted($0) } ?? "")
    }

    /// The options in this process's own arguments, as in ``text(_:)``.
    private static let ownOptions: String = {
        let arguments = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })
        func value(_ name: String) -> String? {
            for (index, argument) in arguments.enumerated().reversed() {
                if argument.hasPrefix(name + "=") {
                    return String(argument.dropFirst(name.count + 1))
                }
                if argument == name, index + 1 < arguments.count { return arguments[index + 1] }
            }
            return nil
        }
        return text(store: value("--store"), person: value("--as"))
    }()

    /// The subcommands to which ``completed(_:with:)`` adds options.
    private static let commands: Set<String> = [
        "import", "imports", "types", "sources", "summary", "open", "serve", "stats", "explain",
        "samples", "workouts", "export", "weight", "watch", "grants", "check", "tokens",
        "devices", "hooks", "mcp",
    ]

    /// Adds the options of this process to the suggested commands in a text: "openhealth types"
    /// becomes "openhealth --as Anna types". Lines that already contain the options don't change,
    /// and neither do other words after "openhealth", or a command that follows “.
    static func completed(_ text: String, with options: String = ownOptions) -> String {
        if options.isEmpty { return text }
        let name = "openhealth"
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains(options) { return String(line) }
            var parts = line.components(separatedBy: name + " ")
            for index in parts.indices.dropFirst() {
                let before = parts[index - 1].last
                let word = parts[index].prefix { $0.isLetter }
                let isCommand = before != "“" && commands.contains(String(word))
                parts[index] = name + (isCommand ? options : "") + " " + parts[index]
            }
            return parts.joined()
        }.joined(separator: "\n")
    }
}
