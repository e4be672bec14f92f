import HealthEngine
import Synchronization

extension HKSampleType {
    /// Returns the shared instance of the type with an identifier.
    ///
    /// For an identifier that is not in the catalogue, the prefix determines the class, such as
    /// quantity or category. Without a known prefix it is a plain `HKSampleType`, so that imported
    /// samples of unknown types can be returned too.
    static func of(identifier: String) -> HKSampleType {
        if let known = KnownTypes.byIdentifier[identifier] { return known }
        return KnownTypes.unknown.withLock { types in
            if let known = types[identifier] { return known }
            let type = makeInstance(identifier)
            types[identifier] = type
            return type
        }
    }

    /// Returns the type of a row of the catalogue.
    static func of(_ row: SampleType) -> HKSampleType { of(identifier: row.identifier) }

    fileprivate static func makeInstance(_ identifier: String) -> HKSampleType {
        let row = Catalogue.type(identifier: identifier)
        return switch row?.kind {
        case .quantity: HKQuantityType(_identifier: identifier)
        case .category: HKCategoryType(_identifier: identifier)
        case .correlation: HKCorrelationType(_identifier: identifier)
        case .workout: HKWorkoutType(_identifier: identifier)
        case .activitySummary, .other, nil: family(of: identifier).init(_identifier: identifier)
        }
    }

    private static func family(of identifier: String) -> HKSampleType.Type {
        switch identifier {
        case HKWorkoutRouteTypeIdentifier, HKDataTypeIdentifierHeartbeatSeries:
            return HKSeriesType.self
        case HKDocumentTypeIdentifier.CDA.rawValue: return HKDocumentType.self
        case "HKDataTypeIdentifierAudiogram": return HKAudiogramSampleType.self
        case "HKDataTypeIdentifierElectrocardiogram": return HKElectrocardiogramType.self
        case HKVisionPrescriptionTypeIdentifier: return HKPrescriptionType.self
        case HKDataTypeIdentifierStateOfMind: return HKStateOfMindType.self
        case HKMedicationDoseEventTypeIdentifierMedicationDoseEvent:
            return HKMedicationDoseEventType.self
        default:
            let families: [(String, HKSampleType.Type)] = [
                ("HKScoredAssessmentTypeIdentifier", HKScoredAssessmentType.self),
                ("HKClinicalTypeIdentifier", HKClinicalType.self),
                ("HKQuantityTypeIdentifier", HKQuantityType.self),
                ("HKCategoryTypeIdentifier", HKCategoryType.self),
                ("HKCorrelationTypeIdentifier", HKCorrelationType.self),
            ]
            return families.first { identifier.hasPrefix($0.0) }?.1 ?? HKSampleType.self
        }
    }
}

/// The shared instances of the types, one for each identifier.
private enum KnownTypes {
    static let byIdentifier = Dictionary(
        Catalogue.types.map { ($0.identifier, HKSampleType.makeInstance($0.identifier)) },
        uniquingKeysWith: { first, _ in first })

    /// The types whose identifiers are not in the catalogue, created on first use.
    static let unknown = Mutex<[String: HKSampleType]>([:])
}
