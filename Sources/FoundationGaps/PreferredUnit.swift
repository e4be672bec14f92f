#if !canImport(Darwin)
    import Foundation

    /// The preferred units of a locale.
    ///
    /// Apple's table is not public. This one follows the Unicode locale data (CLDR) for the
    /// dimensions that health apps use, with two exceptions: energy is in kilocalories instead of
    /// kilowatt-hours, and British masses are in kilograms.
    enum PreferredUnit {
        /// Returns the preferred unit for the dimension of a unit, whatever the size of the value;
        /// nil if there is none.
        static func fixed(for unit: Unit, _ system: Locale.MeasurementSystem) -> Dimension? {
            let isMetric = system != .us
            return switch unit {
            case is UnitLength: isMetric && system != .uk ? UnitLength.kilometers : UnitLength.miles
            case is UnitMass: isMetric ? UnitMass.kilograms : UnitMass.pounds
            case is UnitEnergy: UnitEnergy.kilocalories
            case is UnitSpeed: speed(system)
            case is UnitTemperature: isMetric ? UnitTemperature.celsius : UnitTemperature.fahrenheit
            case is UnitVolume: isMetric ? UnitVolume.liters : UnitVolume.gallons
            default: nil
            }
        }

        /// Returns the units of a locale for the dimension of a unit, in order of decreasing size.
        /// A value is written in the first unit in which it is at least 1, or else in the last one.
        static func scale(for unit: Unit, _ system: Locale.MeasurementSystem) -> [Dimension] {
            let isMetric = system != .us
            return switch unit {
            case is UnitLength:
                isMetric && system != .uk
                    ? [
                        UnitLength.kilometers, UnitLength.meters, UnitLength.centimeters,
                        UnitLength.millimeters,
                    ] : [UnitLength.miles, UnitLength.feet, UnitLength.inches]
            case is UnitMass:
                isMetric
                    ? [
                        UnitMass.kilograms, UnitMass.grams, UnitMass.milligrams,
                        UnitMass.micrograms,
                    ] : [UnitMass.pounds, UnitMass.ounces]
            case is UnitVolume:
                isMetric
                    ? [UnitVolume.liters, UnitVolume.milliliters]
                    : [UnitVolume.gallons, UnitVolume.fluidOunces]
            case is UnitDuration: [UnitDuration.hours, UnitDuration.minutes, UnitDuration.seconds]
            default: fixed(for: unit, system).map { [$0] } ?? []
            }
        }

        /// Returns the unit of ``scale(for:_:)`` that is suitable for the size of a value; nil if
        /// that has no units.
        static func natural(
            _ value: Double, _ unit: Unit, _ system: Locale.MeasurementSystem
        ) -> Dimension? {
            let scale = scale(for: unit, system)
            guard let unit = unit as? Dimension else { return nil }
            // Zero has no size, so the first unit is used.
            guard value != 0 else { return scale.first }
            // The tolerance prevents 1,000 m instead of 1 km after a rounding error of the
            // conversion.
            return scale.first { abs(value.converted(from: unit, to: $0)) >= 1 - 1e-9 }
                ?? scale.last
        }

        private static func speed(_ system: Locale.MeasurementSystem) -> Dimension {
            system == .metric ? UnitSpeed.kilometersPerHour : UnitSpeed.milesPerHour
        }
    }

    extension Double {
        /// Returns the value in another unit of the same dimension.
        func converted(from unit: Dimension, to other: Dimension) -> Double {
            unit == other
                ? self
                : other.converter.value(
                    fromBaseUnitValue: unit.converter.baseUnitValue(fromValue: self))
        }
    }
#endif
