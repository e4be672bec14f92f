#if !canImport(Darwin)
    public import Foundation
    import Synchronization

    /// A formatter of measurements, for Linux, where Foundation has no working one.
    ///
    /// ```
    /// let formatter = MeasurementFormatter()
    /// formatter.locale = Locale(identifier: "en_US")
    /// formatter.string(from: Measurement(value: 5, unit: UnitLength.kilometers))    // "3.107 mi"
    /// formatter.unitOptions = .providedUnit
    /// formatter.string(from: Measurement(value: 5, unit: UnitLength.kilometers))    // "5 km"
    /// ```
    ///
    /// The locale determines the unit to which a value is converted, and how the number is written.
    /// Names and abbreviations of units are American English in every locale. They exist for the
    /// common lengths, masses, energies, durations, speeds, temperatures, volumes, pressures and
    /// concentrations. Other units are written with their symbols in every style.
    ///
    /// By default, energies are converted to kilocalories. Pressures and other dimensions without a
    /// preferred unit keep their unit, and so do durations without `naturalScale`. Values that are
    /// not finite are written as the number formatter writes them.
    // Sendable, because a mutex protects all state.
    open class MeasurementFormatter: Formatter, NSSecureCoding, @unchecked Sendable {
        /// Options for the unit of the text.
        public struct UnitOptions: OptionSet, Sendable {
            /// The bits of the options.
            public let rawValue: UInt

            /// Creates options from bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Keep the unit of the measurement instead of the locale's preferred unit.
            public static let providedUnit = Self(rawValue: 1)
            /// Use a unit of the locale that is suitable for the size: `70 m` instead of `0.07 km`.
            /// Ignored together with `providedUnit`.
            public static let naturalScale = Self(rawValue: 1 << 1)
            /// Write temperatures as `37°` instead of `37°C`. The unit of the measurement is kept.
            public static let temperatureWithoutUnit = Self(rawValue: 1 << 2)
        }

        private struct Settings {
            var options: UnitOptions = []
            var style = Formatter.UnitStyle.medium
            var locale = Locale.autoupdatingCurrent
            var numbers = NumberFormatter()

            init() { numbers.numberStyle = .decimal }
        }

        private let state = Mutex(Settings())

        /// Creates a formatter for the current locale.
        public override init() { super.init() }

        /// Creates a formatter with default settings, because settings are not archived.
        ///
        /// - Parameter coder: An unarchiver.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Always true.
        public static var supportsSecureCoding: Bool { true }

        /// The options for the unit. The default is empty: the locale's preferred unit.
        open var unitOptions: UnitOptions {
            get { state.withLock { $0.options } }
            set { state.withLock { $0.options = newValue } }
        }

        /// The length of unit names: `5km`, `5 km` (medium, the default) or `5 kilometers`.
        open var unitStyle: Formatter.UnitStyle {
            get { state.withLock { $0.style } }
            set { state.withLock { $0.style = newValue } }
        }

        /// The locale that determines units and digits. Nil sets the current locale. Setting it
        /// also sets the locale of the number formatter.
        open var locale: Locale! {
            get { state.withLock { $0.locale } }
            set {
                state.withLock {
                    $0.locale = newValue ?? .autoupdatingCurrent
                    $0.numbers.locale = $0.locale
                }
            }
        }

        /// The formatter of numbers. The default, which nil restores, is decimal with up to three
        /// decimal places.
        open var numberFormatter: NumberFormatter! {
            get { state.withLock { $0.numbers } }
            set { state.withLock { $0.numbers = newValue ?? Settings().numbers } }
        }

        /// Formats a measurement.
        ///
        /// - Parameter measurement: The measurement.
        /// - Returns: The number and the unit. ``unitOptions`` and ``locale`` determine the unit.
        open func string<UnitType: Unit>(from measurement: Measurement<UnitType>) -> String {
            text(measurement.value, measurement.unit)
        }

        /// Formats a unit without conversion: `km`, or `kilometers` in the long style.
        ///
        /// - Parameter unit: The unit.
        /// - Returns: The name or symbol of the unit.
        open func string(from unit: Unit) -> String {
            let words = UnitNames(unit)
            return switch unitStyle {
            case .long: words.many
            case .short: words.narrow
            default: words.short.trimmingCharacters(in: .whitespaces)
            }
        }

        /// Formats a measurement.
        ///
        /// - Parameter obj: A `Measurement` or `NSMeasurement`.
        /// - Returns: The text; nil for other objects.
        open override func string(for obj: Any?) -> String? {
            switch obj {
            case let measurement as any Measured: text(measurement.amount, measurement.anyUnit)
            case let measurement as NSMeasurement:
                text(measurement.doubleValue, measurement.unit)
            default: nil
            }
        }

        private func text(_ value: Double, _ unit: Unit) -> String {
            let settings = state.withLock { $0 }
            let (shown, shownUnit) = converted(value, unit, settings)
            let number =
                settings.numbers.string(from: NSNumber(value: shown)) ?? shown.formatted()
            if unit is UnitTemperature, settings.options.contains(.temperatureWithoutUnit) {
                return number + "°"
            }
            let words = UnitNames(shownUnit)
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

    /// A measurement of any unit type.
    private protocol Measured {
        var amount: Double { get }
        var anyUnit: Unit { get }
    }

    extension Measurement: Measured {
        fileprivate var amount: Double { value }
        fileprivate var anyUnit: Unit { unit }
    }
#endif
