import HealthEngine

/// The attribute that a key path names.
enum PredicateKey: Hashable {
    case date(SampleFilter.Attribute)
    case number(SampleFilter.Attribute)
    case text(SampleFilter.Attribute)
    case uuid
    /// The sample's quantity, or the minimum, maximum or most recent quantity of its series;
    /// compared in the canonical unit of the type.
    case quantity(SampleFilter.Measure)
    /// A total of a workout, compared in `unit`.
    case workoutTotal(SampleFilter.WorkoutTotal, unit: String)
    /// The average heart rate of an electrocardiogram, compared in counts per minute.
    case averageHeartRate
    case metadata(String)
    case source
    case revision
    case device
    case workout
    case correlation
    case day
}

extension PredicateKey {
    /// Whether a predicate applies to a sample or to an activity of a workout.
    enum Scope { case sample, activity }

    /// Creates the key for a path; nil for a path that is unknown in the scope. A leading `SELF.`
    /// is ignored.
    init?(_ path: String, in scope: Scope) {
        var path = path.hasPrefix("SELF.") ? String(path.dropFirst(5)) : path
        let device = HKPredicateKeyPathDevice + "."
        if path.hasPrefix(device) {
            path = Self.path(ofDeviceProperty: String(path.dropFirst(device.count)))
        }
        if let key = Self.metadataKey(path) {
            self = .metadata(key)
            return
        }
        guard let key = (scope == .sample ? Self.ofSamples : Self.ofActivities)[path] else {
            return nil
        }
        self = key
    }

    /// Returns the part after `metadata.`, which can contain dots; nil if that part is empty and
    /// for other paths.
    private static func metadataKey(_ path: String) -> String? {
        let prefix = HKPredicateKeyPathMetadata + "."
        return path.hasPrefix(prefix) && path.count > prefix.count
            ? String(path.dropFirst(prefix.count)) : nil
    }

    /// Whether a path names an attribute of workout activities other than metadata.
    static func isOfActivities(_ path: String) -> Bool { ofActivities[path] != nil }

    private static let ofActivities: [String: PredicateKey] = [
        HKPredicateKeyPathWorkoutActivityType: .number(.workoutActivityType),
        HKPredicateKeyPathWorkoutActivityDuration: .number(.workoutDuration),
        HKPredicateKeyPathWorkoutActivityStartDate: .date(.start),
        HKPredicateKeyPathWorkoutActivityEndDate: .date(.end),
    ]

    private static let ofSamples: [String: PredicateKey] =
        ofAllSamples
        .merging(ofQuantities) { first, _ in first }
        .merging(ofWorkouts) { first, _ in first }
        .merging(ofSources) { first, _ in first }
        .merging(ofStatesOfMind) { first, _ in first }
        .merging(ofElectrocardiograms) { first, _ in first }
        .merging(ofClinicalSamples) { first, _ in first }
        .merging(ofMedications) { first, _ in first }

    private static let ofAllSamples: [String: PredicateKey] = [
        HKPredicateKeyPathUUID: .uuid,
        HKPredicateKeyPathStartDate: .date(.start),
        HKPredicateKeyPathEndDate: .date(.end),
        HKPredicateKeyPathCategoryValue: .number(.categoryValue),
        HKPredicateKeyPathCorrelation: .correlation,
        HKPredicateKeyPathWorkout: .workout,
        HKPredicateKeyPathDateComponents: .day,
    ]

    private static let ofQuantities: [String: PredicateKey] = [
        HKPredicateKeyPathQuantity: .quantity(.value),
        HKPredicateKeyPathMin: .quantity(.minimum),
        HKPredicateKeyPathMax: .quantity(.maximum),
        HKPredicateKeyPathMostRecent: .quantity(.mostRecent),
        HKPredicateKeyPathCount: .number(.quantityCount),
    ]

    private static let ofWorkouts: [String: PredicateKey] = [
        HKPredicateKeyPathWorkoutType: .number(.workoutActivityType),
        HKPredicateKeyPathWorkoutDuration: .number(.workoutDuration),
        HKPredicateKeyPathWorkoutTotalEnergyBurned: .workoutTotal(.energyBurned, unit: "kcal"),
        HKPredicateKeyPathWorkoutTotalDistance: .workoutTotal(.distance, unit: "m"),
        HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount:
            .workoutTotal(.swimmingStrokeCount, unit: "count"),
        HKPredicateKeyPathWorkoutTotalFlightsClimbed:
            .workoutTotal(.flightsClimbed, unit: "count"),
    ]

