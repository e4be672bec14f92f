/// The rules about suppression comments, which apply to every file.
enum BuiltInRule: String, CaseIterable {
    case withoutReason = "ignore-without-reason"
    case unknownRule = "ignore-unknown-rule"
    case unused = "ignore-unused"

    var name: String { rawValue }

    var severity: Severity {
        switch self {
        case .withoutReason, .unknownRule: .warning
        case .unused: .note
        }
    }

    var summary: String {
        switch self {
        case .withoutReason: "a comment hides findings and doesn't say why"
        case .unknownRule: "a comment hides a rule that there isn't"
        case .unused: "a comment hides nothing: what it was for is gone"
        }
    }
}
