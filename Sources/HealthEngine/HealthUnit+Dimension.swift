extension HealthUnit {
    /// What a unit measures: a product of powers of HealthKit's dimensions.
    ///
    /// Volume is length cubed: length has a power from -2 to 2, and volume the rest.
    ///
    /// `HealthUnit("mg/dL").dimension` prints `mass/volume`, a bare number's prints `scalar`.
    public struct Dimension: Hashable, Sendable {
        /// One power for each of ``UnitTable/dimensions``.
        private var powers = SIMD32<Int32>()

        /// Bare numbers: `count`, `%` and the null unit.
        public static let scalar = Dimension()

        /// - Parameter power: At most ``HealthUnit/maximumPower`` either way, of at most
        ///   ``HealthUnit/maximumFactors`` factors: no sum overflows.
        mutating func add(_ dimension: Int, power: Int) {
            if dimension != UnitTable.scalar {
                powers[dimension] += Int32(truncatingIfNeeded: power)
            }
        }

        /// Turns each three powers of length into one of volume.
        ///
        /// - Returns: How many powers of volume were gained, negative if some were lost.
        mutating func reduceLength() -> Int {
            let (volume, length) = (powers[UnitTable.volume], powers[UnitTable.length])
            if length == 0 { return 0 }
            let (quotient, remainder) = (volume * 3 + length).quotientAndRemainder(dividingBy: 3)
            powers[UnitTable.volume] = quotient
            powers[UnitTable.length] = remainder
            return Int(quotient - volume)
        }

        var inverse: Dimension {
            var inverse = Dimension()
            inverse.powers = 0 &- powers
            return inverse
        }
    }
}

extension HealthUnit.Dimension: CustomStringConvertible {
    public var description: String {
        let parts = UnitTable.dimensions.indices.map {
            (name: UnitTable.dimensions[$0], power: Int(powers[$0]))
        }
        let text = HealthUnit.join(parts.filter { $0.power != 0 })
        return text.isEmpty ? "scalar" : text
    }
}
