#if !canImport(Darwin)
    public import Foundation

    /// What a measurement is of, which decides about its unit: of Foundation's, absent on Linux.
    public struct MeasurementFormatUnitUsage<UnitType: Dimension>: Codable, Hashable, Sendable {
        let purpose: MeasurementPurpose

        /// A unit of the locale's that suits the size.
        public static var general: Self { Self(purpose: .general) }

        /// The measurement's own unit.
        public static var asProvided: Self { Self(purpose: .asProvided) }
    }

    /// The usages, of whatever dimension.
    enum MeasurementPurpose: String, Codable {
        case general, asProvided, energy, person, personHeight, personWeight
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitEnergy {
        /// What food provides: kilocalories, called `Cal` in the United States.
        public static var food: Self { Self(purpose: .energy) }

        /// What a workout burns: kilocalories, called `Cal` in the United States.
        public static var workout: Self { Self(purpose: .energy) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitLength {
        /// A body's measures: centimetres or inches.
        public static var person: Self { Self(purpose: .person) }

        /// A person's height: centimetres, or feet and inches.
        public static var personHeight: Self { Self(purpose: .personHeight) }

        /// A distance on a road.
        public static var road: Self { Self(purpose: .general) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitMass {
        /// A person's weight: kilograms or pounds, in Britain stones and pounds.
        public static var personWeight: Self { Self(purpose: .personWeight) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitTemperature {
        /// A body's temperature.
        public static var person: Self { Self(purpose: .general) }

        /// The weather's temperature.
        public static var weather: Self { Self(purpose: .general) }
    }

    extension MeasurementFormatUnitUsage where UnitType == UnitVolume {
        /// What is drunk.
        public static var liquid: Self { Self(purpose: .general) }
    }

    extension MeasurementPurpose {
        /// Fourteen pounds: the stone of Foundation on Linux weighs 157 grams.
        private static var stones: UnitMass {
            UnitMass(
                symbol: UnitMass.stones.symbol,
                converter: UnitConverterLinear(coefficient: 6.35029318))
        }

        /// The units a value is written in, the second for the rest of the first.
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
