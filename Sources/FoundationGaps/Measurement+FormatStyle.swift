#if !canImport(Darwin)
    public import Foundation

    extension Measurement where UnitType: Dimension {
        /// Formats the measurement for the current locale, abbreviated: `5 km`.
        ///
        /// - Returns: The text in a unit of the locale that is suitable for the size of the value.
        public func formatted() -> String { FormatStyle(width: .abbreviated).format(self) }

        /// Formats the measurement with a style:
        /// `height.formatted(.measurement(width: .wide, usage: .personHeight))`.
        ///
        /// - Parameter style: The style.
        /// - Returns: The output of the style.
        public func formatted<S: Foundation.FormatStyle>(_ style: S) -> S.FormatOutput
        where S.FormatInput == Measurement<UnitType> {
            style.format(self)
        }

        /// A format style for measurements, for Linux, where Foundation has none.
        ///
        /// Unit names are always American English. The locale determines digits and units (see
        /// ``MeasurementFormatter``). Without a number style, values below 10 have at most two
        /// significant digits and other values no decimal places: `3.1 mi`, `155 lb`. For the
        /// usage `asProvided`, the default is Foundation's number style without settings.
        public struct FormatStyle: Foundation.FormatStyle, Sendable {
            /// The length of unit names.
            public struct UnitWidth: Codable, Hashable, Sendable {
                let style: MeasurementTextWidth

                /// `5 kilometers`.
                public static var wide: Self { Self(style: .wide) }
                /// `5 km`.
                public static var abbreviated: Self { Self(style: .abbreviated) }
                /// `5km`.
                public static var narrow: Self { Self(style: .narrow) }
            }

            /// The length of unit names.
            public var width: UnitWidth
            /// The usage, which determines the unit; nil for the general usage.
            public var usage: MeasurementFormatUnitUsage<UnitType>?
            /// The style of the number; nil for the default described above.
            public var numberFormatStyle: FloatingPointFormatStyle<Double>?
            /// The locale that determines units and digits.
            public var locale: Locale
            /// Whether temperatures are written as `37°` instead of `37°C`.
            public var hidesScaleName = false

            /// Creates a style.
            ///
            /// - Parameters:
            ///   - width: The length of unit names.
            ///   - locale: The locale that determines units and digits.
            ///   - usage: The usage, which determines the unit.
            ///   - numberFormatStyle: The style of the number; nil for the default of this type.
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

            /// Formats a measurement.
            ///
            /// - Parameter value: The measurement.
            /// - Returns: The number and the unit: `5 km`.
            public func format(_ value: Measurement<UnitType>) -> String {
                MeasurementText(
                    width: width.style, purpose: (usage ?? .general).purpose,
                    numbers: numberFormatStyle, locale: locale, hidesScaleName: hidesScaleName
                ).text(value.value, value.unit)
            }

            /// Returns the style with another locale.
            ///
            /// - Parameter locale: The new locale.
            /// - Returns: A copy of the style.
            public func locale(_ locale: Locale) -> Self {
                var style = self
                style.locale = locale
                return style
            }
        }
    }

    extension FormatStyle {
        /// Returns a style for measurements: `.measurement(width: .abbreviated, usage: .road)`.
        ///
        /// - Parameters:
        ///   - width: The length of unit names.
        ///   - usage: The usage, which determines the unit.
        ///   - numberFormatStyle: The style of the number; nil for the default.
        /// - Returns: The style in the current locale.
        public static func measurement<UnitType: Dimension>(
            width: Measurement<UnitType>.FormatStyle.UnitWidth,
            usage: MeasurementFormatUnitUsage<UnitType> = .general,
            numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
        ) -> Self where Self == Measurement<UnitType>.FormatStyle {
            Self(width: width, usage: usage, numberFormatStyle: numberFormatStyle)
        }

        /// Returns a style for temperatures, which can leave out the scale.
        ///
        /// - Parameters:
        ///   - width: The length of unit names.
        ///   - usage: The usage, which determines the unit.
        ///   - hidesScaleName: Whether temperatures are written as `37°` instead of `37°C`.
        ///   - numberFormatStyle: The style of the number; nil for the default.
        /// - Returns: The style in the current locale.
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

    /// The length of unit names, as one type for all dimensions.
    enum MeasurementTextWidth: String, Codable {
        case wide, abbreviated, narrow
    }

    /// Formats values of any dimension.
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
            // The remainder is rounded as in the output, because it can round up to a whole first
            // unit: 5 ft 11.96 in is 6 ft 0 in.
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
            let words = UnitNames(unit)
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

        /// Returns the default number style: at most two significant digits for values that round
        /// to less than 10, no decimal places for others.
        private func plain(_ amount: Double) -> FloatingPointFormatStyle<Double> {
            let style = FloatingPointFormatStyle<Double>()
            guard purpose != .asProvided, amount.isFinite else { return style }
            if abs(amount) < 1 { return style.precision(.significantDigits(1...2)) }
            return style.precision(.fractionLength(abs(amount) < 9.95 ? 0...1 : 0...0))
        }
    }
#endif
