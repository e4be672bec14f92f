import HealthStorage

extension CSVText {
    /// ``CSVText/decimal(_:)``, empty for nil.
    static func number(_ value: Double?) -> String { value.map(CSVText.decimal) ?? "" }
}
