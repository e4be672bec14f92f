import HealthEngine
import Testing

@Suite("Unit conversion")
struct HealthUnitConversionTests {
    @Test("conversions agree with exact fractions to the last bit but one")
    func table() throws {
        for row in unitConversions {
            let conversion = try HealthUnit(row.from).conversion(to: HealthUnit(row.to))
            let result = conversion(row.value)
            // Multiplication and division round once each. An offset can cancel digits.
            let allowance =
                conversion.before == 0 && conversion.after == 0
                ? row.expected.ulp : max(row.expected.ulp, (459.67).ulp)
            #expect(
                abs(result - row.expected) <= allowance,
                "\(row.value) \(row.from) is \(row.expected) \(row.to), not \(result)")
        }
    }

    @Test(
        "everyday values come out as the nearest double",
        arguments: [
            (57, "cm", "m", 0.57), (98.6, "degF", "degC", 37), (102.74, "degF", "degC", 39.3),
            (37, "degC", "degF", 98.6),
            (-40, "degF", "degC", -40), (36.6, "degC", "K", 309.75), (72, "in", "m", 1.8288),
            (180, "cm", "m", 1.8), (150, "lb", "kg", 68.0388555), (1, "mi", "km", 1.609344),
            (26.2, "mi", "m", 42164.8128), (100, "Cal", "kJ", 418.4), (1, "kcal", "Cal", 1),
            (72, "count/min", "count/s", 1.2), (1.2, "count/s", "count/min", 72),
            (250, "mg", "g", 0.25), (400, "mcg", "g", 0.0004), (10, "m/s", "km/hr", 36),
            (8, "fl_oz_us", "cup_us", 1), (12, "in", "ft", 1), (760, "mmHg", "kPa", 101.3250144354),
            (0.97, "%", "count", 0.97), (0.97, "count", "%", 0.97), (0.97, "%", "", 0.97),
            (42, "mL/(kg*min)", "mL/min·kg", 42), (180, "deg", "rad", 3.141592653589793),
            (1, "kcal/hr·kg", "kcal/(kg*hr)", 1), (24, "hr", "d", 1), (1, "Tm", "fm", 1e27),
        ] as [(Double, String, String, Double)])
    func everyday(value: Double, from: String, to: String, expected: Double) throws {
        #expect(try HealthUnit(from).conversion(to: HealthUnit(to))(value) == expected)
    }

    @Test("glucose converts with either published molar mass")
    func glucose() throws {
        for mass in ["180.1558800000541", "180.15588000005408"] {
            let molar = try HealthUnit("mmol<\(mass)>/L")
            #expect(molar.description == "mmol<180.1558800000541>/L")
            #expect(molar == (try HealthUnit("mmol<180.1558800000541>/L")))
            let result = try molar.conversion(to: HealthUnit("mg/dL"))(5.5)
            #expect(abs(result - 99.085734) < 1e-9)
            #expect(molar.dimension == (try HealthUnit("mg/dL")).dimension)
        }
    }

    @Test("a temperature's offset counts only where the temperature stands alone")
    func relativeTemperatures() throws {
        let perMinute = try HealthUnit("degF/min").conversion(to: HealthUnit("degC/min"))
        #expect(perMinute(9) == 5)
        #expect(try HealthUnit("degF/min").offset == 0)
        #expect(try HealthUnit("degF").offset == 45967.0 / 180)
        #expect(try HealthUnit("degF^2").offset == 0)
        #expect(try HealthUnit("degC").factor == 1)
        #expect(try HealthUnit("mK").factor == 0.001)
    }

    @Test(
        "units that measure different things don't convert",
        arguments: [
            ("kg", "m"), ("Hz", "count/s"), ("L", "m^2"), ("L^2", "m^3"), ("W", "J/s"),
            ("mol", "g"), ("mol", "mol<180>"), ("dBASPL", "Pa"),
            ("dBASPL", "dBHL"), ("count", "count/min"), ("D", "pD"), ("D", "m^-1"), ("IU", "count"),
            ("appleEffortScore", "count"), ("Pa", "J"), ("degC", "degC^2"),
        ])
    func incompatible(from: String, to: String) throws {
        let (source, target) = (try HealthUnit(from), try HealthUnit(to))
        #expect(!source.isCompatible(with: target))
        let error = #expect(throws: HealthUnitError.self) { try source.conversion(to: target) }
        #expect(error?.code == .incompatible)
    }

    @Test(
        "units of equal size pass a value bit by bit",
        arguments: [
            ("kcal", "Cal"), ("count", "%"), ("count", ""), ("m^3", "kL"), ("L/m", "mm·m"),
            ("mL/min·kg", "ml/(kg*min)"),
            ("degF", "degF"), ("m/s", "mm/ms"), ("g/L", "mg/mL"),
        ])
    func identity(from: String, to: String) throws {
        let conversion = try HealthUnit(from).conversion(to: HealthUnit(to))
        #expect(conversion == .identity)
        #expect(conversion(0.1 + 0.2).bitPattern == (0.1 + 0.2).bitPattern)
    }

    @Test("sizes too far apart are an error, and have the doubles' limit as a value")
    func range() throws {
        for (from, to) in [("Tm^20", "fm^20"), ("Tm^1000000", "m^1000000")] {
            let (large, small) = (try HealthUnit(from), try HealthUnit(to))
            for (a, b) in [(large, small), (small, large)] {
                let error = #expect(throws: HealthUnitError.self) { try a.conversion(to: b) }
                #expect(error?.code == .factorOutOfRange)
            }
            #expect(large.limit(of: -2, in: small) == -.infinity)
            #expect(small.limit(of: 2, in: large) == 0)
            #expect(large.limit(of: 0, in: small) == 0)
        }
        #expect(try HealthUnit("Tm^99").factor == .infinity)
        for (from, to, expected) in [
            ("Tm^99", "Gm·Tm^98", 2000.0), ("Tm^-99", "1/Gm·Tm^98", 0.002),
        ] {
            let value = try HealthUnit(from).conversion(to: HealthUnit(to))(2)
            #expect(abs(value / expected - 1) < 1e-13)
        }
    }

    /// The expected values were computed in Python, with exact fractions.
    @Test(
        "large powers convert, exact in what doubles hold",
        arguments: [
            ("lb^8", "kg^8", 3, 0.005375850457068694), ("ft^9", "m^9", 5, 0.00011352843950626168),
            ("mi^40", "km^40", 1, 184_482_598.872_178_88),
            ("atm^24", "Pa^24", 1, 1.3715091139703867e+120),
            ("in^60", "m^60", 1, 1.9499478526155055e-96), ("cal^30", "kcal^30", 1, 1e-90),
            ("mi^60", "in^60", 1, 1.2850206741022575e+288),
            ("m^48·atm^24·GL^12/in^24", "in^24·atm^24·GL^12", 2, 7.396250266048457e+76),
        ])
    func largePowers(from: String, to: String, value: Double, expected: Double) throws {
        let result = try HealthUnit(from).conversion(to: HealthUnit(to))(value)
        #expect(abs(result / expected - 1) < 1e-13)
    }

    @Test("dimensions have names")
    func dimensions() throws {
        #expect(try HealthUnit("mg/dL").dimension.description == "mass/volume")
        #expect(try HealthUnit("%").dimension.description == "scalar")
        #expect(try HealthUnit("count/min").dimension.description == "1/time")
        #expect(try HealthUnit("m^3/min").dimension.description == "volume/time")
        #expect(try HealthUnit("m^2").dimension.description == "length^2")
    }
}
