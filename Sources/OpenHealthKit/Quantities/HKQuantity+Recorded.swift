import Foundation
import HealthEngine

extension HKQuantity {
    /// Creates a quantity from a stored one, with its unit. Nil for a unit that is unknown or
    /// incompatible with another one, because the methods of a quantity trap on such units.
    static func recorded(_ quantity: RecordedQuantity?, _ unit: HKUnit) -> HKQuantity? {
        guard let quantity, let own = UnitCache.unit(quantity.unit),
            own.value.isCompatible(with: unit.value)
        else { return nil }
        return HKQuantity(unit: own, doubleValue: quantity.value)
    }

    /// The number and the symbol of its unit, as they are stored.
    var recorded: RecordedQuantity { RecordedQuantity(value, unit.unitString) }
}
