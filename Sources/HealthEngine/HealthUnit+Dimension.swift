extension HealthUnit {
    /// What a unit measures: a product of powers of HealthKit's twenty dimensions.
    ///
    /// `HealthUnit("mg/dL").dimension` prints `mass/volume`, a bare number's prints `scalar`.
    public struct Dimension: Hashable, Sendable {
        /// One power for each of ``UnitTable/dimensions``.
        private var powers = SIMD32<Int16>()

        /// Bare numbers: `count`, `%` and the null unit.
        public static let scalar = Dimension()

        /// - Parameter power: At most 99 either way, of at most 16 factors: no sum overflows.
        mutating func add(_ dimension: Int, power: Int) {
            if dimension != UnitTable.scalar {
                powers[dimension] += Int16(truncatingIfNeeded: power)
            }
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
