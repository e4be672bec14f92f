import HealthEngine

/// A unit as senders write it: HealthKit's symbol of the unit, and the factor to it.
///
/// Senders write units in the words of their apps: "bpm", "steps", "km/hr". The value and the unit
/// that a record states are converted to HealthKit's symbol with an exact factor, so that
/// compatible units stay recognizable and 0–100 percentages become fractions.
struct IntakeUnit: Hashable {
    /// HealthKit's symbol.
    var symbol: String
    /// The factor from the sender's unit to `symbol`.
    var factor: Double

    init(_ symbol: String, factor: Double = 1) {
        self.symbol = symbol
        self.factor = factor
    }

    /// How a sender writes percentages.
    enum Percentage {
        /// 0.97 for 97 percent, as HealthKit does.
        case fraction
        /// 97 for 97 percent.
        case hundred
    }

    /// Returns the unit of a sender's text; nil for an unknown or empty one.
    ///
    /// The capital in "Cal" makes it a kilocalorie. "cal" is the small calorie, as in HealthKit.
    ///
    /// - Parameters:
    ///   - text: The sender's unit.
    ///   - percentage: What "%" means to this sender for this type.
    static func named(_ text: String, _ percentage: Percentage = .fraction) -> IntakeUnit? {
        let folded = text.replacingMicroAndDegree
        if folded.isEmpty { return nil }
        if folded == "Cal" { return IntakeUnit("kcal") }
        if folded == "%" { return IntakeUnit("%", factor: percentage == .hundred ? 0.01 : 1) }
        if let known = spellings[folded.lowercased()] { return known }
        // HealthKit's own symbols are case-sensitive: "mg" and "Mg" differ.
        guard let unit = try? HealthUnit(folded), unit.factor.isNormal else { return nil }
        return IntakeUnit(folded)
    }

    /// Spellings that are not HealthKit's, or not in its case, in lower case.
    private static let spellings: [String: IntakeUnit] = [
        "steps": .init("count"), "count": .init("count"), "bpm": .init("count/min"),
        "beats/min": .init("count/min"), "breaths/min": .init("count/min"),
        "kcal": .init("kcal"), "kj": .init("kJ"),
        "km/hr": .init("km/hr"), "km/h": .init("km/hr"), "mi/hr": .init("mi/hr"),
        "mph": .init("mi/hr"), "m/hr": .init("m/hr"),
        "mcg": .init("mcg"), "ug": .init("mcg"), "fl_oz": .init("fl_oz_us"),
        "fl_oz_us": .init("fl_oz_us"), "hours": .init("hr"), "hour": .init("hr"), "hr": .init("hr"),
        "h": .init("hr"), "minutes": .init("min"), "seconds": .init("s"), "sec": .init("s"),
        "degc": .init("degC"), "degf": .init("degF"), "dbaspl": .init("dBASPL"),
        "mmhg": .init("mmHg"), "watts": .init("W"), "w": .init("W"), "lbs": .init("lb"),
        "mets": .init("kcal/(kg*hr)"), "met": .init("kcal/(kg*hr)"),
        "kcal/hr·kg": .init("kcal/(kg*hr)"), "kcal/(hr·kg)": .init("kcal/(kg*hr)"),
        "kcal/kg/hr": .init("kcal/(kg*hr)"), "kcal/kg/h": .init("kcal/(kg*hr)"),
        "ml/(kg·min)": .init("mL/kg*min"), "ml/min·kg": .init("mL/kg*min"),
        "ml/kg/min": .init("mL/kg*min"), "ml/kg*min": .init("mL/kg*min"),
        "mg/dl": .init("mg/dL"), "mmol/l": .init("mmol<180.15588000005408>/L"),
        "ml": .init("mL"), "l": .init("L"), "l/min": .init("L/min"), "iu": .init("IU"),
        "mcs": .init("mcS"), "spm": .init("count/min"),
    ]
}

