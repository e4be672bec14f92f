import HealthEngine
import Testing

@Suite("Units")
struct HealthUnitTests {
    @Test(
        "every spelling found in exports is one unit",
        arguments: [
            "mL/min·kg", "mL/kg·min", "mL/(kg*min)", "ml/(kg*min)", "ml/kg*min", "mL/(kg·min)",
            "mL/kg.min", "mL/min⋅kg", "mL.kg^-1.min^-1", "(mL)/((kg)*(min))", "(mL^-1·kg*min)^-1",
            "mL·kg^-1/min",
        ])
    func spellings(string: String) throws {
        let unit = try HealthUnit(string)
        #expect(unit == (try HealthUnit("mL/min·kg")))
        #expect(unit.description == "mL/min·kg")
    }

    @Test(
        "canonical strings are those of exports",
        arguments: [
            "count/min", "count/s", "kcal/hr·kg", "mg/dL", "L/min", "mcg", "dBASPL", "dBHL", "degC",
            "degF", "%", "count", "appleEffortScore", "mmol<180.1558800000541>/L", "km/hr", "m/s",
            "mmHg",
            "fl_oz_us", "IU", "mS", "Hz", "W", "D", "pD", "lx", "kcal", "Cal", "cal", "kJ", "m/s^2",
            "1/s", "1/s·kg", "g^2", "()", "mol", "Gmol",
        ])
    func canonical(string: String) throws {
        #expect(try HealthUnit(string).description == string)
    }

    @Test(
        "both micro signs, small l and a plus sign are read and not written",
        arguments: [
            ("µg", "mcg"), ("μg", "mcg"), ("µmol<180.1>/l", "mcmol<180.1>/L"), ("dl", "dL"),
            ("mol<0.0012345678901234567>", "mol<0.001234567890123457>"),
            ("mol<99.999999999999996>", "mol<100.0>"), ("mol<180.15588>", "mol<180.15588>"),
            ("m^+2", "m^2"), ("kg/m.s^2", "kg/m·s^2"), ("count^0", "()"), ("m·m", "m^2"),
            ("m/m", "()"), ("", "()"),
        ])
    func aliases(string: String, canonical: String) throws {
        #expect(try HealthUnit(string).description == canonical)
    }

    @Test(
        "an invalid unit is an error with its position",
        arguments: [
            ("foo", .unknownSymbol, 0), ("mlb", .unknownSymbol, 0), ("kkg", .unknownSymbol, 0),
            ("kg/foo", .unknownSymbol, 3), ("KG", .unknownSymbol, 0), ("kg ", .unknownSymbol, 0),
            (" kg", .unknownSymbol, 0), ("kg/ m", .unknownSymbol, 3), ("1", .unknownSymbol, 0),
            ("1·s", .unknownSymbol, 0),
            ("m/1", .unknownSymbol, 2), ("(1)/s", .unknownSymbol, 1), ("1/1/s", .unknownSymbol, 2),
            ("kg/m/s", .secondSlash, 4), ("(kg/m)/s", .secondSlash, 6), ("/s", .malformed, 0),
            ("kg·", .malformed, 4), ("·kg", .malformed, 0), ("kg**m", .malformed, 3),
            ("(kg", .malformed, 3), ("kg)", .malformed, 2), ("()^2", .malformed, 1),
            ("(()", .malformed, 2), ("())", .malformed, 1),
            ("<", .malformed, 0),
            ("m^", .powerOutOfRange, 1), ("m^x", .powerOutOfRange, 1), ("m^-", .powerOutOfRange, 1),
            ("m^1000001", .powerOutOfRange, 1), ("m^99999999999999999999", .powerOutOfRange, 1),
            ("((s^999)^999)^999", .powerOutOfRange, 13), ("s^1000000·s", .powerOutOfRange, 0),
            ("m^2^2", .malformed, 3), ("m^2.5", .unknownSymbol, 4),
            ("(m·atm/in^4)^2", .powerOfFraction, 13), ("((m/s))^2", .powerOfFraction, 7),
            ("mol<>", .molarMass, 3),
            ("mol<0>", .molarMass, 3), ("mol<-1>", .molarMass, 3), ("mol<1e3>", .molarMass, 3),
            ("mol<nan>", .molarMass, 3), ("mol<180", .molarMass, 3), ("mol<1.2.3>", .molarMass, 3),
            ("mol<1,5>", .molarMass, 3), ("g<1>", .malformed, 1), ("\u{0}", .unknownSymbol, 0),
        ] as [(String, HealthUnitError.Code, Int)])
    func errors(string: String, code: HealthUnitError.Code, position: Int) {
        let error = #expect(throws: HealthUnitError.self) { try HealthUnit(string) }
        #expect(error?.code == code)
        #expect(error?.position == position)
        #expect(error?.string == string)
    }

