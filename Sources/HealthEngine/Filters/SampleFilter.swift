/// Which samples a predicate selects, as a value: what `NSPredicate` is to HealthKit.
///
/// ```
/// let morning: SampleFilter = .and([
///     .test(.end, .compare(.atLeast, .date(0))),
///     .test(.start, .compare(.less, .date(3600))),
/// ])
/// morning.matches(facts)              // of one sample
/// morning.timeBounds.start.upper      // 3600, not included: what an index can use
/// ```
///
/// A store narrows by ``timeBounds``, ``uuids``, ``bundleIdentifiers`` and ``containers`` and puts
/// the rest to ``matches(_:)``; objects in memory are put to the same function, so that both give
/// the same answer.
///
/// Truth has two values: an attribute that isn't there fails every test but `!=` and `== nil`,
/// and `not` turns that round (Semantics §2.9).
public indirect enum SampleFilter: Hashable, Sendable {
    case everything
    case nothing
    /// All of them; every sample where there are none.
    case and([SampleFilter])
    /// Any of them; no sample where there are none.
    case or([SampleFilter])
    case not(SampleFilter)
    case test(Attribute, Relation)
    /// Members of this correlation, or samples associated with this workout.
    case memberOf(SampleUUID)
    /// Samples that are no member of a correlation.
    case hasNoCorrelation
    /// Workouts of which some activity matches, or which have none and match themselves. Inside,
    /// `start`, `end`, `workoutActivityType`, `workoutDuration`, `workoutStatistic` and `metadata`
    /// are the activity's.
    case workoutActivity(SampleFilter)
}

extension SampleFilter {
    /// What can be asked of a sample.
    public enum Attribute: Hashable, Sendable {
        /// A ``Value/date(_:)``, as is `end`.
        case start
        case end
        case uuid
        /// The type's identifier.
        case type
        /// A quantity; of a series, the sum, average, smallest, largest or latest of its values.
        case quantity(Measure)
        /// How many values a series holds; 1 for any other quantity sample.
        case quantityCount
        case categoryValue
        /// The source's bundle identifier.
        case source
        case sourceName
        case sourceVersion
        case productType
        /// A ``Value/version(_:)``.
        case operatingSystem
        case device(DeviceProperty)
        /// The value for a key, whatever its kind.
        case metadata(String)
        case workoutActivityType
        /// Seconds.
        case workoutDuration
        case workoutTotal(WorkoutTotal)
        /// A workout's statistics of a type, by its identifier.
        case workoutStatistic(type: String, Measure)
        /// An activity summary's day as text, "2024-03-10".
        case day
        case valence
        case stateOfMindKind
        /// Of many values: a test holds if it does for one of them, `!=` if none is equal.
        case stateOfMindLabel
        /// Of many values, like the labels.
        case stateOfMindAssociation
    }

    /// Which of several values of a quantity.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// The sample's own quantity.
        case value
        case sum, average, minimum, maximum, mostRecent
    }

    /// The totals a workout has had since the first HealthKit.
    public enum WorkoutTotal: String, Hashable, Sendable, CaseIterable {
        case energyBurned, distance, swimmingStrokeCount, flightsClimbed
    }

    /// The parts of a ``Device``; the raw values are those of Apple's `HKDevicePropertyKey…`.
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
    /// How an attribute stands to a constant.
    public enum Relation: Hashable, Sendable {
        case compare(Comparison, Value)
        /// Both ends included.
        case between(Value, Value)
        /// False for an empty list, and for an attribute that isn't there even if `null` is listed.
        case oneOf([Value])
        case text(TextTest, String, LetterCase)
    }

    /// How two values are compared.
    public enum Comparison: Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, atMost, greater, atLeast
    }

    /// What of a text must agree.
    public enum TextTest: Hashable, Sendable, CaseIterable {
        case equals, contains, beginsWith, endsWith
        /// With `?` for one character and `*` for any number; `\` takes the next as it is.
        case like
    }

    /// Whether `A` and `a` differ.
    public enum LetterCase: Hashable, Sendable, CaseIterable {
        case significant, ignored
    }

    /// A constant, or what a sample has for an attribute.
    public enum Value: Hashable, Sendable {
        /// Nothing there.
        case null
        /// Also booleans, as 0 and 1, and enumerations by raw value.
        case number(Double)
        case string(String)
        /// Reference seconds.
        case date(Double)
        /// Compared after a conversion to this unit: give the type's canonical one.
        case quantity(Double, unit: String)
        case uuid(SampleUUID)
        case version(SystemVersion)
    }
}

/// An operating system's version, as Foundation's `OperatingSystemVersion` has it.
public struct SystemVersion: Hashable, Sendable, Comparable {
    public var major: Int
    public var minor: Int
    public var patch: Int

    public init(major: Int, minor: Int = 0, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads "17.1" or "17.1.2"; nil for anything else.
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
