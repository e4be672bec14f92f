/// A rule, for people who ask which there are and why.
public struct RuleDescription: Sendable, Hashable {
    /// As it stands in brackets behind findings.
    public let name: String
    /// Unless settings or the rule itself say otherwise.
    public let severity: Severity
    /// What is found: one line without a full stop.
    public let summary: String

    /// Every rule, by name; those about the comments that hide findings too.
    public static let all: [RuleDescription] =
        (AllRules.all.map {
            RuleDescription(name: $0.name, severity: $0.severity, summary: $0.summary)
        }
        + BuiltInRule.allCases.map {
            RuleDescription(name: $0.name, severity: $0.severity, summary: $0.summary)
        })
        .sorted { $0.name < $1.name }

    /// A rule by its name, or the one whose name is closest.
    ///
    /// - Throws: ``UnknownRule``
    public static func named(_ name: String) throws(UnknownRule) -> RuleDescription {
        if let rule = all.first(where: { $0.name == name }) { return rule }
        throw UnknownRule(name: name, near: NearName.best(for: name, among: all.map(\.name)))
    }

    /// There is no such rule.
    public struct UnknownRule: Error, CustomStringConvertible {
        public let name: String
        /// The name that was probably meant.
        public let near: String?

        public var description: String {
            "There is no rule “\(name.printable)”"
                + (near.map { "; did you mean \($0)?" } ?? "; --rules lists them.")
        }
    }

    /// Its page in Markdown, as `Documentation/Review` has it; nil if it isn't written.
    public var page: String? { RulePages.all[name] }

    /// The first web address on the page: where the behaviour is documented.
    var link: String? {
        guard let page, let start = page.firstRange(of: "https" + "://") else { return nil }
        let address = page[start.lowerBound...].prefix {
            !$0.isWhitespace && !")>]\"`".contains($0)
        }
        return String(address)
    }
}

extension Review {
    /// The tool's name, as its output says it.
    public static let tool = "openhealth-review"
    /// The tool's version, as its output says it.
    public static let version = "0.1.0"

    static var ruleNames: [String] { RuleDescription.all.map(\.name) }
}
