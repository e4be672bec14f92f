/// The properties of one sample that a filter can test. Types for stored rows and for objects in
/// memory conform to this protocol.
///
/// The first six members are required. The other members have default implementations for samples
/// without the property.
package protocol SampleFacts {
    /// The identifier of the sample's type.
    var typeIdentifier: String { get }
    /// The start, in reference seconds; NaN if there is none.
    var start: Double { get }
    /// The end, in reference seconds; NaN if there is none.
    var end: Double { get }
    /// The sample's UUID.
    var uuid: SampleUUID { get }
    /// The bundle identifier of the source.
    var bundleIdentifier: String? { get }
    /// Returns the metadata value for a key.
    ///
    /// - Parameter key: The key: "HKTimeZone".
    /// - Returns: The value, or nil if the sample does not have the key.
    func metadata(_ key: String) -> MetadataValue?

    /// The value and its original unit; nil for samples without a quantity. For a series, the value
    /// is the sum of a cumulative type or the average of a discrete type.
    var quantity: (value: Double, unit: String)? { get }
    /// The values of a series in the unit of ``quantity``; nil for other samples.
    var seriesValues: [Double]? { get }
    /// Returns a measure of the quantity in a unit. Conforming types can override this method to
    /// cache conversions.
    ///
    /// - Parameters:
    ///   - measure: The value to return.
    ///   - unit: The unit of the result.
    /// - Returns: The value, or nil if there is no quantity or the unit is incompatible.
    func quantity(_ measure: SampleFilter.Measure, in unit: String) -> Double?
    /// The raw value of a category sample; nil for other samples.
    var categoryValue: Int? { get }

    /// The name of the source.
    var sourceName: String? { get }
    /// The version of the source.
    var sourceVersion: String? { get }
    /// The hardware that the source ran on, "iPhone14,2".
    var productType: String? { get }
    /// The version of the operating system that the source ran on.
    var operatingSystem: SystemVersion? { get }
    /// The device that the sample was measured with.
    var device: Device? { get }

    /// Returns whether the sample is a member of a correlation or is associated with a workout.
    ///
    /// - Parameter container: The UUID of the correlation or workout.
    /// - Returns: Whether the sample is a member.
    func isMember(of container: SampleUUID) -> Bool
    /// Whether the sample is a member of any correlation.
    var hasCorrelation: Bool { get }

    /// The workout, if the sample is one.
    var workout: Workout? { get }
    /// Returns the statistics of a type for a workout. Conforming types can override this method to
    /// include associated samples.
    ///
    /// - Parameter type: The identifier of the quantity type.
    /// - Returns: The statistics, or nil if there are none.
    func workoutStatistics(of type: String) -> WorkoutStatistics?
    /// The day of an activity summary, "2024-03-10"; nil for other samples.
    var day: String? { get }
    /// The state of mind, if the sample is one.
    var stateOfMind: StateOfMindFacts? { get }
    /// The findings of the electrocardiogram, if the sample is one.
    var electrocardiogram: ElectrocardiogramFacts? { get }
    /// The structured part of a clinical record, clinical document or signed record; nil for other
    /// samples.
    var clinicalDetail: SampleDetail? { get }
    /// The medication dose, if the sample is one.
    var medicationDose: MedicationDose? { get }
    /// The medication, if a medication is tested instead of a sample.
    var medication: Medication? { get }
}

/// The findings of an electrocardiogram that a filter can test.
package struct ElectrocardiogramFacts: Hashable, Sendable {
    /// The raw value of `HKElectrocardiogram.Classification`; 0 if it is not set.
    package var classification: Int
    /// The raw value of `HKElectrocardiogram.SymptomsStatus`; 0 if it is not set.
    package var symptomsStatus: Int
    /// The average heart rate in beats per minute; nil if it is not recorded.
    package var averageHeartRate: Double?

    /// Creates the findings from their numbers by name (`SampleDetail.numbers`).
    package init(_ numbers: [String: [Double]]) {
        typealias Key = ElectrocardiogramRecording.Key
        func integer(_ key: String) -> Int { numbers[key]?.first.flatMap(Int.init(exactly:)) ?? 0 }
        classification = integer(Key.classification)
        symptomsStatus = integer(Key.symptomsStatus)
        averageHeartRate = numbers[Key.averageHeartRate]?.first
    }
}

