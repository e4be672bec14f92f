#if !canImport(Darwin)
    public import Foundation

    extension Measurement where UnitType: Dimension {
        /// The measurement as the current locale reads it: `5 km`.
        public func formatted() -> String { FormatStyle(width: .abbreviated).format(self) }

        /// The measurement in a style:
        /// `height.formatted(.measurement(width: .wide, usage: .personHeight))`.
        public func formatted<S: Foundation.FormatStyle>(_ style: S) -> S.FormatOutput
        where S.FormatInput == Measurement<UnitType> {
            style.format(self)
        }

        /// Foundation's style of measurements, which Foundation on Linux lacks.
        ///
        /// Words are American English whatever the locale, which decides about digits and units
        /// (see ``MeasurementFormatter``). Without a number style there are no decimal places, but
        /// two significant digits at least: `3.1 mi`, `155 lb`; in the provided unit all digits
        /// that the number's own style shows.
        public struct FormatStyle: Foundation.FormatStyle, Sendable {
            /// How much of a unit's name is written.
            public struct UnitWidth: Codable, Hashable, Sendable {
                let style: MeasurementTextWidth

                /// `5 kilometers`.
                public static var wide: Self { Self(style: .wide) }
                /// `5 km`.
                public static var abbreviated: Self { Self(style: .abbreviated) }
                /// `5km`.
                public static var narrow: Self { Self(style: .narrow) }
            }

            /// How much of a unit's name is written.
            public var width: UnitWidth
            /// What decides about the unit.
            public var usage: MeasurementFormatUnitUsage<UnitType>?
            /// What writes the number; nil for two significant digits at least.
            public var numberFormatStyle: FloatingPointFormatStyle<Double>?
            /// Whose units and digits they are.
            public var locale: Locale
            /// Whether a temperature is `37°` instead of `37°C`.
            public var hidesScaleName = false

            /// A style; the general usage unless another is given.
            public init(
                width: UnitWidth, locale: Locale = .autoupdatingCurrent,
                usage: MeasurementFormatUnitUsage<UnitType> = .general,
                numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
            ) {
                self.width = width
                self.locale = locale
                self.usage = usage
                self.numberFormatStyle = numberFormatStyle
            }

            /// The measurement's text.
            public func format(_ value: Measurement<UnitType>) -> String {
                MeasurementText(
                    width: width.style, purpose: (usage ?? .general).purpose,
                    numbers: numberFormatStyle, locale: locale, hidesScaleName: hidesScaleName
                ).text(value.value, value.unit)
            }

            /// The style in another locale.
            public func locale(_ locale: Locale) -> Self {
                var style = self
                style.locale = locale
                return style
            }
        }
    }

    extension FormatStyle {
        /// A style of measurements: `.measurement(width: .abbreviated, usage: .road)`.
        public static func measurement<UnitType: Dimension>(
            width: Measurement<UnitType>.FormatStyle.UnitWidth,
            usage: MeasurementFormatUnitUsage<UnitType> = .general,
            numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
        ) -> Self where Self == Measurement<UnitType>.FormatStyle {
            Self(width: width, usage: usage, numberFormatStyle: numberFormatStyle)
        }

        /// A style of temperatures, `37°` instead of `37°C` if it hides the scale's name.
        public static func measurement(
            width: Measurement<UnitTemperature>.FormatStyle.UnitWidth,
            usage: MeasurementFormatUnitUsage<UnitTemperature> = .general,
            hidesScaleName: Bool,
            numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
        ) -> Self where Self == Measurement<UnitTemperature>.FormatStyle {
            var style = Self(width: width, usage: usage, numberFormatStyle: numberFormatStyle)
            style.hidesScaleName = hidesScaleName
            return style
        }
    }

    /// How much of a unit's name is written, of whatever dimension.
    enum MeasurementTextWidth: String, Codable {
        case wide, abbreviated, narrow
    }

    /// A style's text of a value, of whatever dimension.
    struct MeasurementText {
        var width: MeasurementTextWidth
        var purpose: MeasurementPurpose
        var numbers: FloatingPointFormatStyle<Double>?
        var locale: Locale
        var hidesScaleName: Bool

        func text(_ value: Double, _ unit: Dimension) -> String {
            let units = purpose.units(value, unit, locale.measurementSystem)
            let amount = value.converted(from: unit, to: units[0])
            guard units.count == 2, amount.isFinite, abs(amount) >= 1 else {
                return text(amount, of: units.last ?? unit, from: units[0])
            }
            let size = 1.0.converted(from: units[0], to: units[1])
            var whole = abs(amount).rounded(.down)
            var rest = abs(amount) * size - whole * size
            // As it will be written, since a rest can round up to a whole.
            if numbers == nil { rest = rest < 9.95 ? (rest * 10).rounded() / 10 : rest.rounded() }
            if rest >= size - 1e-9 { (whole, rest) = (whole + 1, 0) }
            let signed = amount < 0 ? -whole : whole
            let parts = [text(signed, of: units[0]), text(rest, of: units[1])]
            return parts.joined(separator: width == .narrow ? " " : ", ")
        }

        private func text(_ amount: Double, of unit: Dimension, from other: Dimension) -> String {
            text(amount.converted(from: other, to: unit), of: unit)
        }

        private func text(_ amount: Double, of unit: Dimension) -> String {
            let number = amount.formatted((numbers ?? plain(amount)).locale(locale))
            if unit is UnitTemperature, hidesScaleName { return number + "°" }
            let words = MeasurementWords(unit)
            let isCal = purpose == .energy && locale.measurementSystem == .us
            return switch width {
            case .wide where isCal: number + (number == "1" ? " Calorie" : " Calories")
            case .abbreviated where isCal: number + " Cal"
            case .narrow where isCal: number + "Cal"
            case .wide: number + " " + (number == "1" ? words.one : words.many)
            case .abbreviated: number + words.short
            case .narrow: number + words.narrow
            }
        }

        /// No decimal places, but two significant digits at least.
        private func plain(_ amount: Double) -> FloatingPointFormatStyle<Double> {
            let style = FloatingPointFormatStyle<Double>()
            guard purpose != .asProvided, amount.isFinite else { return style }
            if abs(amount) < 1 { return style.precision(.significantDigits(1...2)) }
            return style.precision(.fractionLength(abs(amount) < 9.95 ? 0...1 : 0...0))
        }
    }
#endif
