/// The severity of a finding, ordered: `.note < .warning < .error`.
///
/// A `note` is worth checking. A `warning` loses, doubles or hides data in ordinary use. An `error`
/// crashes, or certainly loses or doubles data.
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
