/// A condition on samples, as a value. Predicates of HealthKit queries are converted to filters.
///
/// ```
/// let morning: SampleFilter = .and([
///     .test(.end, .compare(.atLeast, .date(0))),
///     .test(.start, .compare(.less, .date(3600))),
/// ])
/// ```
///
/// A `SampleRequest` of `HealthStorage` contains a filter. The store searches an index for the
/// times, UUIDs, sources and containers that the filter requires, and tests the remainder for each
/// sample. Predicates test objects in memory with the same function, so that both give the same
/// result.
///
/// Every test is true or false. If an attribute is missing, `== nil` is true, and so is `!=` with a
/// constant other than nil. All other tests are false. `not` negates that result (Semantics §2.9).
public indirect enum SampleFilter: Hashable, Sendable {
    /// Matches every sample.
    case everything
    /// Matches no sample.
    case nothing
    /// Matches if all filters match. An empty list matches every sample.
    case and([SampleFilter])
    /// Matches if any filter matches. An empty list matches no sample.
    case or([SampleFilter])
    /// Matches if the filter does not match.
    case not(SampleFilter)
    /// Matches if the value of an attribute satisfies a relation.
    case test(Attribute, Relation)
    /// Matches members of a correlation, or samples associated with a workout.
    case memberOf(SampleUUID)
    /// Matches samples that are not a member of any correlation.
    case hasNoCorrelation
    /// Matches workouts with at least one matching activity. For a workout without activities, the
    /// inner filter tests the workout.
    ///
    /// In the inner filter, `start`, `end`, `uuid`, `metadata` and the attributes of workouts are
    /// those of the activity. `type` is that of the workout. Other attributes are missing.
    case workoutActivity(SampleFilter)
}

extension SampleFilter {
    /// A property of a sample that a filter can test.
    public enum Attribute: Hashable, Sendable {
        /// The start of the sample. It is compared with a ``Value/date(_:)``.
        case start
        /// The end of the sample. It is compared with a ``Value/date(_:)``.
        case end
        /// The UUID of the sample. It is compared with a ``Value/uuid(_:)``.
        case uuid
        /// The identifier of the type.
        case type
        /// A quantity. For a series, the measure selects the minimum, maximum or latest of its
        /// values, or the quantity of the whole series.
        case quantity(Measure)
        /// The number of values of a quantity series; 1 for other quantity samples.
        case quantityCount
        /// The raw value of a category sample.
        case categoryValue
        /// The bundle identifier of the source.
        case source
        /// The name of the source.
        case sourceName
        /// The version of the source.
        case sourceVersion
        /// The hardware that the source ran on.
        case productType
        /// The version of the operating system that the source ran on. It is compared with a
        /// ``Value/version(_:)``.
        case operatingSystem
        /// A property of the device.
        case device(DeviceProperty)
        /// The metadata value for a key, of any kind.
        case metadata(String)
        /// The raw value of a workout's activity type.
        case workoutActivityType
        /// The duration of a workout without pauses, in seconds.
        case workoutDuration
        /// A total of a workout. It is compared with a ``Value/quantity(_:unit:)``.
        case workoutTotal(WorkoutTotal)
        /// A workout's statistics for a type, given by its identifier.
        case workoutStatistic(type: String, Measure)
        /// An activity summary's day as text, "2024-03-10".
        case day
        /// The valence of a state of mind.
        case valence
        /// The raw value of a state of mind's kind.
        case stateOfMindKind
        /// The labels of a state of mind. A test is true if it is true for at least one label; `!=`
        /// is true if no label is equal.
        case stateOfMindLabel
        /// The associations of a state of mind, tested like the labels.
        case stateOfMindAssociation
        /// The raw value of an electrocardiogram's classification.
        case electrocardiogramClassification
        /// The raw value of an electrocardiogram's symptoms status.
        case electrocardiogramSymptomsStatus
        /// The average heart rate of an electrocardiogram. It is compared with a
        /// ``Value/quantity(_:unit:)``.
        case electrocardiogramHeartRate
        /// A property of a clinical record, clinical document or signed record.
        case clinical(ClinicalAttribute)
        /// The raw value of a medication dose's status.
        case doseStatus
        /// The identifier of a medication dose's medication.
        case doseMedication
        /// The time that a medication dose was scheduled for. It is compared with a
        /// ``Value/date(_:)``.
        case doseScheduled
        /// Whether a medication is archived, as 0 or 1.
        case medicationIsArchived
        /// Whether a medication has a schedule, as 0 or 1.
        case medicationHasSchedule
    }

