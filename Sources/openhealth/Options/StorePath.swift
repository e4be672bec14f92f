import Foundation

/// Where a person's store is.
enum StorePath {
    /// `--store`, else `$OPENHEALTH_STORE`, else health.sqlite in `$XDG_DATA_HOME/openhealth` or
    /// `~/.local/share/openhealth`; with `--as Anna` health-Anna.sqlite beside it, or the file there is
    /// whose name differs from that in upper and lower case or in the form of its characters alone:
    /// `--as Anna` and `--as anna` are one person.
    ///
    /// - Throws: ``WrongUsage`` also where several files differ in that alone and none is named exactly.
    static func resolved(
        store: String?, person: String?, environment: [String: String], home: String
    ) throws -> String {
        if let store, store.isEmpty { throw WrongUsage("--store needs a path.") }
        let path =
            store ?? environment["OPENHEALTH_STORE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? folder(environment, home: home) + "/health.sqlite"
        if path.hasSuffix("/") {
            throw WrongUsage(
                "\(path.printable) is a folder; name a file in it, like "
                    + "\(path.printable)health.sqlite.")
        }
        guard let person else { return path }
        return try existing(beside(path, try checked(person)))
    }

    private static func existing(_ path: String) throws -> String {
        if FileManager.default.fileExists(atPath: path) { return path }
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let folder = start == path.startIndex ? "." : String(path[..<start])
        let name = folded(path[start...])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let alike = names.filter { folded($0[...]) == name }.sorted()
        guard alike.count < 2 else {
            throw WrongUsage(
                "Several stores have that name in upper and lower case: "
                    + alike.map(\.printable).joined(separator: ", ")
                    + ". Say --as as one of them is written.")
        }
        return alike.first.map { path[..<start] + $0 } ?? path
    }

    private static func folded(_ name: Substring) -> String {
        name.lowercased().precomposedStringWithCanonicalMapping
    }

    /// What `~` means: `$HOME`, and the account's folder only where that is unset or empty.
    static func home(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], !home.isEmpty { return home }
        return FileManager.default.homeDirectoryForCurrentUser.path
    }

    /// The XDG specification has relative paths ignored.
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
            throw WrongUsage("“\(person.printable)” can't be part of a file's name: --as Anna")
        }
        return person
    }

    /// By hand: NSString's path functions trap on a name of one letter.
    private static func beside(_ path: String, _ person: String) -> String {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let file = path[start...]
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let end = dot ?? path.endIndex
        return path[..<end] + "-" + person + path[end...]
    }
}
