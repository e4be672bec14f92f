/// An error in the text of a unit, or in a conversion between two units.
public struct HealthUnitError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Code: String, Error, Hashable, Sendable, CaseIterable {
        /// A symbol that HealthKit does not have, or a prefix that the symbol does not take: `mlb`.
        case unknownSymbol
        /// A missing symbol, a missing closing parenthesis, or an unexpected character.
        case malformed
        /// A second slash. HealthKit allows one in a unit.
        case secondSlash
        /// A `^` without a whole number after it, or a power outside ±1,000,000.
        case powerOutOfRange
        /// A power of a fraction in parentheses: `(m/s)^2`.
        case powerOfFraction
        /// Angle brackets after `mol` that do not contain a molar mass from 0.001 to 1e12 g/mol.
        case molarMass
        /// A string of more than 1,024 bytes.
        case tooLong
        /// Parentheses nested more than 32 deep.
        case tooDeep
        /// More than 16 different symbols, counting a symbol with another prefix or molar mass as
        /// different.
        case tooManyFactors
        /// The factor between the two units is outside 1e-300 to 1e300.
        case factorOutOfRange
        /// The two units have different dimensions.
        case incompatible
    }

    /// The kind of error.
    public let code: Code
    /// The text that was parsed, or the string of the unit that a calculation failed for. Truncated
    /// to 80 characters.
    public let string: String
    /// The position of the error in UTF-8 bytes from the start of the string; 0 for errors that
    /// concern the whole string.
    public let position: Int
    /// The target unit of a conversion that failed, truncated to 80 characters; nil for other
    /// errors.
    public let target: String?

    init(_ code: Code, in string: String, at position: Int = 0, target: String? = nil) {
        self.code = code
        self.string = String(string.prefix(80))
        self.position = position
        self.target = target.map { String($0.prefix(80)) }
    }
}

extension HealthUnitError: CustomStringConvertible {
    /// The error as text: `unit "mlb": unknown symbol at byte 0`, or for incompatible units
    /// `unit "m" does not convert to "s"`.
    public var description: String {
        if code == .incompatible {
            return "unit \"\(string)\" does not convert to \"\(target ?? "")\""
        }
        return "unit \"\(string)\": \(code.reason) at byte \(position)"
    }
}

extension HealthUnitError.Code {
    fileprivate var reason: String {
        switch self {
        case .unknownSymbol: "unknown symbol"
        case .malformed: "expected a unit symbol"
        case .secondSlash: "a second slash"
        case .powerOutOfRange: "expected a power from -1000000 to 1000000"
        case .powerOfFraction: "a power of a fraction; write m^2/s^2 for (m/s)^2"
        case .molarMass: "expected a molar mass in <>"
        case .tooLong: "more than 1024 bytes"
        case .tooDeep: "parentheses more than 32 deep"
        case .tooManyFactors: "more than 16 symbols"
        case .factorOutOfRange: "size out of range"
        case .incompatible: "incompatible"
        }
    }
}
