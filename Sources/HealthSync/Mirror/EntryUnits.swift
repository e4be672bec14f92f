import Foundation

/// The units in which values are stored, by type, or by key for quantities in metadata.
///
/// HealthKit's quantities don't have a public unit. The unit is the first compatible one of these:
/// the configured unit of the type, its default unit, and the candidates. For metadata, only the
/// candidates are used.
struct EntryUnits {
    private let configured: [String: HKUnit]
    private var found: [String: (unit: HKUnit, text: String)] = [:]

    init(_ configured: [HKQuantityTypeIdentifier: HKUnit]) {
        self.configured = Dictionary(
            configured.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Returns a quantity's value and the unit in which it is stored; nil if no unit is compatible.
    /// `type` is the identifier of the quantity's type, or its metadata key.
    mutating func number(_ quantity: HKQuantity, of type: String) -> (Double, String)? {
        if let known = found[type], quantity.is(compatibleWith: known.unit) {
            return (quantity.doubleValue(for: known.unit), known.text)
        }
        let candidates =
            [configured[type], Self.defaults[type]].compactMap { $0 } + Self.candidates
        guard let unit = candidates.first(where: { quantity.is(compatibleWith: $0) }) else {
            return nil
        }
        if found[type] == nil { found[type] = (unit, unit.unitString) }
        return (quantity.doubleValue(for: unit), unit.unitString)
    }

    /// At least one unit for each dimension that HealthKit measures, in the order in which they are
    /// tried.
    private static let candidates: [HKUnit] = {
        var units: [HKUnit] = [
            .count(), .count().unitDivided(by: .minute()), .meter(), .gram(), .kilocalorie(),
            .minute(), .meter().unitDivided(by: .second()), .milligramsPerDeciliter,
            .millimeterOfMercury(), .degreeCelsius(), .liter(), .watt(),
            .decibelAWeightedSoundPressureLevel(), .decibelHearingLevel(), .internationalUnit(),
            .siemen(), .lux(), .diopter(), .radianAngle(), .hertz(), .volt(), .pascal(),
            .oxygenUptake, .effort, .liter().unitDivided(by: .minute()),
            .moleUnit(withMolarMass: HKUnitMolarMassBloodGlucose),
        ]
        if #available(iOS 18, watchOS 11, visionOS 2, macOS 15, *) {
            units.append(.appleEffortScore())
        }
        return units
    }()

    /// The default units of types for which the first compatible candidate isn't the common unit.
    private static let defaults: [String: HKUnit] = {
        var defaults: [HKQuantityTypeIdentifier: HKUnit] = [
            .bodyMass: .gramUnit(with: .kilo), .leanBodyMass: .gramUnit(with: .kilo),
            .heartRateVariabilitySDNN: .secondUnit(with: .milli),
            .dietaryWater: .literUnit(with: .milli),
        ]
        for type: HKQuantityTypeIdentifier in [
            .bodyFatPercentage, .oxygenSaturation, .peripheralPerfusionIndex,
            .bloodAlcoholContent, .appleWalkingSteadiness, .walkingAsymmetryPercentage,
            .walkingDoubleSupportPercentage, .atrialFibrillationBurden,
        ] {
            defaults[type] = .percent()
        }
        return Dictionary(defaults.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 })
    }()
}

extension HKUnit {
    fileprivate static var milligramsPerDeciliter: HKUnit {
        .gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    }

    /// mL/(kg·min)
    fileprivate static var oxygenUptake: HKUnit {
        .literUnit(with: .milli)
            .unitDivided(by: .gramUnit(with: .kilo).unitMultiplied(by: .minute()))
    }

    /// kcal/(kg·hr)
    fileprivate static var effort: HKUnit {
        .kilocalorie().unitDivided(by: .gramUnit(with: .kilo).unitMultiplied(by: .hour()))
    }
}
