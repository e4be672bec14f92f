import Foundation
import HealthKit

public struct Quantity: Codable {
    public let identifier: String
    public let start: Double
    public let end: Double
    public let value: Double
    public let unit: String
    public let source: Source

    public struct Source: Codable {
        public let name: String
        public let bundleIdentifier: String
        public let productType: String?
    }

    init(sample: HKQuantitySample, unit: HKUnit) throws {
        guard sample.quantity.is(compatibleWith: unit) else {
            throw HealthKitError.invalidType("\(sample.quantityType) isn't compatible with \(unit)")
        }
        identifier = sample.quantityType.identifier
        start = sample.startDate.timeIntervalSince1970
        end = sample.endDate.timeIntervalSince1970
        value = sample.quantity.doubleValue(for: unit)
        self.unit = unit.unitString
        source = Source(
            name: sample.sourceRevision.source.name,
            bundleIdentifier: sample.sourceRevision.source.bundleIdentifier,
            productType: sample.sourceRevision.productType)
    }

    func asOriginal() throws -> HKQuantitySample {
        guard let type = HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
        else { throw HealthKitError.invalidIdentifier(identifier) }
        let hkUnit = HKUnit(from: unit)
        guard type.is(compatibleWith: hkUnit) else { throw HealthKitError.invalidType(unit) }
        return HKQuantitySample(
            type: type, quantity: HKQuantity(unit: hkUnit, doubleValue: value),
            start: Date(timeIntervalSince1970: start), end: Date(timeIntervalSince1970: end))
    }
}

public struct Statistic: Codable {
    public let sum: Double?
    public let average: Double?
    public let min: Double?
    public let max: Double?
    public let start: Double

    init(_ statistics: HKStatistics, unit: HKUnit) {
        sum = statistics.sumQuantity().value(in: unit)
        average = statistics.averageQuantity().value(in: unit)
        min = statistics.minimumQuantity().value(in: unit)
        max = statistics.maximumQuantity().value(in: unit)
        start = statistics.startDate.timeIntervalSince1970
    }
}
