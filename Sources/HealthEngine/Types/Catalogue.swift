/// The catalogue of HealthKit's names: types, enumerations, metadata keys and characteristics.
///
/// The tables are generated from the files in `Data/`. To add a type, add a row there and run
/// `make catalogue`. Tables are created on first use. Lookups take O(1), except where noted.
public enum Catalogue {
    /// All sample types of the catalogue, in order of ``SampleType/code``.
    public static let types: [SampleType] = quantityTypes + categoryTypes + otherTypes

    /// Returns the type with an identifier:
    /// `type(identifier: "HKQuantityTypeIdentifierStepCount")`.
    ///
    /// - Parameter identifier: Apple's identifier.
    /// - Returns: The type, or nil if the catalogue does not have it.
    public static func type(identifier: String) -> SampleType? { typesByIdentifier[identifier] }

    /// Returns the type with a short name or an identifier: `stepCount` or
    /// `HKQuantityTypeIdentifierStepCount`.
    ///
    /// A deprecated name gives the type with the newer name, which has the same identifier:
    /// `audioExposureEvent` gives `environmentalAudioExposureEvent`.
    ///
    /// - Parameter name: Apple's Swift name or the identifier, case-sensitive.
    /// - Returns: The type, or nil if the catalogue does not have it.
    public static func type(named name: String) -> SampleType? {
        typesByName[typeAliases[name] ?? name] ?? typesByIdentifier[name]
    }

    /// Returns the type with a code: `type(code: 1001)`.
    ///
    /// - Parameter code: The ``SampleType/code``.
    /// - Returns: The type, or nil if the catalogue does not have it. Codes that a store assigned
    ///   to types outside the catalogue give nil.
    public static func type(code: Int32) -> SampleType? { typesByCode[code] }

    private static let typesByIdentifier = table(types, by: \.identifier)
    private static let typesByName = table(types, by: \.name)
    private static let typesByCode = table(types, by: \.code)
}

extension Catalogue {
    /// Returns the values of an enumeration in the order of the catalogue, including older names.
    ///
    /// The catalogue has the enumerations of category types (``SampleType/valueEnumeration``),
    /// characteristics and metadata keys, `HKWorkoutActivityType` and `HKWorkoutEventType`.
    ///
    /// - Parameter enumeration: The name: "HKCategoryValueSleepAnalysis".
    /// - Returns: The values; empty if the enumeration is unknown.
    public static func values(of enumeration: String) -> [EnumerationValue] {
        valuesByEnumeration[enumeration] ?? []
    }

    /// Returns the value with an exported name.
    ///
    /// `value(exportedAs: "HKCategoryValueSleepAnalysisAsleepCore")?.rawValue` is 3. Older names
    /// are found too: the raw value of "HKCategoryValueSleepAnalysisAsleep" is 1.
    ///
    /// - Parameter exportedName: Apple's C name, which exports use.
    /// - Returns: The value, or nil if the name is unknown.
    package static func value(exportedAs exportedName: String) -> EnumerationValue? {
        valuesByExportedName[exportedName]
    }

    /// Returns the value with a raw value, under its current name.
    ///
    /// `value(1, of: "HKCategoryValueSleepAnalysis")?.name` is "asleepUnspecified", not the older
    /// "asleep".
    ///
    /// - Parameters:
    ///   - rawValue: The raw value.
    ///   - enumeration: The name of the enumeration.
    /// - Returns: The value, or nil if it or the enumeration is unknown.
    /// - Complexity: O(values of the enumeration).
    public static func value(_ rawValue: Int, of enumeration: String) -> EnumerationValue? {
        values(of: enumeration).first { $0.rawValue == rawValue && $0.aliasOf == nil }
    }

    /// Returns the value with a Swift name.
    ///
    /// `value(named: "asleepCore", of: "HKCategoryValueSleepAnalysis")?.rawValue` is 3.
    ///
    /// - Parameters:
    ///   - name: Apple's Swift name. Older names are included.
    ///   - enumeration: The name of the enumeration.
    /// - Returns: The value, or nil if it or the enumeration is unknown.
    /// - Complexity: O(values of the enumeration).
    public static func value(named name: String, of enumeration: String) -> EnumerationValue? {
        values(of: enumeration).first { $0.name == name }
    }

