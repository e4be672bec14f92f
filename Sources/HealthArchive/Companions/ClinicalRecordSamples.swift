import HealthEngine
import HealthStorage

/// Writes a sample for each clinical record of an export whose resource can be read.
///
/// The resource is stored with the sample, and its file isn't kept apart. If this export lacks the
/// file, as a bare `export.xml` does, the resource is that of the record which an earlier import
/// stored. Each file belongs to one record. All other elements are kept as text, and their files as
/// files.
struct ClinicalRecordSamples {
    /// The reasons why an element is kept as text.
    private enum Fault: String, Error {
        case noFile = "the file is missing"
        case fileUsed = "the file belongs to another record"
        case tooLarge = "the file is larger than 4 MB"
        case unreadable = "the file can't be read"
        case notJSON = "the file is not a FHIR resource"
        case otherType = "the file has another resource type"
        case noType = "the resource has no clinical type"
        case noIdentifier = "the identifier is missing"
        case noDate = "the received date is missing"
        case tooManySources = "one source too many"
    }

    private let writer: SnapshotWriter
    private let files: CompanionFiles
    private var quota: SourceQuota
    private var batch = SampleBatch()
    private var sources: [String: Int32] = [:]
    private var byteCount = 0
    /// The names of the files that are stored with a record.
    private var usedNames: Set<String> = []
    /// The paths of the export's files that are stored with a record.
    private(set) var storedPaths: Set<String> = []

    /// The size and number of records from which on a batch is written.
    private static let maximumByteCount = 4 << 20
    private static let maximumCount = 1_000

    init(_ writer: SnapshotWriter, _ files: CompanionFiles) throws {
        self.writer = writer
        self.files = files
        quota = try writer.sourceQuota()
    }

    /// Writes the samples, and keeps the other elements as text.
    ///
    /// - Returns: The number of samples, and the numbers of other elements by reason.
    /// - Throws: `StoreError` if the import was cancelled or the store can't be written.
    mutating func write(
        _ elements: [ClinicalRecordElement]
    ) throws -> (samples: Int, unread: [String: Int]) {
        var samples = 0
        var unread: [String: Int] = [:]
        for element in elements {
            if let fault = try add(element) {
                unread[fault.rawValue, default: 0] += 1
                try writer.storeRaw(
                    element.xml, element: ClinicalRecordElement.name, reason: .untyped,
                    at: element.offset)
            } else {
                samples += 1
            }
            if byteCount >= ClinicalRecordSamples.maximumByteCount
                || batch.samples.count >= ClinicalRecordSamples.maximumCount
            {
                try flush()
            }
        }
        try flush()
        return (samples, unread)
    }

    /// Adds a record to the batch. Returns the reason if it can't be a sample.
    private mutating func add(_ element: ClinicalRecordElement) throws -> Fault? {
        guard let path = element.file else { return .noFile }
        let name = ClinicalRecordSamples.name(path)
        if usedNames.contains(name) { return .fileUsed }
        let companion = files.find(path).flatMap {
            CompanionFiles.kind(of: $0.path) == .clinicalRecord ? $0 : nil
        }
        let text: String
        switch try resource(companion, name) {
        case .success(let read): text = read
        case .failure(let fault): return fault
        }
        guard let received = element.received, abs(received) < SampleTimes.limit else {
            return .noDate
        }
        let record: ClinicalRecord
        let type: String
        switch ClinicalRecordSamples.record(element, text) {
        case .success(let read): (record, type) = read
        case .failure(let fault): return fault
        }
        guard let source = source(element.sourceName) else { return .tooManySources }
        batch.details[batch.samples.count] = .clinicalRecord(record)
        batch.samples.append(
            Sample(
                type: try writer.type(identifier: type), origin: source, start: received,
                end: received))
        byteCount += text.utf8.count
        usedNames.insert(name)
        if let companion { storedPaths.insert(companion.path) }
        return nil
    }

    /// Returns the resource from the export's file; without one, from an earlier import.
    private func resource(
        _ companion: ExportSource.Companion?, _ name: String
    ) throws -> Result<String, Fault> {
        guard let companion else {
            let stored = try writer.clinicalResource(fileName: name)
            return stored.map { .success($0) } ?? .failure(.noFile)
        }
        guard companion.byteCount <= ClinicalRecord.maximumByteCount else {
            return .failure(.tooLarge)
        }
        guard let bytes = try? files.bytes(of: companion),
            bytes.count <= ClinicalRecord.maximumByteCount
        else { return .failure(.unreadable) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(.notJSON)
        }
        return .success(text)
    }

    /// Returns the content of a record, and the identifier of its clinical type.
    private static func record(
        _ element: ClinicalRecordElement, _ text: String
    ) -> Result<(ClinicalRecord, String), Fault> {
        guard let heading = FHIRHeading(text) else { return .failure(.notJSON) }
        let type: String
        if Catalogue.type(identifier: element.type)?.isClinicalRecord == true {
            type = element.type
        } else {
            guard element.type == heading.resourceType else { return .failure(.otherType) }
            guard let known = heading.clinicalType else { return .failure(.noType) }
            type = known
        }
        let identifier = element.identifier.isEmpty ? heading.id ?? "" : element.identifier
        if identifier.isEmpty { return .failure(.noIdentifier) }
        let record = ClinicalRecord(
            resourceType: heading.resourceType, identifier: identifier,
            fhirVersion: element.fhirVersion,
            displayName: heading.displayName ?? heading.resourceType,
            sourceURL: element.sourceURL,
            file: element.file.map { "/" + ClinicalRecordNames.folder + name($0) },
            resource: text)
        return .success((record, type))
    }

    /// Returns the origin of a source; nil for one beyond the store's limit.
    private mutating func source(_ name: String) -> Int32? {
        if let known = sources[name] { return known }
        guard quota.accept(name) else { return nil }
        let index = Int32(batch.origins.count)
        batch.sources.append(Source(name: name, bundleIdentifier: ""))
        batch.origins.append(Origin(source: index))
        sources[name] = index
        return index
    }

    private mutating func flush() throws {
        if !batch.samples.isEmpty { try writer.write(batch) }
        batch = SampleBatch()
        sources = [:]
        byteCount = 0
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}

extension ExportReading {
    /// Writes the files beside the XML, and adds their counts to the tally.
    ///
    /// - Parameters:
    ///   - files: The files of the export.
    ///   - writer: Receives samples and files.
    /// - Throws: `StoreError` if the import was cancelled or the store can't be written.
    mutating func writeFiles(_ files: CompanionFiles, to writer: SnapshotWriter) throws {
        var records = try ClinicalRecordSamples(writer, files)
        let (samples, unread) = try records.write(clinicalRecords)
        clinicalRecords = []
        let kept = unread.values.reduce(0, +)
        if kept > 0 { tally.untyped[ClinicalRecordElement.name, default: 0] += kept }
        tally.files = try files.keep(in: writer, except: records.storedPaths, completeness)
        tally.files.clinicalRecords = samples
        tally.files.unreadClinicalRecords = unread
    }
}
