/// How much a finding matters.
///
/// `note` is worth a look; `warning` loses, doubles or hides data in ordinary use; `error` crashes, or
/// loses or doubles data for certain. They are ordered: `.note < .warning < .error`.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
    case note, warning, error

    public static func < (one: Severity, other: Severity) -> Bool { one.place < other.place }

    private var place: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
