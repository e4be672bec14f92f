package import HealthDashboard
package import HealthStorage

/// An explanation's amounts rounded so that they still add up before the eye: whole numbers of the
/// last digit shown, as doubles, since a sum may be larger than any integer.
package struct WholeSums {
    package var unit: ReadableUnit
    package var naive: Double
    package var merged: Double
    /// By part.
    package var contributed: [Double]
    package var setAside: [Double]

    package init(_ explanation: Explanation) {
        let unit = ReadableUnit(explanation.unit, largest: explanation.naive)
        self.unit = unit
        naive = unit.scaled(explanation.naive).rounded()
        merged = unit.scaled(explanation.merged).rounded()
        contributed = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.contributed) }, to: merged)
        setAside = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.setAside) }, to: naive - merged)
    }

    package func text(_ value: Double) -> String { unit.text(scaled: value) }
}
