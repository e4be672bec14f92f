import HealthEngine
import HealthStorage

/// The codes and the unit of a type's Observations.
struct FHIRTypeCode: Sendable {
    /// Apple's Swift name of the type.
    let name: String
    /// The code with LOINC where there is one.
    let code: JSONText
    /// The code with HealthKit's identifier only, for values that don't fit the LOINC code.
    let ownCode: JSONText
    let hasLOINC: Bool
    let category: String?
    let profile: String?
    /// The unit into which values are converted; nil for a type that the catalogue doesn't have.
    let unit: FHIRUnit?
    let quantityUnit: FHIRQuantityUnit

    init(_ type: SampleType) {
        name = type.name
        let row = FHIRCode.code(of: type.identifier)
        let text = FHIRText.string(FHIRText.words(type.name)) ?? "Unknown"
        let own = (FHIRSystem.type, FHIRText.code(type.identifier))
        let loinc = (row?.loinc ?? []).map { (FHIRSystem.loinc, $0) }
        code = .concept(loinc + [own], text)
        ownCode = .concept([own], text)
        hasLOINC = !loinc.isEmpty
        let isActivity = type.domain == .activity || type.domain == .sleep
        category = row?.category ?? (isActivity ? "activity" : nil)
        profile = row?.profile
        unit = type.displayUnit.map { FHIRUnit.unit($0) }
        let known = unit.map { FHIRQuantityUnit($0) }
        quantityUnit =
            row?.ucum.map { FHIRQuantityUnit(text: $0, ucum: $0) }
            ?? known ?? FHIRQuantityUnit(text: nil, ucum: nil)
    }

    /// Returns a value of the type's unit as a Quantity.
    func value(_ value: Double) -> FHIRValue {
        guard value.isFinite else { return .absent(value.isNaN ? .unknown : .notANumber) }
        let scale = unit?.scale ?? 1
        return .quantity(
            scale == 1 ? value : FHIRText.settled(value * Double(scale)), quantityUnit)
    }
}
