// What is uploaded of a sample.
import Foundation
import HealthKit

struct Reading: Codable, Identifiable, Equatable {
    enum Kind: String, Codable { case glucose, insulin, carbohydrates }

    let id: UUID
    let kind: Kind
    let value: Double
    let start: Date
    let end: Date
    let source: String

    static let millimolesPerLiter = HKUnit.moleUnit(
        with: .milli, molarMass: HKUnitMolarMassBloodGlucose
    ).unitDivided(by: .liter())

    init?(_ sample: HKQuantitySample) {
        switch sample.quantityType {
        case HKQuantityType(.bloodGlucose):
            kind = .glucose
            value = sample.quantity.doubleValue(for: Self.millimolesPerLiter)
        case HKQuantityType(.insulinDelivery):
            kind = .insulin
            value = sample.quantity.doubleValue(for: .internationalUnit())
        case HKQuantityType(.dietaryCarbohydrates):
            kind = .carbohydrates
            value = sample.quantity.doubleValue(for: .gram())
        default:
            return nil
        }
        id = sample.uuid
        start = sample.startDate
        end = sample.endDate
        source = sample.sourceRevision.source.bundleIdentifier
    }
}

extension Sequence where Element == Reading {
    func between(_ low: Double, and high: Double) -> Double {
        let glucose = filter { $0.kind == .glucose }
        guard !glucose.isEmpty else { return 0 }
        let inRange = glucose.filter { (low...high).contains($0.value) }
        return Double(inRange.count) / Double(glucose.count)
    }
}
