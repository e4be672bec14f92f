package import HealthEngine
package import HealthStorage

/// The commands that make an arrangement of sources the one in force.
package struct SourceOrderCommand {
    /// Names the sources to put first, by bundle identifier; empty where the order stays.
    package var order: [String] = []
    package var excluded: [String] = []
    package var included: [String] = []
    private let type: SampleType

    /// - Complexity: O(sources).
    package init(
        _ type: SampleType, _ arrangement: SourceArrangement, _ store: SampleStore
    ) throws {
        self.type = type
        let now = try store.sourceOrder(of: type).map(\.source.bundleIdentifier)
        var then = now
        var next = arrangement.order.makeIterator()
        for place in now.indices where arrangement.order.contains(now[place]) {
            if let source = next.next() { then[place] = source }
        }
        // The command puts sources first, so everything above the last one moved must be said too.
        if let last = now.indices.last(where: { now[$0] != then[$0] }) {
            order = Array(then[...last])
        }
        for (source, participation) in arrangement.participation.sorted(by: { $0.key < $1.key }) {
            switch participation {
            case .excluded: excluded.append(source)
            case .included: included.append(source)
            }
        }
    }

    /// One a line: "openhealth sources order stepCount com.apple.Health …".
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
