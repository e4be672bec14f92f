extension HealthUnit {
    /// Creates a unit from text in HealthKit's notation.
    ///
    /// ```
    /// unit     = null | quotient
    /// null     = "" | "()" | "(" null ")"
    /// quotient = product | ( product | { product "·" } "1" ) "/" product     one slash in all
    /// product  = power { ( "." | "*" | "·" | "⋅" ) power }
    /// power    = ( symbol | "(" quotient ")" ) [ "^" [ "-" | "+" ] digits ]
    /// symbol   = [ prefix ] name | [ prefix ] "mol" [ "<" molar mass ">" ]
    /// ```
    ///
    /// Multiplication binds before the slash: `mL/kg*min` is mL/(kg·min). Parentheses that are
    /// raised to a power must not contain a slash. `µg` is read as `mcg`, with the micro sign or
    /// the Greek letter, and `l` as `L`. Symbols are case-sensitive. Spaces are not allowed
    /// (Semantics §9.10).
    ///
    /// - Parameter string: The unit, at most 1,024 bytes of UTF-8.
    /// - Throws: ``HealthUnitError`` with the byte position of the error.
    /// - Complexity: Bounded, because at most 1,025 bytes of the string are read.
    public init(_ string: String) throws(HealthUnitError) {
        var scanner = UnitScanner(string)
        let factors = try scanner.unit()
        do {
            try self.init(factors)
        } catch {
            throw HealthUnitError(error, in: string)
        }
    }
}

/// A recursive-descent parser of one unit string.
private struct UnitScanner {
    private static let maximumLength = 1024
    private static let maximumDepth = 32

    private let string: String
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var hasSlash = false

    init(_ string: String) {
        self.string = string
        // One byte more than allowed, to detect strings that are too long.
        bytes = Array(string.utf8.prefix(UnitScanner.maximumLength + 1))
    }

    mutating func unit() throws(HealthUnitError) -> [HealthUnit.Factor] {
        if bytes.count > UnitScanner.maximumLength { throw error(.tooLong) }
        if try isNull() { return [] }
        let factors = try quotient()
        if position < bytes.count { throw error(.malformed) }
        return factors
    }

    /// Returns whether the string is empty or has only nested parentheses: `(())`.
    private func isNull() throws(HealthUnitError) -> Bool {
        let opened = bytes.prefix { $0 == UInt8(ascii: "(") }.count
        guard bytes.count == 2 * opened,
            bytes.dropFirst(opened).allSatisfy({ $0 == UInt8(ascii: ")") })
        else { return false }
        if opened > UnitScanner.maximumDepth { throw error(.tooDeep) }
        return true
    }

    private mutating func quotient() throws(HealthUnitError) -> [HealthUnit.Factor] {
        var factors = try product()
        while peek == UInt8(ascii: "/") {
            if hasSlash { throw error(.secondSlash) }
            hasSlash = true
            position += 1
            factors += try product().map { $0.raised(to: -1) }
        }
        return factors
    }

    private mutating func product() throws(HealthUnitError) -> [HealthUnit.Factor] {
        var factors = try power()
        while true {
            let width = separatorWidth
            if width == 0 { return factors }
            position += width
            factors += try power()
        }
    }

    private mutating func power() throws(HealthUnitError) -> [HealthUnit.Factor] {
        if isOneAboveSlash {
            position += 1
            return []
        }
        let hadSlash = hasSlash
        let factors = try atom()
        guard peek == UInt8(ascii: "^") else { return factors }
        if hasSlash != hadSlash { throw error(.powerOfFraction) }
        let start = position
        position += 1
        let power = try exponent(from: start)
        let raised = factors.map { $0.raised(to: power) }
        guard raised.allSatisfy({ abs($0.power) <= HealthUnit.maximumPower }) else {
            throw error(.powerOutOfRange, at: start)
        }
        return raised
    }

