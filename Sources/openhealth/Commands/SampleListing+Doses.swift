import HealthDashboard
import HealthEngine
import HealthStorage

// Medication doses: amount and unit are the value, the status is its name.
extension SampleListing {
    var isDoses: Bool { type.name == "medicationDoseEvent" }

    /// Returns the names of medications by identifier: the person's own, or that of the medication.
    static func names(of medications: [Medication]) -> [String: String] {
        Dictionary(
            medications.map { ($0.identifier, $0.nickname ?? $0.displayText) },
            uniquingKeysWith: { first, _ in first })
    }

    func dose(_ index: Int, in batch: SampleBatch) -> MedicationDose? {
        let metadata = batch.metadata(of: batch.samples[index])
        return MedicationDose(batch.details[index]) { metadata?[$0] }
    }
}

extension SampleListing.Line {
    /// Returns the line with amount, status and medication of a dose.
    func with(_ dose: MedicationDose?, _ medications: [String: String]) -> SampleListing.Line {
        guard let dose else { return self }
        var line = self
        line.value = dose.amount
        line.unit = dose.amount == nil ? nil : dose.unit
        line.status = dose.statusName
        line.medication = medications[dose.medication]
        return line
    }

    /// The text of a dose: "Aspirin 100 mg, taken: 1".
    var doseText: String {
        let parts = [medication, status.map { TypeText.split($0).lowercased() }]
        let text = parts.compactMap { $0?.printable }.joined(separator: ", ")
        guard let value else { return text }
        return text.isEmpty ? NumberText.shortest(value) : "\(text): \(NumberText.shortest(value))"
    }
}
