#if !canImport(Darwin)
    public import Foundation

    /// Foundation's formatter of measurements, which Foundation on Linux declares and lacks.
    ///
    /// ```
    /// let formatter = MeasurementFormatter()
    /// formatter.locale = Locale(identifier: "en_US")
    /// formatter.string(from: Measurement(value: 5, unit: UnitLength.kilometers))    // "3.107 mi"
    /// formatter.unitOptions = .providedUnit
    /// formatter.string(from: Measurement(value: 5, unit: UnitLength.kilometers))    // "5 km"
    /// ```
    ///
    /// Lengths, masses, energies, durations, speeds, temperatures, volumes, pressures, masses per
    /// volume and parts per million have names, American English ones whatever the locale, which
    /// decides about digits and units; other units are written with their symbols. Energy is read
    /// in kilocalories; durations, pressures and other dimensions in the unit they come in. What is
    /// no number is written as the number formatter does.
    // Its state is one locked value.
    open class MeasurementFormatter: Formatter, NSSecureCoding, @unchecked Sendable {
        /// Which unit a value is written in.
        public struct UnitOptions: OptionSet, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// The measurement's own, instead of the locale's.
            public static let providedUnit = Self(rawValue: 1)
            /// One of the locale's that suits the size: 70 metres are `70 m` instead of `0.07 km`.
            /// Without effect beside `providedUnit`.
            public static let naturalScale = Self(rawValue: 1 << 1)
            /// `37°` instead of `37°C`, and always in the measurement's own unit.
            public static let temperatureWithoutUnit = Self(rawValue: 1 << 2)
        }

        private struct Settings {
            var options: UnitOptions = []
            var style = Formatter.UnitStyle.medium
            var locale = Locale.autoupdatingCurrent
            var numbers = NumberFormatter()

            init() { numbers.numberStyle = .decimal }
        }

        private let state = Locked(Settings())

        /// A formatter of the current locale.
        public override init() { super.init() }

        /// A formatter as ``init()`` makes it: settings have no archived form.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Foundation's answer, true.
        public static var supportsSecureCoding: Bool { true }

        /// Which unit a value is written in; none, as at first, for the locale's.
        open var unitOptions: UnitOptions {
            get { state { $0.options } }
            set { state { $0.options = newValue } }
        }

        /// `5km`, `5 km` (medium, as at first) or `5 kilometers`.
        open var unitStyle: Formatter.UnitStyle {
            get { state { $0.style } }
            set { state { $0.style = newValue } }
        }

        /// Whose units and digits they are; the current one for nil. Setting it sets the number
        /// formatter's too.
        open var locale: Locale! {
            get { state { $0.locale } }
            set {
                state {
                    $0.locale = newValue ?? .autoupdatingCurrent
                    $0.numbers.locale = $0.locale
                }
            }
        }

        /// What writes the numbers; decimal with up to three places at first.
        open var numberFormatter: NumberFormatter! {
            get { state { $0.numbers } }
            set { state { $0.numbers = newValue ?? Settings().numbers } }
        }

        /// A measurement in the unit that options and locale choose.
        open func string<UnitType: Unit>(from measurement: Measurement<UnitType>) -> String {
            text(measurement.value, measurement.unit)
        }

        /// A unit alone: `km`, in the long style `kilometers`.
        open func string(from unit: Unit) -> String {
            let words = MeasurementWords(unit)
            return switch unitStyle {
            case .long: words.many
            case .short: words.narrow
            default: words.short.trimmingCharacters(in: .whitespaces)
            }
        }

        /// A measurement's text; nil for anything else.
        open override func string(for obj: Any?) -> String? {
            switch obj {
            case let measurement as any Measured: text(measurement.amount, measurement.anyUnit)
            case let measurement as NSMeasurement:
                text(measurement.doubleValue, measurement.unit)
            default: nil
            }
        }

        private func text(_ value: Double, _ unit: Unit) -> String {
            let settings = state { $0 }
            let (shown, shownUnit) = converted(value, unit, settings)
            let number =
                settings.numbers.string(from: NSNumber(value: shown)) ?? shown.formatted()
            if unit is UnitTemperature, settings.options.contains(.temperatureWithoutUnit) {
                return number + "°"
            }
            let words = MeasurementWords(shownUnit)
            return switch settings.style {
            case .long: number + " " + (number == "1" ? words.one : words.many)
            case .short: number + words.narrow
            default: number + words.short
            }
        }

        private func converted(
            _ value: Double, _ unit: Unit, _ settings: Settings
        ) -> (Double, Unit) {
            let isOwn =
                settings.options.contains(.providedUnit)
                || (unit is UnitTemperature && settings.options.contains(.temperatureWithoutUnit))
            let system = settings.locale.measurementSystem
            let preferred =
                settings.options.contains(.naturalScale)
                ? PreferredUnit.natural(value, unit, system)
                : PreferredUnit.fixed(for: unit, system)
            guard !isOwn, let preferred, let from = unit as? Dimension else { return (value, unit) }
            return (value.converted(from: from, to: preferred), preferred)
        }
    }

    /// A measurement of any unit, behind an `Any`.
    private protocol Measured {
        var amount: Double { get }
        var anyUnit: Unit { get }
    }

    extension Measurement: Measured {
        fileprivate var amount: Double { value }
        fileprivate var anyUnit: Unit { unit }
    }
#endif
