import Foundation
import Testing

@testable import HealthDashboard

@Suite struct DisplayUnitTests {
    private func imperially<Value>(_ body: () throws -> Value) rethrows -> Value {
        try PageSettings.$current.withValue(PageSettings(units: .imperial), operation: body)
    }

    @Test("imperial units agree with Foundation's conversions")
    func agreesWithFoundation() {
        let pairs: [(String, Dimension, Dimension)] = [
            ("km", UnitLength.kilometers, UnitLength.miles),
            ("m", UnitLength.meters, UnitLength.feet),
            ("cm", UnitLength.centimeters, UnitLength.inches),
            ("kg", UnitMass.kilograms, UnitMass.pounds),
            ("degC", UnitTemperature.celsius, UnitTemperature.fahrenheit),
            ("m/s", UnitSpeed.metersPerSecond, UnitSpeed.milesPerHour),
            ("km/hr", UnitSpeed.kilometersPerHour, UnitSpeed.milesPerHour),
            ("mL", UnitVolume.milliliters, UnitVolume.fluidOunces),
            ("L", UnitVolume.liters, UnitVolume.fluidOunces),
        ]
        for (unit, stored, shown) in pairs {
            for value in [-12.5, 0, 1, 36.6, 1234] {
                let converted = Measurement(value: value, unit: stored).converted(to: shown).value
                let found = imperially { DisplayUnit(unit).displayed(value) }
                // Foundation's factors have five digits or more.
                #expect(abs(found - converted) <= 2e-5 * max(1, abs(converted)), "\(unit)")
            }
        }
    }

    @Test("metric units and units without a counterpart stay; a percentage is in hundredths")
    func unchanged() {
        for unit in ["km", "kg", "degC", "kcal", "count", "mmHg"] {
            #expect(DisplayUnit(unit).symbol == unit && DisplayUnit(unit).displayed(1.5) == 1.5)
        }
        #expect(DisplayUnit("%").displayed(0.97) == 97)
        #expect(imperially { DisplayUnit("kcal").displayed(3) } == 3)
        #expect(imperially { DisplayUnit("%").displayed(0.5) } == 50)
    }

    @Test("texts are in the reader's units, and a difference has no offset")
    func texts() throws {
        let temperature = try #require(
            Metric(identifier: "HKQuantityTypeIdentifierBodyTemperature"))
        imperially {
            #expect(MetricText.text(80, of: .weight) == "176.4 lb")
            #expect(MetricText.text(36.6, of: temperature) == "97.9 °F")
            #expect(MetricText.difference(1, of: temperature, largest: 1) == "1.80")
            #expect(WorkoutText.distance(5210) == "3.24 mi")
            #expect(WorkoutText.height(120) == "394 ft")
            #expect(
                WorkoutSpeed(of: "running").text(metres: 1609.344, seconds: 550) == "9:10 min/mi")
        }
        #expect(WorkoutText.distance(5210) == "5.21 km")
        #expect(WorkoutSpeed(of: "running").text(metres: 1000, seconds: 342) == "5:42 min/km")
    }

    @Test("a page that is cached for metric units isn't the page for imperial ones")
    func cache() {
        #expect(PageSettings(units: .imperial).cacheWords != PageSettings().cacheWords)
    }
}
