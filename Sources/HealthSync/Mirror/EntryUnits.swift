import Foundation

/// The unit that values of each type are kept in.
///
/// HealthKit's quantities don't tell the unit they were saved in, so that one is chosen: the app's own
/// choice, else the usual one of the type, else the first that suits the quantity.
struct EntryUnits {
    private let chosen: [String: HKUnit]
    private var found: [String: (unit: HKUnit, text: String)] = [:]

    init(_ chosen: [HKQuantityTypeIdentifier: HKUnit]) {
        self.chosen = Dictionary(
            chosen.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The number and the unit that a quantity of a type is kept as; nil if no unit suits it.
    mutating func number(_ quantity: HKQuantity, of type: String) -> (Double, String)? {
        if let known = found[type], quantity.is(compatibleWith: known.unit) {
            return (quantity.doubleValue(for: known.unit), known.text)
        }
        let candidates = [chosen[type], Self.usual[type]].compactMap { $0 } + Self.candidates
        guard let unit = candidates.first(where: { quantity.is(compatibleWith: $0) }) else {
            return nil
        }
        if found[type] == nil { found[type] = (unit, unit.unitString) }
        return (quantity.doubleValue(for: unit), unit.unitString)
    }

    /// One unit of each kind of thing that HealthKit measures, the likeliest first.
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

    /// Where the first that suits isn't what people read.
    private static let usual: [String: HKUnit] = {
        var usual: [HKQuantityTypeIdentifier: HKUnit] = [
            .bodyMass: .gramUnit(with: .kilo), .leanBodyMass: .gramUnit(with: .kilo),
            .heartRateVariabilitySDNN: .secondUnit(with: .milli),
            .dietaryWater: .literUnit(with: .milli),
        ]
        for type: HKQuantityTypeIdentifier in [
            .bodyFatPercentage, .oxygenSaturation, .peripheralPerfusionIndex,
            .bloodAlcoholContent, .appleWalkingSteadiness, .walkingAsymmetryPercentage,
            .walkingDoubleSupportPercentage, .atrialFibrillationBurden,
        ] {
            usual[type] = .percent()
        }
        return Dictionary(usual.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 })
    }()
}

extension HKUnit {
    fileprivate static var milligramsPerDeciliter: HKUnit {
        .gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    }

    /// Millilitres a minute and kilogram.
    fileprivate static var oxygenUptake: HKUnit {
        .literUnit(with: .milli)
            .unitDivided(by: .gramUnit(with: .kilo).unitMultiplied(by: .minute()))
    }

    /// Kilocalories an hour and kilogram.
    fileprivate static var effort: HKUnit {
        .kilocalorie().unitDivided(by: .gramUnit(with: .kilo).unitMultiplied(by: .hour()))
    }
}
