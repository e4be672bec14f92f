#if !canImport(Darwin)
    import Foundation

    /// The units in which people of a locale read a measurement.
    ///
    /// Apple's table isn't public; this one follows CLDR's where health apps measure, but for
    /// energy, which it would write in kilowatt-hours, and for Britain's masses, in kilograms.
    enum PreferredUnit {
        /// The one unit for all values of a dimension; nil for dimensions read as they come.
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

        /// Units of falling size, of which a value takes the first that it has one of.
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

        /// The unit of ``scale(for:_:)`` that suits a value; nil for dimensions read as they come.
        static func natural(
            _ value: Double, _ unit: Unit, _ system: Locale.MeasurementSystem
        ) -> Dimension? {
            let scale = scale(for: unit, system)
            guard let unit = unit as? Dimension else { return nil }
            // Zero has no size: it is said in the scale's first.
            guard value != 0 else { return scale.first }
            // A rounding error of the conversion is no reason to say 1,000 m.
            return scale.first { abs(value.converted(from: unit, to: $0)) >= 1 - 1e-9 }
                ?? scale.last
        }

        private static func speed(_ system: Locale.MeasurementSystem) -> Dimension {
            system == .metric ? UnitSpeed.kilometersPerHour : UnitSpeed.milesPerHour
        }
    }

    extension Double {
        /// The value in another unit of the same dimension.
        func converted(from unit: Dimension, to other: Dimension) -> Double {
            unit == other
                ? self
                : other.converter.value(
                    fromBaseUnitValue: unit.converter.baseUnitValue(fromValue: self))
        }
    }
#endif
