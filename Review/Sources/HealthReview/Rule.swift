import SwiftSyntax

/// What looks for one mistake, in the files of one target.
///
/// A rule is silent about what it can't know: a type, a predicate or a variable that the target's source
/// doesn't settle is no finding.
protocol Rule: Sendable {
    /// As it stands in brackets behind a finding and names the page: `unbounded-query`.
    var name: String { get }
    /// One line: what is found.
    var summary: String { get }
    var severity: Severity { get }
    /// How often one mistake is told: in each target, or in the first one alone.
    var reach: RuleReach { get }

    func review(_ target: Target, _ report: inout Report)
}

/// Where a rule's finding holds.
enum RuleReach: Sendable {
    case target
    /// What is missing in all that is reviewed is missing once.
    case review
}

extension Rule {
    var reach: RuleReach { .target }
}

/// What one rule found in one target.
struct Report {
    private let rule: any Rule
    private(set) var findings: Set<Finding> = []

    init(_ rule: any Rule) { self.rule = rule }

    /// - Parameters:
    ///   - message: What is wrong here and what it costs, in one sentence without a full stop.
    ///   - severity: Another than the rule's own.
    mutating func add(
        _ message: String, at node: some SyntaxProtocol, in file: SourceFile,
        severity: Severity? = nil
    ) {
        let place = file.location(of: node)
        findings.insert(
            Finding(
                rule: rule.name, severity: severity ?? rule.severity, path: file.path,
                line: place.line, column: place.column, message: message))
    }
}
