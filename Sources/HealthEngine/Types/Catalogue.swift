/// What HealthKit knows by name: types, enumerations, metadata keys, characteristics.
///
/// Everything here is a row of `Data/`; adding a type means adding a row and running
/// `make catalogue`. Tables are made when first asked for; every look-up is O(1).
public enum Catalogue {
    /// Every type a sample can have, in order of ``SampleType/code``.
    public static let types: [SampleType] = quantityTypes + categoryTypes + otherTypes

    /// `type(identifier: "HKQuantityTypeIdentifierStepCount")`, or nil for an unknown one.
    public static func type(identifier: String) -> SampleType? { typesByIdentifier[identifier] }

    /// Finds a type as a person writes it: `stepCount` or the full identifier.
    ///
    /// A deprecated name that shares its identifier with a newer one gives the newer one's type:
    /// `audioExposureEvent` gives `environmentalAudioExposureEvent`.
    public static func type(named name: String) -> SampleType? {
        typesByName[typeAliases[name] ?? name] ?? typesByIdentifier[name]
    }

    /// `type(code: 1001)`; nil for the codes a store gave to types it didn't know.
    public static func type(code: Int32) -> SampleType? { typesByCode[code] }

    private static let typesByIdentifier = table(types, by: \.identifier)
    private static let typesByName = table(types, by: \.name)
    private static let typesByCode = table(types, by: \.code)
}

extension Catalogue {
    /// The values of an enumeration in the order of the headers, older names included; empty for
    /// an unknown one.
    ///
    /// Enumerations are those of category types (``SampleType/valueEnumeration``),
    /// characteristics, metadata keys, `HKWorkoutActivityType` and `HKWorkoutEventType`.
    public static func values(of enumeration: String) -> [EnumerationValue] {
        valuesByEnumeration[enumeration] ?? []
    }

    /// `value(exportedAs: "HKCategoryValueSleepAnalysisAsleepCore")?.rawValue` is 3; that of
    /// older exporters' "HKCategoryValueSleepAnalysisAsleep" is 1.
    public static func value(exportedAs exportedName: String) -> EnumerationValue? {
        valuesByExportedName[exportedName]
    }

    /// `value(1, of: "HKCategoryValueSleepAnalysis")?.name` is "asleepUnspecified", the current
    /// name of a number that has had two.
    public static func value(_ rawValue: Int, of enumeration: String) -> EnumerationValue? {
        values(of: enumeration).first { $0.rawValue == rawValue && $0.aliasOf == nil }
    }

    /// `value(named: "asleepCore", of: "HKCategoryValueSleepAnalysis")?.rawValue` is 3.
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

    /// `workoutActivity(37)?.name` is "running". Deprecated activities are found too.
    public static func workoutActivity(_ rawValue: Int) -> EnumerationValue? {
        value(rawValue, of: workoutActivityType)
    }

    /// `workoutActivity(exportedAs: "HKWorkoutActivityTypeRunning")?.rawValue` is 37.
    public static func workoutActivity(exportedAs name: String) -> EnumerationValue? {
        value(exportedAs: name).flatMap { $0.enumeration == workoutActivityType ? $0 : nil }
    }

    /// `workoutEvent(exportedAs: "HKWorkoutEventTypePause")?.rawValue` is 1.
    public static func workoutEvent(exportedAs name: String) -> EnumerationValue? {
        value(exportedAs: name).flatMap { $0.enumeration == workoutEventType ? $0 : nil }
    }
}

extension Catalogue {
    /// `metadataKey("HKTimeZone")?.valueKind` is `.string`; nil for an app's own key.
    public static func metadataKey(_ key: String) -> MetadataKey? { metadataByKey[key] }

    /// `characteristic(identifier: "HKCharacteristicTypeIdentifierBloodType")`, or nil for an
    /// unknown one.
    public static func characteristic(identifier: String) -> Characteristic? {
        characteristics.first { $0.identifier == identifier }
    }

    /// `characteristic(named: "bloodType")`, or by its identifier; nil for an unknown one.
    public static func characteristic(named name: String) -> Characteristic? {
        characteristics.first { $0.name == name || $0.identifier == name }
    }

    /// `characteristic(code: 3003)?.name` is "bloodType".
    public static func characteristic(code: Int32) -> Characteristic? {
        characteristics.first { $0.code == code }
    }

    private static let metadataByKey = table(metadataKeys, by: \.key)

    /// The first row wins where two have one key, which a test rules out.
    private static func table<Row, Key: Hashable>(
        _ rows: [Row], by key: (Row) -> Key
    ) -> [Key: Row] {
        Dictionary(rows.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Catalogue {
    /// Whether a source's name is what Apple's Health app calls itself in some language.
    public static func isHealthAppName(_ name: String) -> Bool { healthAppNames.contains(name) }
}
