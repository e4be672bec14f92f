public import Foundation
import HealthEngine

/// A type of samples.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSampleType: HKObjectType, @unchecked Sendable {
    /// Whether samples of this type have a maximum duration.
    open var isMaximumDurationRestricted: Bool { maximumDuration != nil }

    /// The maximum duration of a sample, in seconds.
    ///
    /// Traps for a type without a maximum, where Apple raises an exception. Check
    /// ``isMaximumDurationRestricted`` first, or use ``maximumDuration``, which is nil in that
    /// case.
    open var maximumAllowedDuration: TimeInterval {
        guard let maximumDuration else {
            trap(HKError(.errorInvalidArgument, "Type \(identifier) has no maximum duration"))
        }
        return maximumDuration
    }

    /// Whether samples of this type have a minimum duration; always false.
    open var isMinimumDurationRestricted: Bool { minimumDuration != nil }

    /// The minimum duration of a sample, in seconds; always traps, because no type has a minimum.
    open var minimumAllowedDuration: TimeInterval {
        guard let minimumDuration else {
            trap(HKError(.errorInvalidArgument, "Type \(identifier) has no minimum duration"))
        }
        return minimumDuration
    }

    /// Whether Apple's system can recalibrate estimates of this type: walking steadiness and the
    /// distance of the six-minute walk test.
    open var allowsRecalibrationForEstimates: Bool {
        HKSampleType.recalibrated.contains(identifier)
    }

    /// The maximum duration of a sample in seconds; nil without a maximum. Not part of Apple's API.
    ///
    /// Apple publishes no table of maximums. The only published value is four days (345,600
    /// seconds), for clinical documents. It is used here for quantity types too. Other types have
    /// no maximum (Semantics §9.5).
    public var maximumDuration: TimeInterval? {
        self is HKQuantityType || self is HKDocumentType ? 345_600 : nil
    }

    /// The minimum duration of a sample in seconds; always nil, because no minimum is known. Not
    /// part of Apple's API.
    public var minimumDuration: TimeInterval? { nil }

    private static let recalibrated: Set<String> = [
        HKQuantityTypeIdentifier.sixMinuteWalkTestDistance.rawValue,
        HKQuantityTypeIdentifier.appleWalkingSteadiness.rawValue,
    ]
}

/// A type whose samples hold a value of an enumeration.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
    /// Creates a category type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKCategoryTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples contain other samples, such as the two readings of a blood pressure or the
/// nutrients of a meal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// Creates a correlation type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold a document.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// Creates a document type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold a clinical record.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// Creates a clinical type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold the answers to a questionnaire.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// Creates an assessment type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples contain a series of points in time.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// Returns the type of workout routes.
    ///
    /// - Returns: The type.
    open class func workoutRoute() -> Self { self.init(_identifier: HKWorkoutRouteTypeIdentifier) }

    /// Returns the type of heartbeat series.
    ///
    /// - Returns: The type.
    open class func heartbeat() -> Self {
        self.init(_identifier: HKDataTypeIdentifierHeartbeatSeries)
    }
}

/// The type of workouts.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The type of hearing tests.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}

/// The type of electrocardiograms.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}

/// The type of prescriptions for glasses and contact lenses. Read access is granted for each
/// prescription separately.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    /// Returns whether read access is granted for each object separately.
    ///
    /// - Returns: True.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The type of states of mind.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

/// The type of medication doses, taken or skipped.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}

/// A type whose samples hold a quantity.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// Creates a quantity type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKQuantityTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }

    /// How values are aggregated over time (Semantics §3.1); `discreteArithmetic` for a type that
    /// is not in the catalogue.
    open var aggregationStyle: HKQuantityAggregationStyle {
        switch row?.aggregation {
        case .cumulative: .cumulative
        case .discreteTemporallyWeighted: .discreteTemporallyWeighted
        case .discreteEquivalentContinuousLevel: .discreteEquivalentContinuousLevel
        case .discreteArithmetic, nil: .discreteArithmetic
        }
    }

    /// Returns whether values can be expressed in a unit: `stepCount` is compatible with `count`,
    /// not with `km`.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: Whether the unit suits the type; true for a type without a canonical unit in the
    ///   catalogue.
    open func `is`(compatibleWith unit: HKUnit) -> Bool {
        guard let canonicalUnit else { return true }
        return unit.value.isCompatible(with: canonicalUnit)
    }

    /// The canonical unit, in which predicates compare values of the type. Nil for a type without
    /// one in the catalogue.
    var canonicalUnit: HealthUnit? {
        row?.canonicalUnit.flatMap { UnitCache.unit($0)?.value }
    }
}