    private static let ofSources: [String: PredicateKey] = [
        HKPredicateKeyPathSource: .source,
        HKPredicateKeyPathSourceRevision: .revision,
        HKPredicateKeyPathDevice: .device,
        "source.name": .text(.sourceName),
        "source.bundleIdentifier": .text(.source),
        "sourceRevision.source": .source,
        "sourceRevision.source.name": .text(.sourceName),
        "sourceRevision.source.bundleIdentifier": .text(.source),
        "sourceRevision.version": .text(.sourceVersion),
        "sourceRevision.productType": .text(.productType),
        "device.name": .text(.device(.name)),
        "device.manufacturer": .text(.device(.manufacturer)),
        "device.model": .text(.device(.model)),
        "device.hardwareVersion": .text(.device(.hardwareVersion)),
        "device.firmwareVersion": .text(.device(.firmwareVersion)),
        "device.softwareVersion": .text(.device(.softwareVersion)),
        "device.localIdentifier": .text(.device(.localIdentifier)),
        "device.udiDeviceIdentifier": .text(.device(.udiDeviceIdentifier)),
    ]

    private static let ofElectrocardiograms: [String: PredicateKey] = [
        HKPredicateKeyPathECGClassification: .number(.electrocardiogramClassification),
        HKPredicateKeyPathECGSymptomsStatus: .number(.electrocardiogramSymptomsStatus),
        HKPredicateKeyPathAverageHeartRate: .averageHeartRate,
    ]

    /// Apple has no constant for the relevant date; it is the property's name.
    private static let ofClinicalSamples: [String: PredicateKey] = [
        HKPredicateKeyPathClinicalRecordFHIRResourceType: .text(.clinical(.resourceType)),
        HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier:
            .text(.clinical(.resourceIdentifier)),
        HKPredicateKeyPathCDATitle: .text(.clinical(.title)),
        HKPredicateKeyPathCDAPatientName: .text(.clinical(.patientName)),
        HKPredicateKeyPathCDAAuthorName: .text(.clinical(.authorName)),
        HKPredicateKeyPathCDACustodianName: .text(.clinical(.custodianName)),
        PredicateKey.relevantDatePath: .date(.clinical(.relevantDate)),
    ]

    /// The path of a signed record's date.
    static let relevantDatePath = "relevantDate"

    private static let ofMedications: [String: PredicateKey] = [
        HKPredicateKeyPathStatus: .number(.doseStatus),
        HKPredicateKeyPathScheduledDate: .date(.doseScheduled),
        HKPredicateKeyPathMedicationConceptIdentifier: .text(.doseMedication),
        HKUserAnnotatedMedicationPredicateKeyPathIsArchived: .number(.medicationIsArchived),
        HKUserAnnotatedMedicationPredicateKeyPathHasSchedule: .number(.medicationHasSchedule),
    ]

    /// Apple has no constants for these paths; they are the property names of `HKStateOfMind`.
    private static let ofStatesOfMind: [String: PredicateKey] = [
        "valence": .number(.valence),
        "kind": .number(.stateOfMindKind),
        "labels": .number(.stateOfMindLabel),
        "associations": .number(.stateOfMindAssociation),
    ]
}

extension PredicateKey {
    /// The only kind of types that have this attribute; nil if the kind is not restricted.
    /// Attributes of states of mind, electrocardiograms and medications have no kind of their own:
    /// ``PredicateTranslation`` checks them by identifier.
    var requiredKind: SampleType.Kind? {
        switch self {
        case .quantity, .number(.quantityCount): .quantity
        case .number(.categoryValue): .category
        case .number(.workoutActivityType), .number(.workoutDuration), .workoutTotal: .workout
        case .day: .activitySummary
        default: nil
        }
    }
}

extension PredicateKey {
    /// Returns the key path for an `HKDevicePropertyKey…` constant. For other strings it returns an
    /// unknown path, which queries reject.
    static func path(ofDeviceProperty key: String) -> String {
        let property = SampleFilter.DeviceProperty(rawValue: key)
        return "\(HKPredicateKeyPathDevice).\(property.map { "\($0)" } ?? key)"
    }
}

extension PredicateKey {
    /// Whether samples of a type can have the attribute, as far as it is one of clinical records,
    /// documents or signed records.
    func isPossible(in type: HKObjectType) -> Bool {
        switch self {
        case .text(.clinical(.resourceType)), .text(.clinical(.resourceIdentifier)):
            type is HKClinicalType
        case .text(.clinical): type is HKDocumentType
        case .date(.clinical): type.identifier == VerifiableClinicalRecord.typeIdentifier
        default: true
        }
    }
}