/// The properties of a state of mind that a filter can test. Kind, labels and associations are raw
/// values of Apple's enumerations.
public struct StateOfMindFacts: Hashable, Sendable {
    /// The kind: 1 for a momentary emotion, 2 for a daily mood.
    package var kind: Int
    /// The valence, from -1 (unpleasant) to 1 (pleasant).
    package var valence: Double
    /// The labels.
    package var labels: [Int]
    /// The associations.
    package var associations: [Int]

    package init(kind: Int, valence: Double, labels: [Int], associations: [Int]) {
        self.kind = kind
        self.valence = valence
        self.labels = labels
        self.associations = associations
    }
}

extension SampleFacts {
    /// Nil by default.
    package var quantity: (value: Double, unit: String)? { nil }
    /// Nil by default.
    package var seriesValues: [Double]? { nil }
    /// Nil by default.
    package var categoryValue: Int? { nil }
    /// Nil by default.
    package var sourceName: String? { nil }
    /// Nil by default.
    package var sourceVersion: String? { nil }
    /// Nil by default.
    package var productType: String? { nil }
    /// Nil by default.
    package var operatingSystem: SystemVersion? { nil }
    /// Nil by default.
    package var device: Device? { nil }
    /// Returns false by default.
    ///
    /// - Parameter container: The UUID of a correlation or workout.
    /// - Returns: False.
    package func isMember(of container: SampleUUID) -> Bool { false }
    /// False by default.
    package var hasCorrelation: Bool { false }
    /// Nil by default.
    package var workout: Workout? { nil }
    /// Nil by default.
    package var day: String? { nil }
    /// Nil by default.
    package var stateOfMind: StateOfMindFacts? { nil }
    /// Nil by default.
    package var electrocardiogram: ElectrocardiogramFacts? { nil }
    /// Nil by default.
    package var clinicalDetail: SampleDetail? { nil }
    package var medicationDose: MedicationDose? { nil }
    /// Nil by default.
    package var medication: Medication? { nil }

    /// Returns the recorded statistics of the type. They are not computed from associated samples.
    ///
    /// - Parameter type: The identifier of the quantity type.
    /// - Returns: The first element of ``Workout/statistics`` for the type, or nil if there is
    ///   none.
    /// - Complexity: O(statistics).
    package func workoutStatistics(of type: String) -> WorkoutStatistics? {
        workout?.statistics.first { $0.type == type }
    }

    /// Returns a measure of the quantity in a unit. Both unit strings are parsed at every call.
    ///
    /// - Parameters:
    ///   - measure: The value to return.
    ///   - unit: The unit of the result.
    /// - Returns: The value, or nil if there is no quantity or the unit is incompatible.
    /// - Complexity: O(length of the units + values of a series).
    package func quantity(_ measure: SampleFilter.Measure, in unit: String) -> Double? {
        guard let quantity, let value = measured(measure) else { return nil }
        return SampleFilter.Value.convert(value, from: quantity.unit, to: unit)
    }

    /// Returns a measure in the unit of ``quantity``. Without ``seriesValues``, every measure is
    /// the value of ``quantity``.
    func measured(_ measure: SampleFilter.Measure) -> Double? {
        switch measure {
        case .value, .sum, .average: quantity?.value
        case .minimum: seriesValues?.min() ?? quantity?.value
        case .maximum: seriesValues?.max() ?? quantity?.value
        case .mostRecent: seriesValues?.last ?? quantity?.value
        }
    }
}

/// The properties of one activity of a workout, so that a filter can test the activity like a
/// sample. Source, device and version are missing.
struct ActivityFacts: SampleFacts {
    let activity: WorkoutActivity
    let parent: Workout
    let typeIdentifier: String

    var start: Double { activity.start ?? .nan }
    var end: Double { activity.end ?? .nan }
    var uuid: SampleUUID { SampleUUID(activity.uuid) ?? SampleUUID(high: 0, low: 0) }
    var bundleIdentifier: String? { nil }
    func metadata(_ key: String) -> MetadataValue? { activity.metadata[key] }

    var workout: Workout? {
        Workout(
            activityType: activity.configuration?.activityType ?? parent.activityType,
            duration: activity.duration, events: activity.events, statistics: activity.statistics)
    }
}
