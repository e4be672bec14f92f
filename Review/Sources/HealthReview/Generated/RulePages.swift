// Rendered from Documentation/Review by RulePageTests; don't edit.

/// The rules' pages, by name.
enum RulePages {
    static let all: [String: String] = [:]
}