    @Test("a unit that is too long, too deep or too wide is an error, not a crash")
    func limits() throws {
        func code(_ string: String) -> HealthUnitError.Code? {
            #expect(throws: HealthUnitError.self) { try HealthUnit(string) }?.code
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "m" + String(repeating: ")", count: depth)
        }
        #expect(code(String(repeating: "m·", count: 1_000_000) + "m") == .tooLong)
        #expect(code(nested(500)) == .tooDeep)
        #expect(code(nested(33)) == .tooDeep)
        let closed = { String(repeating: "(", count: $0) + String(repeating: ")", count: $0) }
        #expect(code(closed(33)) == .tooDeep)
        #expect(try HealthUnit(closed(32)) == .null)
        #expect(try HealthUnit(nested(32)) == HealthUnit("m"))
        let prefixed = ["f", "p", "n", "mc", "m", "c", "d", "", "da", "h", "k", "M", "G", "T"]
        let wide = prefixed.map { $0 + "m" }
        #expect(
            try HealthUnit((wide + ["g", "s"]).joined(separator: "·")).description.isEmpty == false)
        #expect(code((wide + ["g", "s", "L"]).joined(separator: "·")) == .tooManyFactors)
    }

    @Test("an error names the unit and the byte, and cuts a long unit")
    func errorDescription() throws {
        let unknown = #expect(throws: HealthUnitError.self) { try HealthUnit("kg/foo") }
        #expect(unknown?.description == "unit \"kg/foo\": unknown symbol at byte 3")
        let long = #expect(throws: HealthUnitError.self) {
            try HealthUnit(String(repeating: "x", count: 5000))
        }
        #expect(long?.string.count == 80)
        let kilogram = try HealthUnit("kg")
        let apart = #expect(throws: HealthUnitError.self) {
            try kilogram.conversion(to: HealthUnit("m"))
        }
        #expect(apart?.description == "unit \"kg\" does not convert to \"m\"")
    }

    @Test("composition agrees with parsing")
    func composition() throws {
        let perMinute = try HealthUnit.count.divided(by: .minute)
        #expect(try perMinute == HealthUnit("count/min"))
        #expect(try perMinute.multiplied(by: .minute) == .count)
        #expect(try HealthUnit("m").divided(by: .second.raised(to: 2)) == HealthUnit("m/s^2"))
        #expect(try HealthUnit("m/s").raised(to: 0) == .null)
        #expect(HealthUnit.second.reciprocal.description == "1/s")
        #expect(perMinute.reciprocal.reciprocal == perMinute)
        let perKilometre = try HealthUnit("km").reciprocal
        #expect(perKilometre.factor == 0.001)
        #expect(perKilometre.dimension == (try HealthUnit("m^-1")).dimension)
        let kelvin = try HealthUnit("degC").reciprocal.reciprocal
        #expect(kelvin.offset == 273.15)
        let error = #expect(throws: HealthUnitError.self) { try perMinute.raised(to: .min) }
        #expect(error?.code == .powerOutOfRange)
    }

    @Test("the constants equal their parsed symbols")
    func constants() {
        let constants: [HealthUnit] = [.null, .count, .percent, .second, .minute, .hour]
        #expect(constants.map(\.description) == ["()", "count", "%", "s", "min", "hr"])
    }
}
