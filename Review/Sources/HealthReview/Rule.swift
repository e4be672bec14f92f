import SwiftSyntax

/// A check for one kind of mistake, in the files of one target.
///
/// A rule reports nothing that it can't determine: a type, a predicate or a variable that the
/// target's source doesn't settle is no finding.
protocol Rule: Sendable {
    /// The name in brackets after a finding, which is also the page's name: `unbounded-query`.
    var name: String { get }
    /// One line that describes what the rule finds.
    var summary: String { get }
    var severity: Severity { get }
    /// Whether the same mistake is reported for each target or once per review.
    var scope: RuleScope { get }

    func review(_ target: Target, _ report: inout Report)
}

/// How often a rule reports the same mistake.
enum RuleScope: Sendable {
    case target
    /// Once per review, because what is missing in all targets is missing once.
    case review
}

extension Rule {
    var scope: RuleScope { .target }
}

/// The findings of one rule in one target.
struct Report {
    private let rule: any Rule
    private(set) var findings: Set<Finding> = []

    init(_ rule: any Rule) { self.rule = rule }

    /// Adds a finding at a node.
    ///
    /// - Parameters:
    ///   - message: One sentence without a full stop: what is wrong and what the consequence is.
    ///   - severity: A severity other than the rule's own.
    ///   - fix: The correction, if there is exactly one and it needs no decision.
    mutating func add(
        _ message: String, at node: some SyntaxProtocol, in file: SourceFile,
        severity: Severity? = nil, fix: Fix? = nil
    ) {
        let place = file.location(of: node)
        findings.insert(
            Finding(
                rule: rule.name, severity: severity ?? rule.severity, path: file.path,
                line: place.line, column: place.column, message: message, fix: fix))
    }
}
