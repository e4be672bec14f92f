// Types from names, predicates from milliseconds, dictionaries from samples.
import Foundation
import HealthKit

func sampleType(named name: String) -> HKSampleType? {
    objectType(named: name) as? HKSampleType
}

func objectType(named name: String) -> HKObjectType? {
    if name == "HKWorkoutTypeIdentifier" {
        return HKObjectType.workoutType()
    }
    if name.hasPrefix("HKQuantityTypeIdentifier") {
        return HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
    }
    if name.hasPrefix("HKCategoryTypeIdentifier") {
        return HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: name))
    }
    if name.hasPrefix("HKCharacteristicTypeIdentifier") {
        return HKObjectType.characteristicType(
            forIdentifier: HKCharacteristicTypeIdentifier(rawValue: name))
    }
    return nil
}

func predicate(from: Double, to: Double) -> NSPredicate? {
    guard from > 0 || to > 0 else { return nil }
    return HKQuery.predicateForSamples(
        withStart: from > 0 ? Date(timeIntervalSince1970: from / 1000) : nil,
        end: to > 0 ? Date(timeIntervalSince1970: to / 1000) : nil)
}

let isoFormatter: ISO8601DateFormatter = {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter
}()

func serialize(_ sample: HKQuantitySample, unit: HKUnit) -> [String: Any] {
    [
        "uuid": sample.uuid.uuidString,
        "value": sample.quantity.doubleValue(for: unit),
        "start": isoFormatter.string(from: sample.startDate),
        "end": isoFormatter.string(from: sample.endDate),
        "source": [
            "name": sample.sourceRevision.source.name,
            "bundleIdentifier": sample.sourceRevision.source.bundleIdentifier,
        ],
        "device": sample.device?.model as Any,
    ]
}
