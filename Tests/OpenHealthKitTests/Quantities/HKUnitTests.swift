import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Units")
struct HKUnitTests {
    @Test(
        "§9.10 a factory's unit has Apple's string and equals the unit parsed from it",
        .covers(
            "HKUnit", "HKUnit.init(from:)", "HKUnit.unitString", "HKUnit.appleEffortScore()",
            "HKUnit.atmosphere()", "HKUnit.calorie()", "HKUnit.centimeterOfWater()",
            "HKUnit.count()", "HKUnit.cup*", "HKUnit.day()", "HKUnit.decibel*", "HKUnit.degree*",
            "HKUnit.diopter()", "HKUnit.fluidOunce*", "HKUnit.foot()", "HKUnit.gram()",
            "HKUnit.hertz()", "HKUnit.hour()", "HKUnit.inch*", "HKUnit.internationalUnit()",
            "HKUnit.joule()", "HKUnit.kelvin()", "HKUnit.kilocalorie()", "HKUnit.largeCalorie()",
            "HKUnit.liter()", "HKUnit.lux()", "HKUnit.meter()", "HKUnit.mile()",
            "HKUnit.millimeterOfMercury()", "HKUnit.minute()", "HKUnit.ounce()",
            "HKUnit.pascal()", "HKUnit.percent()", "HKUnit.pint*", "HKUnit.pound()",
            "HKUnit.prismDiopter()", "HKUnit.radianAngle()", "HKUnit.second()", "HKUnit.siemen()",
            "HKUnit.smallCalorie()", "HKUnit.stone()", "HKUnit.volt()", "HKUnit.watt()",
            "HKUnit.yard()"),
        arguments: unitFactories)
    func factories(unit: HKUnit, string: String) {
        #expect(unit.unitString == string)
        #expect(HKUnit(from: string) == unit)
        #expect(HKUnit(from: string).hash == unit.hash)
        #expect(!unit.isNull())
    }

    @Test(
        "§9.10 a prefix multiplies a unit",
        .covers(
            "HKUnit.gramUnit(with:)", "HKUnit.hertzUnit(with:)", "HKUnit.jouleUnit(with:)",
            "HKUnit.literUnit(with:)", "HKUnit.luxUnit(with:)", "HKUnit.meterUnit(with:)",
            "HKUnit.pascalUnit(with:)", "HKUnit.radianAngleUnit(with:)",
            "HKUnit.secondUnit(with:)", "HKUnit.siemenUnit(with:)", "HKUnit.voltUnit(with:)",
            "HKUnit.wattUnit(with:)"))
    func prefixes() {
        #expect(prefixFactories.count == 12)
        for (factory, symbol) in prefixFactories {
            for (prefix, name, power) in metricPrefixes {
                let unit = factory(prefix)
                #expect(unit.unitString == name + symbol)
                let one = HKQuantity(unit: unit, doubleValue: 1).doubleValue(for: factory(.none))
                let expected = pow(10, Double(power))
                #expect(abs(one - expected) <= expected * 1e-15)
            }
        }
    }

    @Test(
        "§9.10 moles of glucose convert to mass by the molar mass",
        .covers(
            "HKUnit.moleUnit(with:molarMass:)", "HKUnit.moleUnit(withMolarMass:)",
            "HKUnitMolarMassBloodGlucose"))
    func moles() {
        let mmol = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
            .unitDivided(by: .liter())
        let weight = HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
        let quantity = HKQuantity(unit: mmol, doubleValue: 5.5)
        #expect(abs(quantity.doubleValue(for: weight) - 99.08573400029744) < 1e-9)
        #expect(HKUnitMolarMassBloodGlucose == 180.15588000005408)
        let exported = HKUnit(from: "mmol<180.1558800000541>/L")
        #expect(quantity.doubleValue(for: exported) == 5.5)
        #expect(mmol == exported)
        #expect(mmol.unitString == "mmol<180.1558800000541>/L")
        #expect(HKUnit.moleUnit(withMolarMass: 18.015).unitString == "mol<18.015>")
    }

    @Test(
        "§9.10 units are multiplied, divided and raised; multiplication binds before division",
        .covers(
            "HKUnit.unitMultiplied(by:)", "HKUnit.unitDivided(by:)", "HKUnit.unitRaised(toPower:)",
            "HKUnit.reciprocal()", "HKUnit.isNull()"))
    func composition() {
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        #expect(perMinute == HKUnit(from: "count/min"))
        #expect(perMinute.unitString == "count/min")
        let capacity = HKUnit.literUnit(with: .milli)
            .unitDivided(by: HKUnit.gramUnit(with: .kilo).unitMultiplied(by: .minute()))
        #expect(capacity == HKUnit(from: "mL/kg*min"))
        #expect(capacity == HKUnit(from: "ml/(kg.min)"))
        #expect(HKUnit.second().unitRaised(toPower: -2).unitString == "1/s^2")
        #expect(HKUnit.second().reciprocal().unitString == "1/s")
        #expect(HKUnit.meter().unitDivided(by: .meter()).isNull())
        #expect(HKUnit.kilocalorie() != .largeCalorie())
    }

    @Test(
        "formatter units convert to HealthKit units and back",
        .covers(
            "HKUnit.massFormatterUnit(from:)", "HKUnit.lengthFormatterUnit(from:)",
            "HKUnit.energyFormatterUnit(from:)"))
    func formatters() {
        let masses: [(MassFormatter.Unit, HKUnit)] = [
            (.gram, .gram()), (.kilogram, .gramUnit(with: .kilo)), (.ounce, .ounce()),
            (.pound, .pound()), (.stone, .stone()),
        ]
        for (formatter, unit) in masses {
            #expect(HKUnit(from: formatter) == unit)
            #expect(HKUnit.massFormatterUnit(from: unit) == formatter)
        }
        let lengths: [(LengthFormatter.Unit, HKUnit)] = [
            (.millimeter, .meterUnit(with: .milli)), (.centimeter, .meterUnit(with: .centi)),
            (.meter, .meter()), (.kilometer, .meterUnit(with: .kilo)), (.inch, .inch()),
            (.foot, .foot()), (.yard, .yard()), (.mile, .mile()),
        ]
        for (formatter, unit) in lengths {
            #expect(HKUnit(from: formatter) == unit)
            #expect(HKUnit.lengthFormatterUnit(from: unit) == formatter)
        }
        let energies: [(EnergyFormatter.Unit, HKUnit)] = [
            (.joule, .joule()), (.kilojoule, .jouleUnit(with: .kilo)),
            (.calorie, .smallCalorie()), (.kilocalorie, .kilocalorie()),
        ]
        for (formatter, unit) in energies {
            #expect(HKUnit(from: formatter) == unit)
            #expect(HKUnit.energyFormatterUnit(from: unit) == formatter)
        }
        #expect(HKUnit.energyFormatterUnit(from: .largeCalorie()) == .kilocalorie)
    }

    @Test("the non-throwing functions trap on an invalid unit")
    func traps() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit(from: "furlong") }
        await #expect(processExitsWith: .failure) {
            _ = HKUnit.moleUnit(withMolarMass: -1)
        }
        await #expect(processExitsWith: .failure) {
            _ = HKUnit.massFormatterUnit(from: .meter())
        }
    }

    @Test("the throwing initializer reports the position of the error")
    func parsing() throws {
        #expect(try HKUnit(parsing: "km/hr").unitString == "km/hr")
        let error = #expect(throws: HKError.self) { try HKUnit(parsing: "km/furlong") }
        #expect(error?.code == .errorInvalidArgument)
        #expect(error?.reason.contains("furlong") == true)
    }
}
