// A unit passed beside its label.
import HealthKit

struct ExportedRow {
    let date: Date
    let value: Double
    let label: String
}

final class TableExport {
    private let store = HKHealthStore()

    func exportAll() {
        export(.bodyMass, unit: .gramUnit(with: .kilo), label: "kg")
        export(.bodyFatPercentage, unit: .percent(), label: "%")  // finds unit-scale
        export(.dietarySodium, unit: .gram(), label: "mg")  // finds unit-scale
        export(.heartRate, unit: HKUnit(from: "count/min"), label: "bpm")
    }

    private func export(_ identifier: HKQuantityTypeIdentifier, unit: HKUnit, label: String) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(identifier), predicate: nil, limit: 500,
            sortDescriptors: nil
        ) { _, samples, error in
            guard error == nil, let samples = samples as? [HKQuantitySample] else { return }
            let rows = samples.map {
                ExportedRow(
                    date: $0.startDate, value: $0.quantity.doubleValue(for: unit), label: label)
            }
            self.write(rows)
        }
        store.execute(query)
    }

    private func write(_ rows: [ExportedRow]) {}
}
