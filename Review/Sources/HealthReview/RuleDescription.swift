/// A rule's name, default severity and summary, for lists of rules.
public struct RuleDescription: Sendable, Hashable {
    /// The name in brackets after findings.
    public let name: String
    /// The default severity, which settings or the rule itself may override.
    public let severity: Severity
    /// What the rule finds, in one line without a full stop.
    public let summary: String

    /// All rules by name, including those about suppression comments.
    public static let all: [RuleDescription] =
        (AllRules.all.map {
            RuleDescription(name: $0.name, severity: $0.severity, summary: $0.summary)
        }
        + BuiltInRule.allCases.map {
            RuleDescription(name: $0.name, severity: $0.severity, summary: $0.summary)
        })
        .sorted { $0.name < $1.name }

    /// Returns the rule with a name.
    ///
    /// - Parameter name: The exact name.
    /// - Returns: The rule.
    /// - Throws: ``UnknownRule``, with the closest name, if there is no such rule.
    /// - Complexity: O(rules).
    public static func named(_ name: String) throws(UnknownRule) -> RuleDescription {
        if let rule = all.first(where: { $0.name == name }) { return rule }
        throw UnknownRule(
            name: name, near: SpellingSuggestion.best(for: name, among: all.map(\.name)))
    }

    /// The error for a rule name that doesn't exist.
    public struct UnknownRule: Error, CustomStringConvertible {
        /// The name that was looked up.
        public let name: String
        /// The closest existing name, or nil if none is close.
        public let near: String?

        public var description: String {
            "There is no rule “\(name.printable)”"
                + (near.map { "; did you mean \($0)?" } ?? "; --rules lists them.")
        }
    }

    /// The rule's page in Markdown, from `Documentation/Review`; nil if there is no page.
    public var page: String? { RulePages.all[name] }

    /// The first paragraph of the page's reason; nil if there is no page.
    var reason: String? {
        guard let page, let start = page.firstRange(of: "\n## Why\n\n") else { return nil }
        let rest = page[start.upperBound...]
        return String(rest[..<(rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex)])
    }

    /// The first web address on the page: the source for the documented behaviour.
    var link: String? {
        guard let page, let start = page.firstRange(of: "https" + "://") else { return nil }
        let address = page[start.lowerBound...].prefix {
            !$0.isWhitespace && !")>]\"`".contains($0)
        }
        return String(address)
    }
}

extension Review {
    /// The tool's name in its output.
    public static let tool = "openhealth-review"
    /// The tool's version in its output.
    public static let version = "0.2.0"

    static var ruleNames: [String] { RuleDescription.all.map(\.name) }
}
