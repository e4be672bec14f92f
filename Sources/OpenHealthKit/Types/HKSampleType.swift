public import Foundation
import HealthEngine

/// What samples record.
// Immutable.
open class HKSampleType: HKObjectType, @unchecked Sendable {
    /// Whether a sample of this type may last only so long.
    open var isMaximumDurationRestricted: Bool { maximumDuration != nil }

    /// The longest a sample may last, in seconds.
    ///
    /// Traps for a type without such a limit, where Apple raises an exception; ask
    /// ``isMaximumDurationRestricted`` first, or ``maximumDuration``, which is nil then.
    open var maximumAllowedDuration: TimeInterval {
        guard let maximumDuration else {
            refuse(HKError(.errorInvalidArgument, "Type \(identifier) has no maximum duration"))
        }
        return maximumDuration
    }

    /// Whether a sample of this type must last so long at least.
    open var isMinimumDurationRestricted: Bool { minimumDuration != nil }

    /// The shortest a sample may last, in seconds; traps like ``maximumAllowedDuration``.
    open var minimumAllowedDuration: TimeInterval {
        guard let minimumDuration else {
            refuse(HKError(.errorInvalidArgument, "Type \(identifier) has no minimum duration"))
        }
        return minimumDuration
    }

    /// Whether the system recalibrates estimates of this type.
    open var allowsRecalibrationForEstimates: Bool {
        HKSampleType.recalibrated.contains(identifier)
    }

    /// The longest a sample may last, nil without limit; not Apple's.
    ///
    /// No table is public: four days are known for documents and taken for quantities
    /// (Semantics §9.5).
    public var maximumDuration: TimeInterval? {
        self is HKQuantityType || self is HKDocumentType ? 345_600 : nil
    }

    /// The shortest a sample may last, nil without limit; not Apple's. No limit is known.
    public var minimumDuration: TimeInterval? { nil }

    private static let recalibrated: Set<String> = [
        HKQuantityTypeIdentifier.sixMinuteWalkTestDistance.rawValue,
        HKQuantityTypeIdentifier.appleWalkingSteadiness.rawValue,
    ]
}

/// A type whose samples hold a value of an enumeration.
// Immutable.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
    /// A category type by its identifier.
    public convenience init(_ identifier: HKCategoryTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold other samples: a blood pressure's two readings, a meal's nutrients.
// Immutable.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// A correlation type by its identifier.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold a document.
// Immutable.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// A document type by its identifier.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold a clinical record.
// Immutable.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// A clinical type by its identifier.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold the answers to a questionnaire.
// Immutable.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// An assessment's type by its identifier.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// A type whose samples hold many points over time.
// Immutable.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// The paths of workouts.
    open class func workoutRoute() -> Self { self.init(_identifier: HKWorkoutRouteTypeIdentifier) }

    /// Beats of the heart, one by one.
    open class func heartbeat() -> Self {
        self.init(_identifier: HKDataTypeIdentifierHeartbeatSeries)
    }
}

/// The type of workouts.
// Immutable.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The type of hearing tests.
// Immutable.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}

/// The type of electrocardiograms.
// Immutable.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}

/// The type of prescriptions for glasses and contacts, granted one by one.
// Immutable.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    open override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The type of states of mind.
// Immutable.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

/// The type of doses taken or skipped.
// Immutable.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}
