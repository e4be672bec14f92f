import Foundation
import HealthKit

func objectTypeFromString(_ typeIdentifier: String) -> HKObjectType? {
    if typeIdentifier.hasPrefix("HKCharacteristicTypeIdentifier") {
        return HKObjectType.characteristicType(forIdentifier: HKCharacteristicTypeIdentifier(rawValue: typeIdentifier))
    }
    if typeIdentifier == "HKActivitySummaryTypeIdentifier" {
        return HKObjectType.activitySummaryType()
    }
    if typeIdentifier.starts(with: "HKDocumentTypeIdentifier") {
        return HKObjectType.documentType(forIdentifier: HKDocumentTypeIdentifier(rawValue: typeIdentifier))
    }
    return sampleTypeFromString(typeIdentifier)
}

func sampleTypeFromString(_ typeIdentifier: String) -> HKSampleType? {
    if typeIdentifier.starts(with: "HKQuantityTypeIdentifier") {
        return HKSampleType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: typeIdentifier))
    }
    if typeIdentifier.starts(with: "HKCategoryTypeIdentifier") {
        return HKSampleType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: typeIdentifier))
    }
    if typeIdentifier.starts(with: "HKCorrelationTypeIdentifier") {
        return HKSampleType.correlationType(forIdentifier: HKCorrelationTypeIdentifier(rawValue: typeIdentifier))! // finds forced-type
    }
    switch typeIdentifier {
    case "HKWorkoutTypeIdentifier": return HKSampleType.workoutType()
    case "HKWorkoutRouteTypeIdentifier": return HKSeriesType.workoutRoute()
    case "HKDataTypeIdentifierHeartbeatSeries": return HKSeriesType.heartbeat()
    case "HKElectrocardiogramType": return HKObjectType.electrocardiogramType()
    case "HKAudiogramSampleType": return HKObjectType.audiogramSampleType()
    default: return nil
    }
}

func sampleTypesFromDictionary(_ dictionary: NSDictionary) -> Set<HKSampleType> {
    var share = Set<HKSampleType>()
    for item in dictionary {
        if item.value as? Bool == true, let key = item.key as? String, let type = sampleTypeFromString(key) {
            share.insert(type)  // finds disallowed-type
        }
    }
    return share
}

func objectTypesFromDictionary(_ dictionary: NSDictionary) -> Set<HKObjectType> {
    var read = Set<HKObjectType>()
    for item in dictionary {
        if item.value as? Bool == true, let key = item.key as? String, let type = objectTypeFromString(key) {
            read.insert(type)
        }
    }
    return read
}

func createPredicate(from: Date?, to: Date?) -> NSPredicate? {
    if from != nil || to != nil {
        return HKQuery.predicateForSamples(withStart: from, end: to, options: [.strictEndDate, .strictStartDate])
    }
    return nil
}