    private static let valuesByExportedName = table(enumerationValues, by: \.exportedName)
    private static let valuesByEnumeration = Dictionary(
        grouping: enumerationValues, by: \.enumeration)
}

extension Catalogue {
    /// The name of the enumeration of workout activities: running is 37.
    public static let workoutActivityType = "HKWorkoutActivityType"
    /// The name of the enumeration of workout events: pause is 1.
    public static let workoutEventType = "HKWorkoutEventType"

    /// Returns the workout activity with a raw value, including deprecated ones.
    /// `workoutActivity(37)?.name` is "running".
    ///
    /// - Parameter rawValue: A raw value of `HKWorkoutActivityType`.
    /// - Returns: The activity, or nil if it is unknown.
    /// - Complexity: O(activities).
    public static func workoutActivity(_ rawValue: Int) -> EnumerationValue? {
        value(rawValue, of: workoutActivityType)
    }

    /// Returns the workout activity with an exported name.
    /// `workoutActivity(exportedAs: "HKWorkoutActivityTypeRunning")?.rawValue` is 37.
    ///
    /// - Parameter name: Apple's C name, which exports use.
    /// - Returns: The activity, or nil if it is unknown.
    package static func workoutActivity(exportedAs name: String) -> EnumerationValue? {
        value(exportedAs: name).flatMap { $0.enumeration == workoutActivityType ? $0 : nil }
    }

    /// Returns the workout event type with an exported name.
    /// `workoutEvent(exportedAs: "HKWorkoutEventTypePause")?.rawValue` is 1.
    ///
    /// - Parameter name: Apple's C name, which exports use.
    /// - Returns: The event type, or nil if it is unknown.
    package static func workoutEvent(exportedAs name: String) -> EnumerationValue? {
        value(exportedAs: name).flatMap { $0.enumeration == workoutEventType ? $0 : nil }
    }
}

extension Catalogue {
    /// Returns a metadata key that HealthKit defines. `metadataKey("HKTimeZone")?.valueKind` is
    /// `.string`.
    ///
    /// - Parameter key: The string in a sample's metadata.
    /// - Returns: The key, or nil if it is not in the catalogue, such as a key of an app.
    public static func metadataKey(_ key: String) -> MetadataKey? { metadataByKey[key] }

    /// Returns the characteristic with an identifier:
    /// `characteristic(identifier: "HKCharacteristicTypeIdentifierBloodType")`.
    ///
    /// - Parameter identifier: Apple's identifier.
    /// - Returns: The characteristic, or nil if it is unknown.
    /// - Complexity: O(characteristics).
    public static func characteristic(identifier: String) -> Characteristic? {
        characteristics.first { $0.identifier == identifier }
    }

    /// Returns the characteristic with a short name or an identifier:
    /// `characteristic(named: "bloodType")`.
    ///
    /// - Parameter name: Apple's Swift name or the identifier.
    /// - Returns: The characteristic, or nil if it is unknown.
    /// - Complexity: O(characteristics).
    public static func characteristic(named name: String) -> Characteristic? {
        characteristics.first { $0.name == name || $0.identifier == name }
    }

    /// Returns the characteristic with a code. `characteristic(code: 3003)?.name` is "bloodType".
    ///
    /// - Parameter code: The ``Characteristic/code``.
    /// - Returns: The characteristic, or nil if it is unknown.
    /// - Complexity: O(characteristics).
    public static func characteristic(code: Int32) -> Characteristic? {
        characteristics.first { $0.code == code }
    }

    private static let metadataByKey = table(metadataKeys, by: \.key)

    /// Returns a dictionary of rows by a key. If two rows have the same key, the first one is used.
    private static func table<Row, Key: Hashable>(
        _ rows: [Row], by key: (Row) -> Key
    ) -> [Key: Row] {
        Dictionary(rows.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Catalogue {
    /// Returns whether a source's name is the name of Apple's Health app in one of the languages of
    /// the catalogue.
    ///
    /// - Parameter name: The name as recorded.
    package static func isHealthAppName(_ name: String) -> Bool { healthAppNames.contains(name) }
}
