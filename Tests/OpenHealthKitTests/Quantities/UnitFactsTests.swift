import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// The observed behaviour of Apple's units, in addition to the documentation.
@Suite struct UnitFactsTests {
    private func compatible(_ a: String, _ b: String) -> Bool {
        let there = HKQuantity(unit: HKUnit(from: a), doubleValue: 1)
            .is(compatibleWith: HKUnit(from: b))
        let back = HKQuantity(unit: HKUnit(from: b), doubleValue: 1)
            .is(compatibleWith: HKUnit(from: a))
        #expect(there == back, "\(a) and \(b) in both directions")
        return there
    }

    @Test(
        "§9.10 units of the same dimension are compatible",
        .covers("HKQuantity.is(compatibleWith:)"),
        arguments: [
            ("L", "m^3"), ("L", "m^2·in"), ("L", "m·km·mm"), ("mg/m^3", "mg/dL"),
            ("L^2", "m^6"), ("L/m", "m^2"), ("%", "count"), ("%·m", "count·in"),
            ("%/m", "count/in"), ("W", "kW"), ("mol", "mol"), ("Gmol", "kmol"),
            ("mol<123>", "kmol<123>"), ("mol<123>", "mol<456>"), ("()", "()"), ("()", "count"),
            ("()", "count^2"), ("()", "%"), ("degC·m", "degF·m"),
        ])
    func compatiblePairs(a: String, b: String) { #expect(compatible(a, b)) }

    @Test(
        "§9.10 units of different dimensions are not compatible",
        .covers("HKQuantity.is(compatibleWith:)"),
        arguments: [
            ("L", "m^2"), ("L", "m^4"), ("%/m", "count/in^2"), ("W", "J/s"), ("kW", "J/s"),
            ("Hz", "1/s"), ("()", "m"), ("()", "IU"), ("()", "appleEffortScore"), ("mol", "g"),
        ])
    func incompatiblePairs(a: String, b: String) { #expect(!compatible(a, b)) }

    @Test(
        "§9.10 a cubic metre is a thousand litres, and one percent is 0.01",
        .covers("HKQuantity.doubleValue(for:)"),
        arguments: [
            (1.0, "m^3", "L", 1000.0), (1, "L", "m^3", 0.001), (250, "mL", "m·cm·mm", 25),
            (90, "mg/dL", "g/m^3", 900), (0.5, "%", "count", 0.5), (1.1, "count", "%", 1.1),
            (1, "()", "count", 1), (1, "()", "%", 1), (1.1, "degC·m", "degF·m", 1.98),
            (2, "mol<18.02>", "g", 36.04),
            (12.7, "m^4·atm^2·GL/in^2", "in^2·atm^2·GL", 30_511_872.047366142),
        ])
    func values(value: Double, from: String, to: String, expected: Double) {
        let quantity = HKQuantity(unit: HKUnit(from: from), doubleValue: value)
        let result = quantity.doubleValue(for: HKUnit(from: to))
        #expect(abs(result - expected) <= expected.ulp)
    }

    @Test(
        "§9.10 different strings can parse to equal units",
        .covers("HKUnit.init(from:)"),
        arguments: [
            ("1/s", "s^-1"), ("1/s^2", "s^-2"), ("m·1/s", "m/s"), ("(m)", "m"), ("((m))", "m"),
            ("(m)·(m)", "m^2"), ("(m^2)^2", "m^4"), ("((m·atm)^2)^2", "m^4·atm^4"),
            ("atm·(m·L)^2", "atm·m^2·L^2"), ("m*m", "m·m"), ("m^1", "m"), ("m^0", "()"),
            ("", "()"), ("(())", "()"), ("((()))", "()"), ("m/m", "()"),
            ("m^4·atm^2·GL/in^2", "(m^2·atm)^2·GL/in^2"),
        ])
    func spellings(a: String, b: String) {
        #expect(HKUnit(from: a) == HKUnit(from: b))
        #expect(HKUnit(from: a).hash == HKUnit(from: b).hash)
    }

    @Test(
        "§9.10 supported symbols parse and print unchanged",
        .covers("HKUnit.init(from:)", "HKUnit.unitString"),
        arguments: ["cup_us", "yd", "deg", "D", "pD", "mol", "Gmol", "mol<123.45>"])
    func symbols(string: String) throws {
        #expect(try HKUnit(parsing: string).unitString == string)
    }

    @Test(
        "§9.10 invalid unit strings are rejected", .covers("HKUnit.init(from:)"),
        arguments: [
            "(", ")", "()·()", "()·m", "m·()", "()^2", "(m)(m)", "m(m)", "/s", "m^2^2", "mol<>",
            "km<123>", "percent", "(m·atm/in^4)^2", "1", "m·1",
        ])
    func refused(string: String) {
        let error = #expect(throws: HKError.self) { try HKUnit(parsing: string) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("§9.10 moles convert to mass only with a molar mass", .covers("HKUnit.init(from:)"))
    func moles() {
        #expect(HKUnit(from: "mol<1234>") == .moleUnit(withMolarMass: 1234))
        #expect(HKUnit(from: "Gmol<1234>") == .moleUnit(with: .giga, molarMass: 1234))
        #expect(HKUnit(from: "mol") != .moleUnit(withMolarMass: HKUnitMolarMassBloodGlucose))
    }

    @Test(
        "§9.10 a unit prints with one slash, in the order that was observed",
        .covers("HKUnit.unitString"),
        arguments: [
            ("m^2", "m^2"), ("m/s^2", "m/s^2"), ("s^-2", "1/s^2"), ("s^-1", "1/s"),
            ("cm/s^2", "cm/s^2"), ("L/min^2", "L/min^2"), ("mL/(kg·min)", "mL/min·kg"),
            ("count·min", "min·count"), ("degC·m", "degC·m"), ("degF·m", "m·degF"),
            ("L·hr", "L·hr"), ("hr·L", "L·hr"), ("m^4·atm^2·GL/in^2", "m^4·atm^2·GL/in^2"),
            ("in^2·atm^2·GL", "in^2·atm^2·GL"), ("L·hr·atm", "L·atm·hr"),
            ("L·atm·hr", "L·atm·hr"), ("atm·L·hr", "atm·L·hr"), ("atm·hr·L", "atm·L·hr"),
            ("kcal/hr·kg", "kcal/hr·kg"), ("()", "()"),
        ])
    func printing(string: String, printed: String) {
        let unit = HKUnit(from: string)
        #expect(unit.unitString == printed)
        #expect(unit.description == printed)
        #expect(HKUnit(from: printed) == unit)
    }

    @Test("§9.10 composed units print like parsed ones", .covers("HKUnit.unitDivided(by:)"))
    func composed() {
        let (liter, second, gram) = (HKUnit.liter(), HKUnit.second(), HKUnit.gram())
        let perMinute = liter.unitDivided(by: .minute())
        #expect(perMinute.unitRaised(toPower: 2).unitString == "L^2/min^2")
        #expect(liter.unitDivided(by: second).unitDivided(by: gram).unitString == "L/g·s")
        #expect(liter.unitDivided(by: second.unitDivided(by: gram)).unitString == "g·L/s")
        #expect(
            HKUnit.degreeFahrenheit().unitMultiplied(by: .meter()).unitString == "m·degF")
        let hours = liter.unitMultiplied(by: .hour())
        #expect(hours.unitMultiplied(by: .atmosphere()).unitString == "L·atm·hr")
        let pressure = HKUnit.atmosphere().unitMultiplied(by: .hour())
        #expect(pressure.unitMultiplied(by: liter).unitString == "atm·L·hr")
        #expect(pressure.unitMultiplied(by: liter) == hours.unitMultiplied(by: .atmosphere()))
    }

    @Test("§9.10 m/m is the null unit; dL/L is not", .covers("HKUnit.isNull()"))
    func null() {
        let null = HKUnit.meter().unitDivided(by: .meter())
        #expect(null.isNull() && null.unitString == "()" && null.description == "()")
        #expect(!HKUnit(from: "dL/L").isNull() && !HKUnit(from: "count/%").isNull())
        let liter = HKUnit.liter()
        #expect(null.unitMultiplied(by: liter).unitString == "L")
        #expect(liter.unitDivided(by: null).unitString == "L")
        #expect(null.unitDivided(by: liter).unitString == "1/L")
        for power in [-3, 0, 1, 1_000_000] {
            #expect(null.unitRaised(toPower: power).isNull())
        }
        #expect("\(HKQuantity(unit: null, doubleValue: 7))" == "7")
    }

    @Test("§9.10 large powers don't trap", .covers("HKUnit.unitRaised(toPower:)"))
    func largePowers() {
        let base = HKUnit(from: "m^4·atm^2·GL/in^2")
        let large = base.unitRaised(toPower: 12)
        #expect(large.unitString == "m^48·atm^24·GL^12/in^24")
        let quantity = HKQuantity(unit: large, doubleValue: 2)
        let same = HKUnit(from: "in^2·atm^2·GL").unitRaised(toPower: 12)
        #expect(quantity.is(compatibleWith: same))
        #expect(abs(quantity.doubleValue(for: same) / 7.396250266048457e+76 - 1) < 1e-13)

        let huge = HKQuantity(unit: large.unitRaised(toPower: 1000), doubleValue: 2)
        let other = same.unitRaised(toPower: 1000)
        #expect(huge.doubleValue(for: other) == .infinity)
        #expect(HKQuantity(unit: other, doubleValue: 2).doubleValue(for: huge.unit) == 0)
        #expect(huge == HKQuantity(unit: large.unitRaised(toPower: 1000), doubleValue: 2))
        #expect(huge != HKQuantity(unit: huge.unit, doubleValue: 3))
        #expect(huge.compare(HKQuantity(unit: huge.unit, doubleValue: 3)) == .orderedAscending)
        let terametres = HKUnit.meterUnit(with: .tera).unitRaised(toPower: -1_000_000)
        #expect(HKQuantity(unit: terametres, doubleValue: 5).doubleValue(for: terametres) == 5)
    }

    /// Apple's unit has the same string but isn't equal (FB21934449). Code for either behaviour
    /// works here.
    @Test("the first power of a unit is the unit", .covers("HKUnit.unitRaised(toPower:)"))
    func firstPower() {
        #expect(HKUnit.meter().unitRaised(toPower: 1) == .meter())
        #expect(HKUnit(from: "mg/dL").unitRaised(toPower: 1) == HKUnit(from: "mg/dL"))
    }

    @Test("a volume saved in cubic metres is summed and returned in litres")
    func storedVolumes() async throws {
        let water = HKQuantityType(.dietaryWater)
        let store = HKHealthStore.inMemory()
        try await store.requestAuthorization(toShare: [water], read: [water])
        let start = QueriedStore.midnight
        let amounts: [(String, Double)] = [("m^3", 0.0005), ("L", 0.25), ("mL", 250), ("in^3", 10)]
        for (index, (unit, amount)) in amounts.enumerated() {
            try await store.save(
                HKQuantitySample(
                    type: water,
                    quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: amount),
                    start: start + Double(index), end: start + Double(index)))
        }
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: water), options: .cumulativeSum
        ).result(for: store)
        let sum = try #require(statistics?.sumQuantity()?.doubleValue(for: .liter()))
        #expect(abs(sum - 1.163_870_64) < 1e-12)
        let large = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: HKUnit(from: "m^3"), doubleValue: 3e-4))
        let found = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: water, predicate: large)], sortDescriptors: []
        ).result(for: store)
        #expect(found.map { $0.quantity.doubleValue(for: HKUnit(from: "m^3")) } == [0.0005])
        #expect(found.first?.quantity.description == "0.0005 m^3")
    }
}
