import ArgumentParser
import Foundation
import HealthServer

/// `openhealth manual`: the manual page, for `make install`.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Prints the manual page.",
        discussion: "To read it: openhealth manual | man -l -",
        shouldDisplay: false)

    func run() throws {
        let dump = Data(OpenHealth._dumpHelp().utf8)
        let help = try JSONDecoder().decode(CommandHelp.self, from: dump)
        try Output.print(ManualPage(help.command, version: ProgramVersion.text).text)
    }
}

/// The parts of the parser's description of the command that the manual shows.
struct CommandHelp: Decodable {
    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool?
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var abstract: String?
    }

    var command: Command
}

/// A manual page in the format of man(7).
struct ManualPage {
    let text: String

    init(_ command: CommandHelp.Command, version: String) {
        var lines = [
            ".TH OPENHEALTH 1 \"\" \"openhealth \(version)\" \"User Commands\"", ".SH NAME",
            "openhealth \\- \(Self.escaped(command.abstract ?? ""))", ".SH SYNOPSIS",
            ".B openhealth", ".I command", "[options]", ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(command.discussion ?? "")
        lines.append(".SH COMMANDS")
        for subcommand in command.subcommands ?? [] {
            lines += Self.section(subcommand, below: "openhealth")
        }
        lines += [
            ".SH FILES", ".TP", ".I ~/.local/share/openhealth/health.sqlite",
            "The store, unless $OPENHEALTH_STORE or \\-\\-store names another.",
        ]
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: CommandHelp.Command, below parent: String) -> [String] {
        guard command.shouldDisplay ?? true, command.commandName != "help" else { return [] }
        let name = parent + " " + command.commandName
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
        var lines = [".SS \(escaped(name))"]
        lines += paragraphs(command.abstract ?? "")
        if let discussion = command.discussion, !discussion.isEmpty {
            lines += [".PP"] + paragraphs(discussion)
        }
        for argument in arguments { lines += item(argument) }
        return lines + (command.subcommands ?? []).flatMap { section($0, below: name) }
    }

    private static func item(_ argument: CommandHelp.Argument) -> [String] {
        let value = argument.valueName.map { "<\($0)>" } ?? "<value>"
        let names = (argument.names ?? []).map { name in
            (name.kind == "long" ? "--" : "-") + name.name
        }
        if ["--help", "--version"].contains(where: names.contains) { return [] }
        var head = names.isEmpty ? value : names.joined(separator: ", ")
        if argument.kind == "option" { head += " " + value }
        if argument.isRepeating { head += " ..." }
        var words = argument.abstract ?? ""
        if let given = argument.defaultValue, !given.isEmpty {
            words += (words.isEmpty ? "" : " ") + "(default: \(given))"
        }
        return [".TP", ".B \(escaped(head))"] + paragraphs(words)
    }

    /// Returns text lines. An empty line starts a paragraph, and an indented line stays alone.
    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.allSatisfy(\.isWhitespace) { return ".PP" }
            let isExample = line.hasPrefix("openhealth ") || line.hasPrefix(" ")
            return (isExample ? ".br\n" : "") + escaped(String(line))
        }
    }

    /// Returns text without marks of the format: a hyphen, a backslash, a dot at a line's start.
    private static func escaped(_ text: String) -> String {
        var text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        if text.hasPrefix(".") || text.hasPrefix("'") { text = "\\&" + text }
        return text
    }
}
