import HealthDashboard
package import HealthEngine
package import HealthStorage

// Adapts the commands that a page suggests to its audience: for the owner of the store they get the
// options that select it, for a person of a server of many people they are left out.
extension WhyPage {
    mutating func suggestCommands(to audience: PageAudience) {
        if case .owner(let options, _) = audience { commandOptions = options }
        for index in excluded.indices {
            excluded[index].command = excluded[index].command.flatMap(audience.command)
        }
        let (previewed, calibrated) = (preview?.commands ?? [], calibration?.commands ?? [])
        preview?.commands = previewed.compactMap(audience.command)
        calibration?.commands = calibrated.compactMap(audience.command)
    }
}

extension DataQualityPage {
    /// The end of an advice that a command follows.
    static let including = "To include it:"

    mutating func suggestCommands(to audience: PageAudience) {
        for index in findings.indices {
            findings[index].command = findings[index].command.flatMap(audience.command)
            if audience == .person {
                findings[index].advice = findings[index].advice
                    .replacing(Self.including, with: "To include it, use the page Why.")
            }
        }
    }
}

extension DataPage {
    mutating func suggestCommands(to audience: PageAudience) {
        guard sentence == DataPage.emptySentence else { return }
        sentence = audience.command(sentence) ?? "No data yet. \(PageFrame.arrival)"
    }
}

/// The commands that save a source order with exclusions and inclusions.
package struct SourceOrderCommand {
    private var order: [String] = []
    private var excluded: [String] = []
    private var included: [String] = []
    private let type: SampleType

    /// Creates the commands.
    ///
    /// - Parameters:
    ///   - type: The type whose sources the commands reorder.
    ///   - proposal: The changes to save, with sources by bundle identifier.
    ///   - store: The store, with the order before the changes.
    /// - Throws: ``StoreError`` if the store can't be read.
    package init(
        _ type: SampleType, _ proposal: SourceOrderProposal, _ store: SampleStore
    ) throws {
        self.type = type
        let sources = try store.sourceOrder(of: type)
        let arguments = Dictionary(
            sources.map { ($0.source.bundleIdentifier, SourceOrderCommand.argument($0)) },
            uniquingKeysWith: { first, _ in first })
        let current = sources.map(\.source.bundleIdentifier)
        var proposed = current
        var next = proposal.order.makeIterator()
        for place in current.indices where proposal.order.contains(current[place]) {
            if let source = next.next() { proposed[place] = source }
        }
        // The command moves the named sources to the front, so it must name all sources up to the
        // last one that changes its rank.
        if let last = current.indices.last(where: { current[$0] != proposed[$0] }) {
            order = proposed[...last].map { arguments[$0] ?? $0 }
        }
        for (source, participation) in proposal.participation.sorted(by: { $0.key < $1.key }) {
            switch participation {
            case .excluded: excluded.append(arguments[source] ?? source)
            case .included: included.append(arguments[source] ?? source)
            }
        }
    }

    /// Returns the argument that identifies a source in a command: its name if that is unique and
    /// printable, else its bundle identifier. A no-break space (U+00A0) becomes a space.
    private static func argument(_ source: SampleStore.RankedSource) -> String {
        let plain = source.uniqueName.replacing("\u{A0}", with: " ")
        return PrintableText.text(plain) == plain ? plain : source.source.bundleIdentifier
    }

    /// Returns the commands, one for each line, such as "openhealth sources order stepCount iPhone
    /// Watch".
    ///
    /// - Parameter options: Options that select the store, such as " --as Anna". They are appended.
    /// - Returns: At most one command for the order, and one for each exclusion and inclusion.
    package func lines(options: String = "") -> [String] {
        let head = "openhealth sources "
        func line(_ words: String, _ sources: [String]) -> String {
            head + words + " " + type.name + " "
                + sources.map(ShellWord.quoted).joined(separator: " ") + options
        }
        return (order.isEmpty ? [] : [line("order", order)])
            + excluded.map { line("exclude", [$0]) } + included.map { line("include", [$0]) }
    }

    package var text: String { lines().joined(separator: "\n") }
}
