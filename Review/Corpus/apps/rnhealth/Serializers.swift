import Foundation
import HealthKit

func serializeAnchor(_ anchor: HKQueryAnchor?) -> String? {
    guard let anchor = anchor,
        let data = try? NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
    else { return nil }
    return data.base64EncodedString()
}

func deserializeAnchor(_ string: String) -> HKQueryAnchor? {
    guard !string.isEmpty, let data = Data(base64Encoded: string) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
}

func serializeQuantitySample(sample: HKQuantitySample, unit: HKUnit) -> [String: Any] {
    return [
        "uuid": sample.uuid.uuidString,
        "quantityType": sample.quantityType.identifier,
        "startDate": ISO8601DateFormatter().string(from: sample.startDate),
        "endDate": ISO8601DateFormatter().string(from: sample.endDate),
        "quantity": sample.quantity.doubleValue(for: unit),
        "unit": unit.unitString,
        "metadata": serializeMetadata(metadata: sample.metadata),
        "sourceName": sample.sourceRevision.source.name,
        "sourceId": sample.sourceRevision.source.bundleIdentifier,
        "isWatch": sample.sourceRevision.productType?.hasPrefix("Watch") ?? false,
    ]
}

func serializeCategorySample(sample: HKCategorySample) -> [String: Any] {
    return [
        "uuid": sample.uuid.uuidString,
        "categoryType": sample.categoryType.identifier,
        "value": sample.value,
        "startDate": ISO8601DateFormatter().string(from: sample.startDate),
        "endDate": ISO8601DateFormatter().string(from: sample.endDate),
        "metadata": serializeMetadata(metadata: sample.metadata),
    ]
}

func serializeUnknown(_ sample: HKSample) -> [String: Any] {
    if let category = sample as? HKCategorySample {
        return serializeCategorySample(sample: category)
    }
    if let quantity = sample as? HKQuantitySample {
        return serializeQuantitySample(sample: quantity, unit: defaultUnit(for: quantity.quantityType))
    }
    return ["uuid": sample.uuid.uuidString]
}

func serializeMetadata(metadata: [String: Any]?) -> [String: Any] {
    var serialized: [String: Any] = [:]
    for (key, value) in metadata ?? [:] {
        if let quantity = value as? HKQuantity {
            if let unit = metadataUnit(of: quantity) {
                serialized[key] = quantity.doubleValue(for: unit)
            }
        } else if let date = value as? Date {
            serialized[key] = ISO8601DateFormatter().string(from: date)
        } else {
            serialized[key] = value
        }
    }
    return serialized
}

func metadataUnit(of quantity: HKQuantity) -> HKUnit? {
    let candidates: [HKUnit] = [.percent(), .count(), .meter(), .kilocalorie(), .second(), .degreeCelsius(),
                                HKUnit(from: "m/s"), HKUnit(from: "kcal/(kg*hr)")]
    return candidates.first { quantity.is(compatibleWith: $0) }
}

func defaultUnit(for type: HKQuantityType) -> HKUnit {
    switch type.identifier {
    case HKQuantityTypeIdentifier.stepCount.rawValue, HKQuantityTypeIdentifier.flightsClimbed.rawValue,
        HKQuantityTypeIdentifier.bodyMassIndex.rawValue:
        return .count()
    case HKQuantityTypeIdentifier.heartRate.rawValue, HKQuantityTypeIdentifier.restingHeartRate.rawValue,
        HKQuantityTypeIdentifier.respiratoryRate.rawValue:
        return HKUnit(from: "count/min")
    case HKQuantityTypeIdentifier.bodyMass.rawValue: return HKUnit(from: "kg")
    case HKQuantityTypeIdentifier.height.rawValue: return HKUnit(from: "cm")
    case HKQuantityTypeIdentifier.bloodGlucose.rawValue: return HKUnit(from: "mg/dL")
    case HKQuantityTypeIdentifier.vo2Max.rawValue: return HKUnit(from: "ml/kg*min")
    case HKQuantityTypeIdentifier.oxygenSaturation.rawValue, HKQuantityTypeIdentifier.bodyFatPercentage.rawValue:
        return HKUnit(from: "%")
    case HKQuantityTypeIdentifier.bodyTemperature.rawValue: return HKUnit(from: "degC")
    case HKQuantityTypeIdentifier.activeEnergyBurned.rawValue: return HKUnit(from: "kcal")
    case HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue: return HKUnit(from: "m")
    case HKQuantityTypeIdentifier.dietaryWater.rawValue: return HKUnit(from: "liter") // finds unit-string
    case HKQuantityTypeIdentifier.bloodPressureSystolic.rawValue: return HKUnit(from: "mmHg")
    default: return .count()
    }
}
