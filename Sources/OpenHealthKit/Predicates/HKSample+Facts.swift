import Foundation
import HealthEngine

/// What a filter can ask of an object in memory.
struct ObjectFacts: SampleFacts {
    let sample: HKSample

    /// The facts of what a predicate is evaluated with; nil for anything but a sample.
    static func of(_ object: Any?) -> ObjectFacts? {
        (object as? HKSample).map { ObjectFacts(sample: $0) }
    }

    var type: HKSampleType { sample.sampleType }
    var typeIdentifier: String { sample.sampleType.identifier }
    var start: Double { sample.start }
    var end: Double { sample.end }
    var uuid: SampleUUID { SampleUUID(sample.uuid) }
    var bundleIdentifier: String? { writer.bundleIdentifier }
    func metadata(_ key: String) -> MetadataValue? { sample.sampleMetadata?.stored[key] }

    /// This app for what no store has.
    private var writer: HKSource {
        let source = sample.sourceRevision.source
        return source === HKSource.unsaved ? .default() : source
    }

    var quantity: (value: Double, unit: String)? {
        sample.storedUnit.map { (sample.storedValue, $0.unitString) }
    }
    var seriesValues: [Double]? {
        guard let series = (sample as? HKQuantitySample)?.series, !series.isEmpty else {
            return nil
        }
        return series.map(\.value)
    }
    var categoryValue: Int? { (sample as? HKCategorySample)?.value }
    var sourceName: String? { writer.name }
    var sourceVersion: String? { sample.sourceRevision.version }
    var productType: String? { sample.sourceRevision.productType }
    var operatingSystem: SystemVersion? {
        SystemVersion(sample.sourceRevision.operatingSystemVersion)
    }
    var device: Device? { sample.device?.value }
    var workout: Workout? { sample.workoutContent }
    var stateOfMind: StateOfMindFacts? { sample.stateOfMind }
}

extension HKSample {
    /// What a filter can ask of this sample. Membership isn't known in memory: an object doesn't
    /// know its correlation or workout.
    var facts: ObjectFacts { ObjectFacts(sample: self) }
}
