import Foundation
import HealthEngine

extension MirrorEntry {
    /// Returns the entry's quantity in another unit.
    ///
    /// - Parameter symbol: The unit's symbol.
    /// - Returns: The value; nil if the entry is no quantity, a unit is unknown, the units have
    ///   different dimensions, or the result is not finite. The units can differ in dimension,
    ///   because imported data may contain a weight in beats per minute.
    package func value(in symbol: String) -> Double? {
        guard case .quantity(let value, let own) = content,
            let unit = try? HealthUnit(own), let wanted = try? HealthUnit(symbol),
            let conversion = try? unit.conversion(to: wanted)
        else { return nil }
        let converted = conversion(value)
        return converted.isFinite ? converted : nil
    }
}
