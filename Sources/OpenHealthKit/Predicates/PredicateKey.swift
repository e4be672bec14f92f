import HealthEngine

/// What a key path of a predicate names, and what it may be compared with.
enum PredicateKey: Hashable {
    case date(SampleFilter.Attribute)
    case number(SampleFilter.Attribute)
    case text(SampleFilter.Attribute)
    case uuid
    /// Of the sample, in its type's unit.
    case quantity(SampleFilter.Measure)
    /// Of a workout, in a unit of this one's dimension.
    case workoutTotal(SampleFilter.WorkoutTotal, unit: String)
    case metadata(String)
    case source
    case revision
    case device
    case workout
    case correlation
    case day
}

extension PredicateKey {
    /// Where a predicate stands: on a sample, or on an activity of a workout.
    enum Scope { case sample, activity }

    /// The key of a path; nil for one that HealthKit doesn't have.
    init?(_ path: String, in scope: Scope) {
        let path = path.hasPrefix("SELF.") ? String(path.dropFirst(5)) : path
        if let key = Self.metadataKey(path) {
            self = .metadata(key)
            return
        }
        guard let key = (scope == .sample ? Self.ofSamples : Self.ofActivities)[path] else {
            return nil
        }
        self = key
    }

    /// Everything behind `metadata.` is the key, dots and all.
    private static func metadataKey(_ path: String) -> String? {
        let prefix = HKPredicateKeyPathMetadata + "."
        return path.hasPrefix(prefix) && path.count > prefix.count
            ? String(path.dropFirst(prefix.count)) : nil
    }

    /// Whether a path belongs to workouts' activities.
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

    /// Apple has no constants for these; the names are those of `HKStateOfMind`'s properties.
    private static let ofStatesOfMind: [String: PredicateKey] = [
        "valence": .number(.valence),
        "kind": .number(.stateOfMindKind),
        "labels": .number(.stateOfMindLabel),
        "associations": .number(.stateOfMindAssociation),
    ]
}

extension PredicateKey {
    /// The kind of types that have this attribute; nil where all have.
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
    /// The key path of a device's property, by its `HKDevicePropertyKey…` constant; of anything
    /// else a path that no store knows.
    static func path(ofDeviceProperty key: String) -> String {
        let property = SampleFilter.DeviceProperty(rawValue: key)
        return "\(HKPredicateKeyPathDevice).\(property.map { "\($0)" } ?? key)"
    }
}
