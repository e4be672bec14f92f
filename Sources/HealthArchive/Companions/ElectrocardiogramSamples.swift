import HealthEngine
import HealthStorage

/// Writes a sample for each electrocardiogram of an export, which has no element for them.
///
/// A file names no source. The sample's source is the hardware that recorded it, such as
/// "Watch7,12", with the version of the software (Semantics §10.5c). The sample is read from the
/// file that the store has kept, so that it stays the same in every language of later exports. Add
/// recordings after all files are kept.
struct ElectrocardiogramSamples {
    /// The identifier of the type.
    static let identifier = "HKDataTypeIdentifierElectrocardiogram"
    /// The name of the source of a file without hardware, which is the name of its folder.
    private static let unnamedSource = "electrocardiograms"

    private let writer: SnapshotWriter
    private let type: SampleType?
    private var added: Set<Double> = []
    private var quota: SourceQuota

    init(_ writer: SnapshotWriter) throws {
        self.writer = writer
        quota = try writer.sourceQuota()
        type = Catalogue.type(identifier: ElectrocardiogramSamples.identifier)
    }

    /// Writes the sample of a kept file, once for each recorded time, or counts why there is none.
    ///
    /// - Throws: `StoreError` if the import was cancelled or the store can't be written.
    mutating func add(recorded: Double, to tally: inout CompanionTally) throws {
        guard let type, added.insert(recorded).inserted,
            let file = try writer.electrocardiogramFile(recorded: recorded)
        else { return }
        let reading = ElectrocardiogramReading(file.content)
        if let fault = reading.fault { return tally.count(fault) }
        guard let recording = ElectrocardiogramRecording(reading, recorded: recorded),
            abs(recorded) < SampleTimes.limit, abs(recording.end) < SampleTimes.limit
        else { return tally.count(.badDate) }
        let heading = reading.heading
        tally.electrocardiograms += 1
        tally.unreadableVoltages += reading.unreadableCount
        if heading.hasUnknownClassification { tally.unknownClassifications += 1 }
        let code = try writer.type(identifier: type.identifier)
        let metadata = ElectrocardiogramSamples.metadata(heading)
        var batch = SampleBatch(
            sources: [Source(name: source(heading), bundleIdentifier: "")],
            origins: [
                Origin(
                    source: 0, version: heading.softwareVersion,
                    device: heading.device.map { Device(hardwareVersion: $0) },
                    productType: heading.device)
            ])
        if !metadata.isEmpty { batch.metadata = [metadata] }
        batch.samples = [
            Sample(
                type: code, origin: 0, metadata: metadata.isEmpty ? -1 : 0,
                start: recording.start, end: recording.end)
        ]
        var numbers = recording.numbers
        if file.version > 1 {
            numbers[ElectrocardiogramRecording.Key.fileVersion] = [Double(file.version)]
        }
        batch.details = [0: .numbers(numbers)]
        try writer.write(batch)
    }

    /// Returns the name of the source. Devices beyond the store's limit have a common one.
    private mutating func source(_ heading: ElectrocardiogramHeading) -> String {
        guard let device = heading.device, quota.accept(device) else {
            return ElectrocardiogramSamples.unnamedSource
        }
        return device
    }

    /// The words of the file that have no value in HealthKit, unchanged.
    private static func metadata(_ heading: ElectrocardiogramHeading) -> Metadata {
        var metadata: Metadata = [:]
        metadata["export.classification"] = heading.unknownClassification.map { .string($0) }
        metadata["export.symptoms"] = heading.symptoms.map { .string($0) }
        return metadata
    }
}
