import Foundation
import FoundationGaps
import Testing

/// Measurements as Apple's formatter writes them. Words and units are checked against CLDR.
@Suite struct MeasurementFormatterTests {
    typealias Options = MeasurementFormatter.UnitOptions

    private func text(
        _ value: Double, _ unit: Unit, _ options: Options = [], in locale: String = "en_US",
        style: Formatter.UnitStyle = .medium
    ) -> String {
        let formatter = MeasurementFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.unitOptions = options
        formatter.unitStyle = style
        return formatter.string(from: Measurement(value: value, unit: unit))
    }

    @Test(
        "a value is read in the locale's unit, with the locale's digits",
        arguments: [
            (5_000.0, UnitLength.meters as Unit, "3.107 mi", "3.107 mi", "5 km"),
            (70.26, UnitMass.kilograms, "154.897 lb", "70.26 kg", "70,26 kg"),
            (320, UnitEnergy.kilocalories, "320 kcal", "320 kcal", "320 kcal"),
            (36.6, UnitTemperature.celsius, "97.88°F", "36.6°C", "36,6°C"),
            (10, UnitSpeed.metersPerSecond, "22.369 mph", "22.369 mph", "36 km/h"),
            (2, UnitVolume.liters, "0.528 gal", "2 L", "2 L"),
            (120, UnitPressure.millimetersOfMercury, "120 mmHg", "120 mmHg", "120 mmHg"),
            (3_909, UnitDuration.seconds, "3,909 sec", "3,909 sec", "3.909 sec"),
        ])
    func localeUnits(value: Double, unit: Unit, us: String, britain: String, germany: String) {
        #expect(text(value, unit) == us)
        #expect(text(value, unit, in: "en_GB") == britain)
        #expect(text(value, unit, in: "de_DE") == germany)
    }

