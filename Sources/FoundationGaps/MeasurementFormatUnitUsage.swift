#if !canImport(Darwin)
    public import Foundation

    /// What a measurement is used for, which determines the unit in which it is written. For Linux,
    /// where Foundation has no such type.
    public struct MeasurementFormatUnitUsage<UnitType: Dimension>: Codable, Hashable, Sendable {
        let purpose: MeasurementPurpose

        /// A unit of the locale that is suitable for the size of the value.
        public static var general: Self { Self(purpose: .general) }

        /// The unit of the measurement, without conversion.
        public static var asProvided: Self { Self(purpose: .asProvided) }
    }

    /// The usages, as one type for all dimensions.
    enum MeasurementPurpose: String, Codable {
        case general, asProvided, energy, person, personHeight, personWeight
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitEnergy {
        /// The energy of food: kilocalories, written `Cal` in the United States.
        public static var food: Self { Self(purpose: .energy) }

        /// The energy burned in a workout: kilocalories, written `Cal` in the United States.
        public static var workout: Self { Self(purpose: .energy) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitLength {
        /// A body measurement: centimetres, or inches outside the metric system.
        public static var person: Self { Self(purpose: .person) }

        /// A person's height: centimetres, or feet and inches outside the metric system.
        public static var personHeight: Self { Self(purpose: .personHeight) }

        /// A distance on a road. Here it is the same as `general`.
        public static var road: Self { Self(purpose: .general) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitMass {
        /// A person's weight: kilograms, pounds in the United States, stones and pounds in the
        /// United Kingdom.
        public static var personWeight: Self { Self(purpose: .personWeight) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitTemperature {
        /// A body temperature. Here it is the same as `general`.
        public static var person: Self { Self(purpose: .general) }

        /// An air temperature. Here it is the same as `general`.
        public static var weather: Self { Self(purpose: .general) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitVolume {
        /// A volume of liquid. Here it is the same as `general`.
        public static var liquid: Self { Self(purpose: .general) }
    }

    extension MeasurementPurpose {
        /// A stone of fourteen pounds. Foundation on Linux defines the stone as 157 grams.
        private static var stones: UnitMass {
            UnitMass(
                symbol: UnitMass.stones.symbol,
                converter: UnitConverterLinear(coefficient: 6.35029318))
        }

        /// Returns the units for a value: one, or two such as feet and inches. Of two, the first is
        /// for the whole number and the second for the remainder.
        func units(
            _ value: Double, _ unit: Dimension, _ system: Locale.MeasurementSystem
        ) -> [Dimension] {
            switch self {
            case .asProvided: [unit]
            case .general, .energy: [PreferredUnit.natural(value, unit, system) ?? unit]
            case .person: [system == .metric ? UnitLength.centimeters : UnitLength.inches]
            case .personHeight:
                system == .metric
                    ? [UnitLength.centimeters] : [UnitLength.feet, UnitLength.inches]
            case .personWeight:
                system == .us
                    ? [UnitMass.pounds]
                    : system == .uk ? [Self.stones, UnitMass.pounds] : [UnitMass.kilograms]
            }
        }
    }
#endif
