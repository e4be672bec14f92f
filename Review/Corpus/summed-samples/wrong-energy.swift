// The type isn't told, the unit is: everything measured in energy is cumulative. Loops with an index.
import HealthKit

struct EnergyMath {
    func burned(_ samples: [HKQuantitySample]) -> Double {
        samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }  // finds summed-samples
    }

    func kilojoules(of samples: [HKSample]) -> Double {
        var sum = 0.0
        for sample in samples {
            guard let sample = sample as? HKQuantitySample else { continue }
            let value = sample.quantity.doubleValue(for: .jouleUnit(with: .kilo))
            sum += value  // finds summed-samples
        }
        return sum
    }

    func eaten(_ meals: [HKQuantitySample]?) -> Double {
        (meals ?? []).compactMap { $0.quantity.doubleValue(for: HKUnit(from: "kcal")) }.reduce(0, +)  // finds summed-samples
    }

    func numbered(_ samples: [HKQuantitySample]) -> Double {
        var sum = 0.0
        for (number, sample) in samples.enumerated() where number > 0 {
            sum += sample.quantity.doubleValue(for: .kilocalorie())  // finds summed-samples
        }
        for place in samples.indices {
            sum += samples[place].quantity.doubleValue(for: .joule())  // finds summed-samples
        }
        return sum
    }
}