    @Test(
        "amounts of a substance have words",
        arguments: [
            (
                95.0, UnitConcentrationMass.milligramsPerDeciliter as Unit, "95 mg/dL",
                "95 milligrams per deciliter"
            ),
            (
                1, UnitConcentrationMass.milligramsPerDeciliter, "1 mg/dL",
                "1 milligram per deciliter"
            ),
            (
                5.3, UnitConcentrationMass.millimolesPerLiter(withGramsPerMole: 180.16),
                "5.3 mmol/L",
                "5.3 millimoles per liter"
            ),
            (
                1, UnitConcentrationMass.millimolesPerLiter(withGramsPerMole: 18), "1 mmol/L",
                "1 millimole per liter"
            ),
            (2, UnitConcentrationMass.gramsPerLiter, "2 g/L", "2 grams per liter"),
            (400, UnitDispersion.partsPerMillion, "400 ppm", "400 parts per million"),
            (1, UnitDispersion.partsPerMillion, "1 ppm", "1 part per million"),
            (3, UnitMass.nanograms, "3 ng", "3 nanograms"),
            (2, UnitMass.ouncesTroy, "2 oz t", "2 troy ounces"),
            (2, UnitMass.shortTons, "2 tn", "2 tons"),
            (2, UnitVolume.cubicMeters, "2 m³", "2 cubic meters"),
            (1, UnitVolume.cubicFeet, "1 ft³", "1 cubic foot"),
            (2, UnitVolume.cubicFeet, "2 ft³", "2 cubic feet"),
            (2, UnitVolume.tablespoons, "2 tbsp", "2 tablespoons"),
            (2, UnitVolume.imperialGallons, "2 gal Imp.", "2 Imp. gallons"),
        ])
    func substances(value: Double, unit: Unit, medium: String, long: String) {
        #expect(text(value, unit, .providedUnit) == medium)
        #expect(text(value, unit, .providedUnit, style: .long) == long)
        #expect(
            text(value, unit, .providedUnit, style: .short)
                == medium.replacing(" ", with: "", maxReplacements: 1))
    }

    private static var everyUnit: [Dimension] {
        let masses: [UnitMass] = [
            .kilograms, .grams, .decigrams, .centigrams, .milligrams, .micrograms, .nanograms,
            .picograms, .ounces, .pounds, .stones, .metricTons, .shortTons, .carats, .ouncesTroy,
            .slugs,
        ]
        let volumes: [UnitVolume] = [
            .megaliters, .kiloliters, .liters, .deciliters, .centiliters, .milliliters,
            .cubicKilometers, .cubicMeters, .cubicDecimeters, .cubicMillimeters, .cubicInches,
            .cubicFeet, .cubicYards, .cubicMiles, .acreFeet, .bushels, .teaspoons, .tablespoons,
            .fluidOunces, .cups, .pints, .quarts, .gallons, .imperialTeaspoons,
            .imperialTablespoons, .imperialFluidOunces, .imperialPints, .imperialQuarts,
            .imperialGallons, .metricCups,
        ]
        let amounts: [UnitConcentrationMass] = [
            .gramsPerLiter, .milligramsPerDeciliter, .millimolesPerLiter(withGramsPerMole: 18),
        ]
        var all: [Dimension] = [UnitDispersion.partsPerMillion]
        for units in [masses as [Dimension], volumes, amounts] { all += units }
        return all
    }

    @Test(
        "every mass, volume, concentration and dispersion of Foundation's has words",
        arguments: everyUnit)
    func words(unit: Dimension) {
        let one = text(1, unit, .providedUnit, style: .long)
        let many = text(2, unit, .providedUnit, style: .long)
        #expect(one.hasPrefix("1 ") && many.hasPrefix("2 "))
        #expect(one.dropFirst(2) != many.dropFirst(2), "a plural of its own")
        #expect(many.count > 5)
    }

    @Test("the provided unit stays")
    func providedUnit() {
        #expect(text(5_000, UnitLength.meters, .providedUnit) == "5,000 m")
        #expect(text(5_000, UnitLength.meters, [.providedUnit, .naturalScale]) == "5,000 m")
        #expect(text(38.5, UnitTemperature.celsius, .providedUnit) == "38.5°C")
        #expect(text(1, UnitMass.stones, .providedUnit) == "1 st")
    }

    @Test(
        "a natural scale suits the value",
        arguments: [
            (70.0, UnitLength.meters as Unit, "229.659 ft", "70 m"),
            (0.5, UnitLength.kilometers, "1,640.42 ft", "500 m"),
            (1_000, UnitLength.meters, "3,280.84 ft", "1 km"),
            (200, UnitMass.grams, "7.055 oz", "200 g"),
            (0.25, UnitVolume.liters, "8.454 fl oz", "250 mL"),
            (5_400, UnitDuration.seconds, "1.5 hr", "1,5 hr"),
            (0, UnitLength.meters, "0 mi", "0 km"),
            (-70, UnitLength.meters, "-229.659 ft", "-70 m"),
        ])
    func naturalScale(value: Double, unit: Unit, us: String, germany: String) {
        #expect(text(value, unit, .naturalScale) == us)
        #expect(text(value, unit, .naturalScale, in: "de_DE") == germany)
    }

    @Test(
        "each style writes a unit its way",
        arguments: [
            (UnitLength.kilometers as Unit, "2.5km", "2.5 km", "2.5 kilometers"),
            (UnitLength.feet, "2.5′", "2.5 ft", "2.5 feet"),
            (UnitMass.pounds, "2.5#", "2.5 lb", "2.5 pounds"),
            (UnitDuration.hours, "2.5h", "2.5 hr", "2.5 hours"),
            (UnitEnergy.kilojoules, "2.5kJ", "2.5 kJ", "2.5 kilojoules"),
            (UnitSpeed.kilometersPerHour, "2.5km/h", "2.5 km/h", "2.5 kilometers per hour"),
            (UnitTemperature.fahrenheit, "2.5°", "2.5°F", "2.5 degrees Fahrenheit"),
            (UnitVolume.fluidOunces, "2.5fl oz", "2.5 fl oz", "2.5 fluid ounces"),
            (
                UnitPressure.millimetersOfMercury, "2.5mmHg", "2.5 mmHg",
                "2.5 millimeters of mercury"
            ),
            (Unit(symbol: "puffs"), "2.5puffs", "2.5 puffs", "2.5 puffs"),
        ])
    func styles(unit: Unit, short: String, medium: String, long: String) {
        #expect(text(2.5, unit, .providedUnit, style: .short) == short)
        #expect(text(2.5, unit, .providedUnit, style: .medium) == medium)
        #expect(text(2.5, unit, .providedUnit, style: .long) == long)
    }

    @Test("one is singular as it is written")
    func singular() {
        #expect(text(1, UnitLength.miles, .providedUnit, style: .long) == "1 mile")
        #expect(text(1.0001, UnitLength.miles, .providedUnit, style: .long) == "1 mile")
        #expect(text(0, UnitLength.feet, .providedUnit, style: .long) == "0 feet")
        #expect(
            text(1, UnitTemperature.celsius, .providedUnit, style: .long) == "1 degree Celsius")
    }

    @Test("a temperature without its unit stays in its scale")
    func temperatureWithoutUnit() {
        #expect(text(37, UnitTemperature.celsius, .temperatureWithoutUnit) == "37°")
        #expect(text(5, UnitLength.kilometers, .temperatureWithoutUnit) == "3.107 mi")
    }

    @Test("the number formatter decides about digits")
    func numberFormatter() {
        let formatter = MeasurementFormatter()
        formatter.locale = Locale(identifier: "de_DE")
        formatter.unitOptions = .providedUnit
        formatter.numberFormatter.maximumFractionDigits = 1
        let distance = Measurement(value: 5_123.46, unit: UnitLength.meters)
        #expect(formatter.string(from: distance) == "5.123,5 m")
        let numbers = NumberFormatter()
        numbers.locale = Locale(identifier: "en_US")
        numbers.minimumFractionDigits = 3
        numbers.numberStyle = .decimal
        formatter.numberFormatter = numbers
        #expect(formatter.string(from: distance) == "5,123.460 m")
    }

    @Test("a unit alone is named, and string(for:) takes measurements only")
    func otherForms() {
        let formatter = MeasurementFormatter()
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: UnitLength.kilometers) == "km")
        #expect(formatter.string(from: UnitTemperature.celsius) == "°C")
        #expect(
            formatter.string(for: Measurement(value: 5, unit: UnitLength.kilometers)) == "3.107 mi")
        #expect(formatter.string(for: 5) == nil)
        formatter.unitStyle = .long
        #expect(formatter.string(from: UnitLength.feet) == "feet")
    }

    @Test("what is no number, and what is huge, is written without a trap")
    func oddNumbers() {
        for options in [[], .providedUnit, .naturalScale] as [Options] {
            #expect(text(.nan, UnitTemperature.kelvin, options).hasPrefix("NaN"))
            #expect(text(.infinity, UnitLength.miles, options) == "+∞ mi")
            #expect(text(.greatestFiniteMagnitude, UnitLength.miles, options).hasSuffix("0 mi"))
        }
    }
}

