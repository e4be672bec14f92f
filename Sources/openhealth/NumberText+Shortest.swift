import HealthDashboard
import HealthStorage

extension NumberText {
    /// The shortest digits that read back as the same double: "8214", "0.1", "88.06521739130426".
    static func shortest(_ value: Double) -> String {
        value.isFinite ? JSONText.number(value) : "\(value)"
    }
}
