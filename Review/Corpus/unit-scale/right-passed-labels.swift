// A fraction that the function multiplies before it stands beside the label.
import HealthKit

final class ScaledExport {
    func export(_ samples: [HKQuantitySample]) -> [String] {
        rows(samples, unit: .percent(), label: "%")
    }

    private func rows(_ samples: [HKQuantitySample], unit: HKUnit, label: String) -> [String] {
        samples.map { sample in
            let value = sample.quantity.doubleValue(for: unit)
            return "\(label == "%" ? value * 100 : value) \(label)"
        }
    }
}

final class PlainExport {
    func distance(_ samples: [HKQuantitySample]) -> [String] {
        rows(samples, unit: .meterUnit(with: .kilo), label: "km")
    }

    private func rows(_ samples: [HKQuantitySample], unit: HKUnit, label: String) -> [String] {
        samples.map { "\($0.quantity.doubleValue(for: unit)) \(label)" }
    }
}
