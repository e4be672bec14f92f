// Units that convert, are asked about, or stand in a table of all.
import HealthKit

struct Scales {
    func kilocalories(_ quantity: HKQuantity) -> Double {
        quantity.doubleValue(for: .calorie()) / 1000
    }

    func unit(named name: String) -> HKUnit? {
        switch name {
        case "cal": return .smallCalorie()
        case "kcal": return .kilocalorie()
        case "s": return .second()
        default: return nil
        }
    }

    func isEnergy(_ type: HKQuantityType) -> Bool { type.is(compatibleWith: .calorie()) }

    func pulse() -> HKUnit { HKUnit.count().unitDivided(by: .minute()) }

    func percent(_ saturation: HKQuantity) -> String {
        let fraction = saturation.doubleValue(for: .percent())
        return "\(Int(fraction * 100)) %"
    }

    func percentage(_ saturation: HKQuantity) -> String {
        let value = saturation.doubleValue(for: .percent()) * 100
        return value < 92 ? "low" : "\(value)%"
    }

    func styled(_ saturation: HKQuantity) -> String {
        saturation.doubleValue(for: .percent()).formatted(.percent)
    }

    func isLow(_ saturation: HKQuantity) -> Bool { saturation.doubleValue(for: .percent()) < 0.92 }

    func milliseconds(_ variability: HKQuantitySample) -> Double {
        variability.quantity.doubleValue(for: .secondUnit(with: .milli))
    }

    func exercise(_ time: HKQuantity) -> Double { time.doubleValue(for: .second()) }
}
