import HealthDashboard
import HealthStorage

extension CSVText {
    static func number(_ value: Double?) -> String {
        value.flatMap { $0.isFinite ? NumberText.shortest($0) : nil } ?? ""
    }
}
