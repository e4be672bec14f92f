import ArgumentParser
import Foundation
import HealthArchive
import HealthStorage

extension Import {
    /// Imports a file of SMART Health Cards.
    func runCards() throws {
        let report = try SmartHealthCardImporter(
            path: path, store: try global.path, timeZone: global.timeZone,
            systemTimeZone: TimeZone.current.identifier,
            now: Date().timeIntervalSinceReferenceDate
        ).run()
        let unread = report.unread.values.reduce(0, +)
        if global.json {
            try Output.print(
                .object([
                    "file": .string(report.file), "cards": .integer(report.cards),
                    "new": .integer(report.new), "rejected": .integer(unread),
                    "reasons": .counts(report.unread),
                ]))
        } else {
            let new = report.new == 1 ? "1 new health card" : "\(report.new) new health cards"
            try Output.print(
                "\(report.file.printable): \(new) of \(report.cards). "
                    + "Signatures are not verified.\n")
        }
        guard unread > 0 else { return }
        let reasons = report.unread.sorted { $0.key < $1.key }.map { "  \($0): \($1)\n" }.joined()
        Message.show("Not imported: \(unread == 1 ? "1 card" : "\(unread) cards").\n" + reasons)
        if !partial { throw ExitCode(2) }
    }
}