    private mutating func exponent(from start: Int) throws(HealthUnitError) -> Int {
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative || peek == UInt8(ascii: "+") { position += 1 }
        let digits = position
        var power = 0
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            power = power * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
            if power > HealthUnit.maximumPower { throw error(.powerOutOfRange, at: start) }
        }
        if position == digits { throw error(.powerOutOfRange, at: start) }
        return isNegative ? -power : power
    }

    private mutating func atom() throws(HealthUnitError) -> [HealthUnit.Factor] {
        guard peek == UInt8(ascii: "(") else { return [try symbol()] }
        if depth == UnitScanner.maximumDepth { throw error(.tooDeep) }
        depth += 1
        position += 1
        let factors = try quotient()
        guard peek == UInt8(ascii: ")") else { throw error(.malformed) }
        position += 1
        depth -= 1
        return factors
    }

    private mutating func symbol() throws(HealthUnitError) -> HealthUnit.Factor {
        let start = position
        while let byte = peek, !UnitScanner.isOperator(byte), separatorWidth == 0 { position += 1 }
        if position == start { throw error(.malformed) }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let found = UnitTable.spellings[name] else { throw error(.unknownSymbol, at: start) }
        return HealthUnit.Factor(
            symbol: found.symbol, prefix: found.prefix,
            molarMass: UnitTable.symbols[found.symbol].isMolar ? try molarMass() : 0, power: 1)
    }

    /// Reads a molar mass in angle brackets, or returns 0 if there are none.
    ///
    /// Only digits and a decimal point are allowed: no sign and no exponent. The number is rounded
    /// to the 16 significant digits that HealthKit prints, so that a unit equals the unit parsed
    /// from its string.
    ///
    /// - Returns: The molar mass in g/mol, from 0.001 to 1e12.
    private mutating func molarMass() throws(HealthUnitError) -> Double {
        let start = position
        guard peek == UInt8(ascii: "<") else { return 0 }
        position += 1
        let digits = position
        while let byte = peek, byte != UInt8(ascii: ">") {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard isDigit || byte == UInt8(ascii: ".") else { throw error(.molarMass, at: start) }
            position += 1
        }
        let text = String(decoding: bytes[digits..<position], as: UTF8.self)
        guard peek != nil, let mass = Double(text), (0.001...1e12).contains(mass) else {
            throw error(.molarMass, at: start)
        }
        position += 1
        return UnitScanner.sixteenDigits(mass)
    }

    /// Rounds to 16 significant digits. The shortest form of a double has at most 17.
    private static func sixteenDigits(_ mass: Double) -> Double {
        let parts = "\(mass)".split(separator: ".")
        guard parts.count == 2, let all = UInt64(parts[0] + parts[1]),
            all >= 10_000_000_000_000_000
        else { return mass }
        return Double("\((all + 5) / 10)e-\(parts[1].count - 1)") ?? mass
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the current position is at the 1 of `1/s`, which stands for an empty numerator.
    private var isOneAboveSlash: Bool { !hasSlash && bytes[position...].starts(with: "1/".utf8) }

    /// The number of bytes of the multiplication sign at the current position; 0 if there is none.
    private var separatorWidth: Int {
        let rest = bytes[position...]
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "*") { return 1 }
        if rest.starts(with: "·".utf8) { return 2 }
        return rest.starts(with: "⋅".utf8) ? 3 : 0
    }

    private static func isOperator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "^"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "<"), UInt8(ascii: ">"):
            true
        default: false
        }
    }

    private func error(_ code: HealthUnitError.Code, at start: Int? = nil) -> HealthUnitError {
        HealthUnitError(code, in: string, at: start ?? position)
    }
}

extension HealthUnit: CustomStringConvertible {
    /// The unit in HealthKit's notation: `mL/min·kg`, `mcg`, `m/s^2`, `1/s`; `()` for the null
    /// unit.
    ///
    /// Parsing the string gives an equal unit. Equal units can have different strings: in a product
    /// of `L` and `atm`, the symbol that was given first is printed first, as in HealthKit.
    public var description: String {
        if factors.isEmpty { return "()" }
        return HealthUnit.join(printed.map { (name: $0.name, power: $0.power) })
    }

    /// Returns factors in printing order: symbols without a prefix first, then by place in the
    /// table, then by prefix. Factors that are equal in all of these keep their order.
    static func inPrintingOrder(_ factors: [Factor]) -> [Factor] {
        func key(_ index: Int) -> (Int, Int, Int, Int) {
            let factor = factors[index]
            let place = UnitTable.symbols[factor.symbol].place ?? factor.symbol
            return (factor.prefix < 0 ? 0 : 1, place, factor.prefix, index)
        }
        return factors.indices.sorted { key($0) < key($1) }.map { factors[$0] }
    }

    /// Joins factors with `·`. Factors with negative powers follow after one slash; without
    /// positive powers, the text starts with `1/`.
    static func join(_ parts: [(name: String, power: Int)]) -> String {
        let above = parts.filter { $0.power > 0 }
        let below = parts.filter { $0.power < 0 }
        if below.isEmpty { return product(above) }
        return (above.isEmpty ? "1" : product(above)) + "/"
            + product(below.map { (name: $0.name, power: -$0.power) })
    }

    private static func product(_ parts: [(name: String, power: Int)]) -> String {
        parts.map { $0.power == 1 ? $0.name : "\($0.name)^\($0.power)" }.joined(separator: "·")
    }
}

extension HealthUnit.Factor {
    /// The prefix, the symbol and the molar mass if there is one: `mmol<180.1558800000541>`.
    fileprivate var name: String {
        let symbol = UnitTable.symbols[symbol]
        let prefix = prefix < 0 ? "" : UnitTable.prefixes[prefix].symbol
        return prefix + symbol.symbol + (molarMass == 0 ? "" : "<\(molarMass)>")
    }
}
