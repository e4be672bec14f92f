/// Why a string is no unit, or one unit doesn't become another.
public struct HealthUnitError: Error, Hashable, Sendable {
    /// What is wrong, for code to tell apart.
    public enum Code: String, Error, Hashable, Sendable, CaseIterable {
        /// A symbol that HealthKit doesn't have, or a prefix where none is allowed: `mlb`.
        case unknownSymbol
        /// Something other than a symbol where a symbol must stand, or a stray character.
        case malformed
        /// HealthKit allows one slash in a unit.
        case secondSlash
        /// `^` without a whole number behind it, or a power beyond ±1,000,000.
        case powerOutOfRange
        /// A power of a fraction in parentheses: `(m/s)^2`.
        case powerOfFraction
        /// Angle brackets behind `mol` without a molar mass between 0.001 and 1e12 g/mol in them.
        case molarMass
        /// Longer than 1,024 bytes.
        case tooLong
        /// Parentheses more than 32 deep.
        case tooDeep
        /// More than 16 different symbols.
        case tooManyFactors
        /// The two units' sizes are further apart than a double holds well (1e±300).
        case factorOutOfRange
        /// The two units measure different things.
        case incompatible
    }

    public let code: Code
    /// The unit as it was met, cut after 80 characters.
    public let string: String
    /// Where the trouble begins, in UTF-8 bytes from the start of the string; 0 for the whole.
    public let position: Int
    /// The unit asked for, where two don't fit together.
    public let target: String?

    init(_ code: Code, in string: String, at position: Int = 0, target: String? = nil) {
        self.code = code
        self.string = String(string.prefix(80))
        self.position = position
        self.target = target.map { String($0.prefix(80)) }
    }
}

extension HealthUnitError: CustomStringConvertible {
    /// `unit "mlb": unknown symbol at byte 0`
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
        case .malformed: "a unit symbol was expected"
        case .secondSlash: "a second slash"
        case .powerOutOfRange: "a power from -1000000 to 1000000 was expected"
        case .powerOfFraction: "a power of a fraction; write m^2/s^2 for (m/s)^2"
        case .molarMass: "a molar mass in <> was expected"
        case .tooLong: "more than 1024 bytes"
        case .tooDeep: "parentheses more than 32 deep"
        case .tooManyFactors: "more than 16 symbols"
        case .factorOutOfRange: "size out of range"
        case .incompatible: "incompatible"
        }
    }
}
