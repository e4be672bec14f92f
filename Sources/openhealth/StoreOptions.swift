import Foundation
import HealthServer

/// The options that lead the next command to the same store.
enum StoreOptions {
    /// " --store /x/health.sqlite --as Anna", or nothing where the default will do.
    static func words(_ global: GlobalOptions) -> String {
        words(store: global.store, person: global.as)
    }

    private static func words(store: String?, person: String?) -> String {
        (store.map { " --store " + ShellWord.quoted($0) } ?? "")
            + (person.map { " --as " + ShellWord.quoted($0) } ?? "")
    }

    /// ``words(_:)`` of the arguments that this process was started with.
    private static let given: String = {
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
        return words(store: value("--store"), person: value("--as"))
    }()

    /// Commands that read or write a store.
    private static let commands: Set<String> = [
        "import", "imports", "types", "sources", "summary", "open", "serve", "stats", "explain",
        "samples", "workouts", "export", "weight", "watch", "grants", "check",
    ]

    /// A text in which every command that it suggests leads to the store of this process:
    /// "openhealth types" is "openhealth --as Anna types". A name in “” is no command.
    static func completed(_ text: String, with options: String = given) -> String {
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
