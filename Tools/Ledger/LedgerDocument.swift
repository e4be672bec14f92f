import Foundation

/// The ledger as Markdown.
struct LedgerDocument {
    let entries: [LedgerEntry]
    let rules: [RuleRow]
    let choices: [ChoiceRow]

    var text: String {
        ([heading] + [symbolSection, ruleSection, choiceSection]).joined(separator: "\n")
    }

    private var heading: String {
        """
        # Compatibility

        What of HealthKit works here, symbol by symbol and rule by rule. Rendered by `make ledger` from
        `Data/healthkit-symbols.tsv` and from the marks that the tests carry; a test fails when this page is
        stale. **works**: a named test fails when the symbol is wrong (`make ledger-audit` breaks symbols to
        prove it). **declared**: files that use it compile; it does what the reason says. **absent**: not there.

        | symbols | works | declared | absent | works of all |
        |---|---|---|---|---|
        \(line("used by five or more apps, named families aside") { $0.apps >= 5 && $0.family.isEmpty })
        \(line("used by two or more apps, named families aside") { $0.apps >= 2 && $0.family.isEmpty })
        \(line("used by two or more apps") { $0.apps >= 2 })
        \(line("all, named families aside") { $0.family.isEmpty })
        \(line("all") { _ in true })

        \(familySentence)

        "Apps" counts the public apps of 119 read that use a symbol. What they call on HealthKit's types but
        define themselves, Swift 2's spellings and `.none` of option sets, which Swift doesn't import, are not
        symbols of HealthKit and stand in no row.

        What code about HealthKit uses beside it: `#Predicate` is Foundation's and works on rows of an app's own
        (`Tests/ClientTests/Mirrors/DeletedRows.swift`); HealthKit's queries refuse it, as Apple's do, since they take
        `NSPredicate` alone. `#Predicate` of a `FetchDescriptor`, `@Model` and `ModelContext` are SwiftData's, which
        is not on Linux. `Bundle.main.bundleIdentifier` is nil on Linux without an `Info.plist`: see
        [Adopting](Adopting.md).

        """
    }

    private var familySentence: String {
        families.isEmpty
            ? "No family is left for later."
            : "Families left for later: \(families.joined(separator: ", "))."
    }

    private var families: [String] {
        Set(entries.map(\.family)).subtracting([""]).sorted()
    }

    private func line(_ name: String, _ isCounted: (LedgerEntry) -> Bool) -> String {
        let chosen = entries.filter(isCounted)
        let works = chosen.count { $0.works }
        let absent = chosen.count { if case .absent = $0.status { true } else { false } }
        let share =
            chosen.isEmpty ? 0 : (Double(works) * 1000 / Double(chosen.count)).rounded(.down)
        return
            "| \(name) | \(works) | \(chosen.count - works - absent) | \(absent) | \(share / 10) % |"
    }

    private var symbolSection: String {
        var lines = ["## Symbols", "", "Symbols of one type that one test holds share a row.", ""]
        var owners: [String] = []
        for entry in entries where owners.last != entry.owner { owners.append(entry.owner) }
        lines += ["| symbol | status | held by, or why |", "|---|---|---|"]
        for owner in owners { lines += rows(entries.filter { $0.owner == owner }) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the rows of a type's symbols. Symbols with the same status and the same test or
    /// reason share a row.
    private func rows(_ entries: [LedgerEntry]) -> [String] {
        var order: [String] = []
        var symbols: [String: [String]] = [:]
        for entry in entries {
            let statusCells = statusCells(entry)
            if symbols[statusCells] == nil { order.append(statusCells) }
            symbols[statusCells, default: []].append("`\(entry.symbol)`")
        }
        return order.map { "| \(symbols[$0, default: []].joined(separator: " ")) | \($0) |" }
    }

    private func statusCells(_ entry: LedgerEntry) -> String {
        switch entry.status {
        case .works(let tests):
            let test = tests[0]
            let file = test.file.split(separator: "/").last.map(String.init) ?? test.file
            return "works | \(file): \(test.title.replacingOccurrences(of: "|", with: "\\|"))"
        case .declared(let reason): return "declared | \(reason)"
        case .absent(let reason): return "absent | \(reason)"
        }
    }

    private var choiceSection: String {
        var lines = [
            "## Where Apple's behaviour is open", "",
            "Not documented, changed over time, or a known defect: what happens here, and on what evidence. "
                + "Rendered from `Data/healthkit-choices.tsv`.",
            "", "| matter | here | evidence |", "|---|---|---|",
        ]
        lines += choices.map { "| \($0.topic) | \($0.behaviour) | \($0.evidence) |" }
        return lines.joined(separator: "\n") + "\n"
    }

    private var ruleSection: String {
        let held = rules.count { !$0.tests.isEmpty }
        var lines = [
            "## Rules of behaviour", "",
            "Rules of [Semantics](Semantics.md) that the store keeps. \(held) of \(rules.count) have a test named "
                + "after them.", "", "| rule | suites | status |", "|---|---|---|",
        ]
        lines += rules.map { rule in
            let suites = Set(rule.tests.map(\.suite)).sorted().joined(separator: ", ")
            let status =
                rule.tests.isEmpty
                ? rule.reason.isEmpty ? "no test yet" : "no test can hold it: \(rule.reason)"
                : "works: \(rule.tests.count) \(rule.tests.count == 1 ? "test" : "tests"), like "
                    + "“\(rule.tests[0].title.replacingOccurrences(of: "|", with: "\\|"))”"
            let link = "[§\(rule.number)](Semantics.md#s\(rule.number))"
            return "| \(link) \(rule.words) | \(suites) | \(status) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
