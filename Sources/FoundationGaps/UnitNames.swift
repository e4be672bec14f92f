#if !canImport(Darwin)
    import Foundation

    /// The American English names of a unit after a number, as in the locale data of CLDR.
    struct UnitNames {
        /// The narrow form: `km` in `5km`.
        var narrow: String
        /// The short form with the space before it, if there is one: ` km` in `5 km`.
        var short: String
        var one: String
        var many: String

        /// Looks up the names of a unit. Unknown units are written with their symbol.
        init(_ unit: Unit) {
            self = Self.table[Self.key(unit)] ?? Self(unit.symbol, unit.symbol, many: unit.symbol)
        }

        init(_ short: String, _ one: String, many: String? = nil, narrow: String? = nil) {
            self.narrow = narrow ?? short
            self.short = " " + short
            self.one = one
            self.many = many ?? one + "s"
        }

        /// Creates the names of a temperature scale. The short form has no space before the degree
        /// sign.
        private init(degree: String, _ scale: String, narrow: String) {
            self.narrow = narrow
            short = degree
            one = "degree " + scale
            many = "degrees " + scale
        }

        // The key includes the type, because units of two dimensions can have the same symbol.
        private static func key(_ unit: Unit) -> String { "\(type(of: unit)) \(unit.symbol)" }

        private static let table: [String: Self] = {
            let tables = [
                lengths, masses, energies, durations, speeds, temperatures, volumes, pressures,
                rareMasses, rareVolumes, imperialVolumes, concentrations,
            ]
            return Dictionary(tables.joined().map { (key($0.0), $0.1) }) { first, _ in first }
        }()
    }

    extension UnitNames {
        private static var lengths: [(Unit, Self)] {
            [
                (UnitLength.kilometers, Self("km", "kilometer")),
                (UnitLength.meters, Self("m", "meter")),
                (UnitLength.centimeters, Self("cm", "centimeter")),
                (UnitLength.millimeters, Self("mm", "millimeter")),
                (UnitLength.miles, Self("mi", "mile")),
                (UnitLength.yards, Self("yd", "yard")),
                (UnitLength.feet, Self("ft", "foot", many: "feet", narrow: "′")),
                (UnitLength.inches, Self("in", "inch", many: "inches", narrow: "″")),
                (UnitLength.nauticalMiles, Self("nmi", "nautical mile")),
            ]
        }

        private static var masses: [(Unit, Self)] {
            [
                (UnitMass.kilograms, Self("kg", "kilogram")),
                (UnitMass.grams, Self("g", "gram")),
                (UnitMass.milligrams, Self("mg", "milligram")),
                (UnitMass.micrograms, Self("μg", "microgram")),
                (UnitMass.ounces, Self("oz", "ounce")),
                (UnitMass.pounds, Self("lb", "pound", narrow: "#")),
                (UnitMass.stones, Self("st", "stone", many: "stones")),
                (UnitMass.metricTons, Self("t", "metric ton")),
            ]
        }

        private static var energies: [(Unit, Self)] {
            [
                (UnitEnergy.kilocalories, Self("kcal", "kilocalorie")),
                (UnitEnergy.calories, Self("cal", "calorie")),
                (UnitEnergy.kilojoules, Self("kJ", "kilojoule")),
                (UnitEnergy.joules, Self("J", "joule")),
                (UnitEnergy.kilowattHours, Self("kWh", "kilowatt-hour")),
            ]
        }

        private static var durations: [(Unit, Self)] {
            [
                (UnitDuration.hours, Self("hr", "hour", narrow: "h")),
                (UnitDuration.minutes, Self("min", "minute", narrow: "m")),
                (UnitDuration.seconds, Self("sec", "second", narrow: "s")),
                (UnitDuration.milliseconds, Self("ms", "millisecond")),
            ]
        }

        private static var speeds: [(Unit, Self)] {
            [
                (UnitSpeed.kilometersPerHour, rate("km/h", "kilometer", per: "hour")),
                (UnitSpeed.metersPerSecond, rate("m/s", "meter", per: "second")),
                (UnitSpeed.milesPerHour, rate("mph", "mile", per: "hour")),
                (UnitSpeed.knots, Self("kn", "knot")),
            ]
        }

        private static func rate(_ symbol: String, _ unit: String, per time: String) -> Self {
            Self(symbol, "\(unit) per \(time)", many: "\(unit)s per \(time)")
        }

        private static var temperatures: [(Unit, Self)] {
            [
                (UnitTemperature.celsius, Self(degree: "°C", "Celsius", narrow: "°C")),
                (UnitTemperature.fahrenheit, Self(degree: "°F", "Fahrenheit", narrow: "°")),
                (UnitTemperature.kelvin, Self("K", "kelvin")),
            ]
        }

        private static var volumes: [(Unit, Self)] {
            [
                (UnitVolume.liters, Self("L", "liter")),
                (UnitVolume.deciliters, Self("dL", "deciliter")),
                (UnitVolume.milliliters, Self("mL", "milliliter")),
                (UnitVolume.gallons, Self("gal", "gallon")),
                (UnitVolume.quarts, Self("qt", "quart")),
                (UnitVolume.pints, Self("pt", "pint")),
                (UnitVolume.cups, Self("c", "cup")),
                (UnitVolume.fluidOunces, Self("fl oz", "fluid ounce")),
            ]
        }

        private static var pressures: [(Unit, Self)] {
            let mercury = "of mercury"
            return [
                (
                    UnitPressure.millimetersOfMercury,
                    Self("mmHg", "millimeter \(mercury)", many: "millimeters \(mercury)")
                ),
                (
                    UnitPressure.inchesOfMercury,
                    Self(
                        "inHg", "inch \(mercury)", many: "inches \(mercury)", narrow: "″ Hg")
                ),
                (UnitPressure.hectopascals, Self("hPa", "hectopascal")),
                (UnitPressure.kilopascals, Self("kPa", "kilopascal")),
                (UnitPressure.bars, Self("bar", "bar")),
                (UnitPressure.millibars, Self("mbar", "millibar", narrow: "mb")),
            ]
        }
    }
#endif
