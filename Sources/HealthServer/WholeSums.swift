package import HealthDashboard
package import HealthStorage

/// An explanation's amounts rounded so that they still add up before the eye.
package struct WholeSums {
    package var unit: ReadableUnit
    package var naive: Int
    package var merged: Int
    /// By part.
    package var contributed: [Int]
    package var setAside: [Int]

    package init(_ explanation: Explanation) {
        let unit = ReadableUnit(explanation.unit, largest: explanation.naive)
        self.unit = unit
        naive = Int(unit.scaled(explanation.naive).rounded())
        merged = Int(unit.scaled(explanation.merged).rounded())
        contributed = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.contributed) }, to: merged)
        setAside = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.setAside) }, to: naive - merged)
    }

    package func text(_ value: Int) -> String { unit.text(scaled: value) }
}
