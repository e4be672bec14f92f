import HealthDashboard
package import HealthEngine
package import HealthStorage

/// The commands that make an arrangement of sources the one in force.
package struct SourceOrderCommand {
    private var order: [String] = []
    private var excluded: [String] = []
    private var included: [String] = []
    private let type: SampleType

    /// - Parameter arrangement: Names sources by bundle identifier.
    /// - Throws: ``StoreError`` if the store can't be read.
    package init(
        _ type: SampleType, _ arrangement: SourceArrangement, _ store: SampleStore
    ) throws {
        self.type = type
        let sources = try store.sourceOrder(of: type)
        let words = Dictionary(
            sources.map { ($0.source.bundleIdentifier, SourceOrderCommand.word($0)) },
            uniquingKeysWith: { first, _ in first })
        let now = sources.map(\.source.bundleIdentifier)
        var then = now
        var next = arrangement.order.makeIterator()
        for place in now.indices where arrangement.order.contains(now[place]) {
            if let source = next.next() { then[place] = source }
        }
        // The command puts sources first, so everything above the last one moved must be said too.
        if let last = now.indices.last(where: { now[$0] != then[$0] }) {
            order = then[...last].map { words[$0] ?? $0 }
        }
        for (source, participation) in arrangement.participation.sorted(by: { $0.key < $1.key }) {
            switch participation {
            case .excluded: excluded.append(words[source] ?? source)
            case .included: included.append(words[source] ?? source)
            }
        }
    }

    /// A name that can be printed as it is, else the identifier.
    private static func word(_ source: SampleStore.RankedSource) -> String {
        let plain = source.word.replacing("\u{A0}", with: " ")
        return PrintableText.text(plain) == plain ? plain : source.source.bundleIdentifier
    }

    /// One a line: "openhealth sources order stepCount iPhone Watch".
    ///
    /// - Parameter options: What leads to the same store: " --as Anna".
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