    /// Which value of a quantity, of a series or of a workout's statistics is tested.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// The sample's own quantity. For a workout's statistics, the sum.
        case value
        /// A value computed over a series or over a workout's statistics. `sum` and `average` of a
        /// sample are its own quantity.
        case sum, average, minimum, maximum, mostRecent
    }

    /// The totals that `HKWorkout` has as properties.
    public enum WorkoutTotal: String, Hashable, Sendable, CaseIterable {
        case energyBurned, distance, swimmingStrokeCount, flightsClimbed
    }

    /// The properties of a ``Device``. The raw values are those of Apple's `HKDevicePropertyKey…`
    /// constants.
    public enum DeviceProperty: String, Hashable, Sendable, CaseIterable {
        case name = "HKDevicePropertyName"
        case manufacturer = "HKDevicePropertyManufacturer"
        case model = "HKDevicePropertyModel"
        case hardwareVersion = "HKDevicePropertyHardwareVersion"
        case firmwareVersion = "HKDevicePropertyFirmwareVersion"
        case softwareVersion = "HKDevicePropertySoftwareVersion"
        case localIdentifier = "HKDevicePropertyLocalIdentifier"
        case udiDeviceIdentifier = "HKDevicePropertyUDIDeviceIdentifier"
    }
}

extension SampleFilter {
    /// A relation between an attribute and constants.
    public enum Relation: Hashable, Sendable {
        /// A comparison with a constant.
        case compare(Comparison, Value)
        /// A range between two constants, both included.
        case between(Value, Value)
        /// Equality with at least one of the constants. False for an empty list, and for a missing
        /// attribute even if `null` is listed.
        case oneOf([Value])
        /// A test of text. False if the attribute is not text.
        case text(TextTest, String, CaseSensitivity)
    }

    /// A comparison operator.
    public enum Comparison: Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, atMost, greater, atLeast
    }

    /// A test of text against a constant.
    public enum TextTest: Hashable, Sendable, CaseIterable {
        case equals, contains, beginsWith, endsWith
        /// A pattern in which `?` matches one character and `*` any number of them, including
        /// none. `\` escapes the next character.
        case like
    }

    /// Whether a test of text distinguishes `A` and `a` (`significant`) or not (`ignored`).
    public enum CaseSensitivity: Hashable, Sendable, CaseIterable {
        case significant, ignored
    }

    /// A constant, or the value of a sample's attribute.
    public enum Value: Hashable, Sendable {
        /// No value.
        case null
        /// A number, a boolean as 0 or 1, or the raw value of an enumeration.
        case number(Double)
        /// Text.
        case string(String)
        /// A date in seconds since 2001-01-01T00:00:00Z.
        case date(Double)
        /// A quantity. As a constant, its unit is the one in which values are compared; use the
        /// type's canonical unit.
        case quantity(Double, unit: String)
        /// A UUID.
        case uuid(SampleUUID)
        /// A version of an operating system.
        case version(SystemVersion)
    }
}

/// The version of an operating system, with the components of Foundation's
/// `OperatingSystemVersion`.
public struct SystemVersion: Hashable, Sendable, Comparable {
    /// The major version.
    public var major: Int
    /// The minor version.
    public var minor: Int
    /// The patch version.
    public var patch: Int

    public init(major: Int, minor: Int = 0, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Creates a version from text. Returns nil for invalid text.
    ///
    /// - Parameter string: One to three numbers separated by periods: "17", "17.1", "17.1.2".
    ///   Missing numbers are 0.
    public init?(_ string: String) {
        let parts = string.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0 }
        guard (1...3).contains(parts.count), numbers.count == parts.count,
            numbers.allSatisfy({ $0 >= 0 })
        else { return nil }
        self.init(
            major: numbers[0], minor: numbers.count > 1 ? numbers[1] : 0,
            patch: numbers.count > 2 ? numbers[2] : 0)
    }

    public static func < (a: SystemVersion, b: SystemVersion) -> Bool {
        (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
    }
}
