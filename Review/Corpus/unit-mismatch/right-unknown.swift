// Types that are not known, or asked first whether the unit suits them.
import HealthKit

struct GenericFormatter {
    let preferred: [HKQuantityType: HKUnit]

    func value(of sample: HKQuantitySample) -> Double? {
        guard let unit = preferred[sample.quantityType] else { return nil }
        return sample.quantity.doubleValue(for: unit)
    }

    func meters(of sample: HKQuantitySample) -> Double? {
        guard sample.quantityType.is(compatibleWith: .meter()) else { return nil }
        return sample.quantity.doubleValue(for: .meter())
    }

    func number(of quantity: HKQuantity) -> Double? {
        quantity.is(compatibleWith: .count()) ? quantity.doubleValue(for: .count()) : nil
    }

    func text(for sample: HKQuantitySample) -> String {
        switch sample.quantityType {
        case HKQuantityType(.heartRate):
            let bpm = HKUnit.count().unitDivided(by: .minute())
            return "\(Int(sample.quantity.doubleValue(for: bpm))) bpm"
        case HKQuantityType(.bodyMass):
            return "\(sample.quantity.doubleValue(for: .gramUnit(with: .kilo))) kg"
        default:
            return "\(sample.quantity)"
        }
    }

    func latest(store: HKHealthStore, completion: @escaping (Double?) -> Void) {
        let type = HKQuantityType(.bodyTemperature)
        let unit: HKUnit = Locale.current.measurementSystem == .us
            ? .degreeFahrenheit() : .degreeCelsius()
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: 1,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
        ) { _, samples, _ in
            completion((samples?.first as? HKQuantitySample)?.quantity.doubleValue(for: unit))
        }
        store.execute(query)
    }
}
