import Foundation
import HealthEngine

/// A sample in memory as filters see it.
struct ObjectFacts: SampleFacts {
    let sample: HKSample

    /// The facts of what a predicate is evaluated with; nil for anything but a sample.
    static func of(_ object: Any?) -> ObjectFacts? {
        (object as? HKSample).map { ObjectFacts(sample: $0) }
    }

    var type: HKSampleType { sample.sampleType }
    var typeIdentifier: String { sample.sampleType.identifier }
    var start: Double { sample.startDate.timeIntervalSinceReferenceDate }
    var end: Double { sample.endDate.timeIntervalSinceReferenceDate }
    var uuid: SampleUUID { SampleUUID(sample.uuid) }
    var categoryValue: Int? { (sample as? HKCategorySample)?.value }

    func metadata(_ key: String) -> MetadataValue? { sample.sampleMetadata?.stored[key] }

    private var revision: HKSourceRevision { sample.sourceRevision }
    var bundleIdentifier: String? { revision.source.bundleIdentifier }
    var sourceName: String? { revision.source.name }
    var sourceVersion: String? { revision.version }
    var productType: String? { revision.productType }
    var operatingSystem: SystemVersion? { SystemVersion(revision.operatingSystemVersion) }
    var device: Device? { sample.device?.value }
}