/// `formatted()` of measurements, compared with ICU's output for the same usage.
@Suite struct MeasurementFormatStyleTests {
    private func text<UnitType: Dimension>(
        _ value: Double, _ unit: UnitType, _ usage: MeasurementFormatUnitUsage<UnitType>,
        in locale: String = "en_US",
        width: Measurement<UnitType>.FormatStyle.UnitWidth = .abbreviated
    ) -> String {
        let measurement = Measurement(value: value, unit: unit)
        return measurement.formatted(
            .measurement(width: width, usage: usage).locale(Locale(identifier: locale)))
    }

    @Test("the general usage takes a unit that suits the size, two digits at least")
    func general() {
        #expect(text(5_000, UnitLength.meters, .general) == "3.1 mi")
        #expect(text(70, UnitLength.meters, .general) == "230 ft")
        #expect(text(0.2, UnitMass.kilograms, .general) == "7.1 oz")
        #expect(text(70.26, UnitMass.kilograms, .general, in: "de_DE") == "70 kg")
        #expect(text(5_040, UnitLength.meters, .road, in: "de_DE") == "5 km")
        #expect(text(37.04, UnitTemperature.celsius, .person) == "99°F")
    }

    @Test("a person is measured in centimetres or inches, weighed in the locale's units")
    func person() {
        #expect(text(1.8, UnitLength.meters, .person) == "71 in")
        #expect(text(1.8, UnitLength.meters, .personHeight) == "5 ft, 11 in")
        #expect(text(1.8, UnitLength.meters, .personHeight, width: .narrow) == "5′ 11″")
        #expect(
            text(1.8, UnitLength.meters, .personHeight, width: .wide) == "5 feet, 11 inches")
        #expect(text(1.825, UnitLength.meters, .personHeight) == "6 ft, 0 in")
        #expect(text(1.8, UnitLength.meters, .personHeight, in: "de_DE") == "180 cm")
        #expect(text(70.26, UnitMass.kilograms, .personWeight) == "155 lb")
        #expect(text(70.26, UnitMass.kilograms, .personWeight, in: "en_GB") == "11 st, 0.9 lb")
        #expect(text(70.26, UnitMass.kilograms, .personWeight, in: "fr_FR") == "70 kg")
    }

    @Test("food and workouts are in Cal in the United States, in kcal elsewhere")
    func energy() {
        #expect(text(320, UnitEnergy.kilocalories, .workout) == "320 Cal")
        #expect(text(1, UnitEnergy.kilocalories, .food, width: .wide) == "1 Calorie")
        #expect(text(320, UnitEnergy.kilocalories, .workout, in: "en_GB") == "320 kcal")
    }

    @Test("the provided unit and a number style stay")
    func asProvided() {
        #expect(text(3.14159, UnitLength.meters, .asProvided) == "3.14159 m")
        let speed = Measurement(value: 12.3456, unit: UnitSpeed.kilometersPerHour)
        let style = Measurement<UnitSpeed>.FormatStyle(
            width: .narrow, locale: Locale(identifier: "de_DE"), usage: .asProvided,
            numberFormatStyle: .number.precision(.fractionLength(2)))
        #expect(speed.formatted(style) == "12,35km/h")
    }

    @Test("a temperature can hide its scale's name")
    func hidesScaleName() {
        let fever = Measurement(value: 38.5, unit: UnitTemperature.celsius)
        #expect(
            fever.formatted(
                .measurement(
                    width: .abbreviated, usage: .asProvided, hidesScaleName: true,
                    numberFormatStyle: .number.precision(.fractionLength(1))
                ).locale(Locale(identifier: "en_US"))) == "38.5°")
    }

    @Test("what is no number, and what is huge, is written without a trap")
    func oddNumbers() {
        #expect(text(.nan, UnitLength.meters, .personHeight) == "NaN in")
        #expect(text(-1.8, UnitLength.meters, .personHeight) == "-5 ft, 11 in")
        for value in [Double.infinity, -.infinity, .greatestFiniteMagnitude] {
            #expect(text(value, UnitLength.meters, .personHeight).contains(" "))
            #expect(text(value, UnitMass.grams, .general).hasSuffix(" lb"))
        }
    }
}