extension String {
    /// The text with one spelling of micro and degree, and without surrounding spaces.
    fileprivate var replacingMicroAndDegree: String {
        var text = ""
        for scalar in unicodeScalars where scalar != " " {
            switch scalar {
            case "\u{B5}", "\u{3BC}": text += "mc"
            case "\u{BA}", "\u{B0}": text += "deg"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension IntakeUnit {
    /// Returns the unit of a sender that uses HealthKit's notation, and other spellings besides.
    ///
    /// A text in HealthKit's notation stays as it is.
    ///
    /// - Parameters:
    ///   - text: The sender's unit.
    ///   - canonical: A unit that the result must be compatible with; nil for none.
    ///   - percentage: What "%" means to this sender.
    /// - Returns: The unit; nil if it is unknown or isn't compatible.
    static func named(
        _ text: String, compatibleWith canonical: String?, _ percentage: Percentage
    ) -> IntakeUnit? {
        guard let canonical, let unit = named(text, percentage),
            unit.isCompatible(with: canonical)
        else { return nil }
        let verbatim = IntakeUnit(text)
        return text != "%" && verbatim.isCompatible(with: canonical) ? verbatim : unit
    }

    /// Returns the unit of values of a quantity type, of a sender with words of its own for units;
    /// nil for an unknown or incompatible one.
    ///
    /// Such senders write "Cal" for kilocalories. "cal" could mean either calorie, so it is not
    /// accepted. HealthKit can convert counts to percentages, but their scale differs between
    /// these senders. So "%" is the only unit of percentages, and isn't accepted for other types.
    ///
    /// - Parameters:
    ///   - text: The sender's unit.
    ///   - type: The quantity type.
    ///   - percentage: What "%" means to this sender for this type.
    static func sent(
        _ text: String, for type: SampleType, _ percentage: Percentage
    ) -> IntakeUnit? {
        guard text != "cal", let canonical = type.canonicalUnit, let unit = named(text, percentage),
            unit.isCompatible(with: canonical), (unit.symbol == "%") == (canonical == "%")
        else { return nil }
        return unit
    }

    /// The units of a body: few, and in every record.
    final class Cache {
        private struct Key: Hashable {
            var text: String
            var type: Int32
            var percentage: Percentage
        }

        private var units: [Key: IntakeUnit?] = [:]
        /// The number of units that are kept. A body can name a new one in each record.
        private static let limit = 1_000

        /// As ``IntakeUnit/sent(_:for:_:)``.
        func sent(_ text: String, for type: SampleType, _ percentage: Percentage) -> IntakeUnit? {
            let key = Key(text: text, type: type.code, percentage: percentage)
            if let known = units[key] { return known }
            let unit = IntakeUnit.sent(text, for: type, percentage)
            if units.count < Cache.limit, text.utf8.count < 64 { units[key] = .some(unit) }
            return unit
        }
    }

    /// Returns whether the unit has the dimension of another one, given by HealthKit's symbol.
    func isCompatible(with other: String) -> Bool {
        guard let unit = try? HealthUnit(symbol), let other = try? HealthUnit(other) else {
            return false
        }
        return unit.isCompatible(with: other)
    }

    /// Returns a sender's value in ``symbol``.
    ///
    /// A hundredth has no exact double, so the decimal point of a percentage is moved: 27.4 %
    /// gives 0.274, the number that HealthKit stores. In doubles, 27.4 / 100 and 27.4 * 0.01 are
    /// other numbers.
    func converted(_ value: Double) -> Double {
        guard factor == 0.01 else { return value * factor }
        let text = "\(value)"
        let digits = text.prefix { $0 != "e" }
        let exponent = Int(text.dropFirst(digits.count + 1)) ?? 0
        return Double("\(digits)e\(exponent - 2)") ?? value / 100
    }
}

/// The possible values of types that are fractions of a whole.
///
/// A value outside shows that the sender's percentages have another scale than its version says.
/// It is rejected, not rescaled: a guess would be a wrong number that nobody notices.
enum PercentageRange {
    /// Returns whether a fraction is possible for a type. All values of other types are.
    static func holds(_ fraction: Double, _ type: SampleType) -> Bool {
        guard let range = ranges[type.name] else { return true }
        return range.contains(fraction)
    }

    private static let ranges: [String: ClosedRange<Double>] = [
        "oxygenSaturation": 0.3...1, "bodyFatPercentage": 0...1,
        "walkingAsymmetryPercentage": 0...1, "walkingDoubleSupportPercentage": 0...1,
    ]
}
