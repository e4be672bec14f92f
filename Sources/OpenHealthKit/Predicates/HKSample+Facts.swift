import Foundation
import HealthEngine

/// The properties of a sample in memory that filters can test.
struct ObjectFacts: SampleFacts {
    let sample: HKSample

    /// Returns the properties of an object that filters can test; nil if the object is not a
    /// sample.
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

    /// The source of the sample; for an unsaved object, the current app.
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
    var electrocardiogram: ElectrocardiogramFacts? { sample.electrocardiogram }
    var clinicalDetail: SampleDetail? {
        sample.sampleType.row?.holdsDocuments == true ? sample.detail : nil
    }
    var medicationDose: MedicationDose? { sample.medicationDose }
}

extension HKSample {
    /// The properties of this sample that filters can test. An object has no reference to its
    /// correlation or workout, so filters treat the sample as a member of neither.
    var facts: ObjectFacts { ObjectFacts(sample: self) }
}
