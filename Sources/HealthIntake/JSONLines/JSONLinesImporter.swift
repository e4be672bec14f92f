import Foundation
import HealthEngine
import HealthStorage

/// Imports an export as JSON lines into a store, in one transaction.
///
/// ```swift
/// let importer = JSONLinesImporter(path: "health.jsonl", store: "health.sqlite", now: now)
/// let report = try importer.run()       // report.new samples are new
/// ```
/// Samples of Apple's exports get the identity that their content has, so that a later export of
/// the phone matches them. All others keep their UUIDs. Samples that are stored already, or that
/// were deleted, are left out.
///
/// The file is read up to three times: for exported samples, for the others with the notes on
/// days and medications, and for members of correlations and workouts. So memory doesn't grow with the file.
package struct JSONLinesImporter {
    private let path: String
    private let store: String
    private let timeZone: String?
    private let systemTimeZone: String
    private let now: Double
    private let progress: (Int64, Int64) -> Void
    private let isCancelled: () -> Bool

    /// Creates an importer.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - store: The path of the store, which is created if it doesn't exist.
    ///   - timeZone: The home zone to set; nil to keep that of the store.
    ///   - systemTimeZone: The home zone of a store without one.
    ///   - now: When the import runs, in reference seconds.
    ///   - progress: Called with the bytes read so far and all bytes.
    ///   - isCancelled: Returning true ends the import with an error.
    package init(
        path: String, store: String, timeZone: String? = nil, systemTimeZone: String = "GMT",
        now: Double, progress: @escaping (Int64, Int64) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.path = path
        self.store = store
        self.timeZone = timeZone
        self.systemTimeZone = systemTimeZone
        self.now = now
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Returns whether a path is a file that begins like JSON lines, or an empty one named so.
    package static func canRead(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        if status.st_size == 0 { return path.lowercased().hasSuffix(".jsonl") }
        return (try? JSONLinesFile(path).body.bytes(at: 0, limit: 1)) == [UInt8(ascii: "{")]
    }

    /// Runs the import.
    ///
    /// - Returns: What was read and what is new.
    /// - Throws: ``JSONLinesError`` if the file isn't an export; `StoreError` if the time zone is
    ///   invalid or the store can't be written. Then the store doesn't change.
    /// - Complexity: O(*b* + *m* log *n*) for *b* bytes, *m* samples and *n* stored ones.
    package func run() throws -> JSONLinesReport {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw StoreError(.unknownTimeZone(timeZone))
        }
        let file = try JSONLinesFile(path)
        let name = (path as NSString).lastPathComponent
        let description = SnapshotDescription(
            file: name, bytes: Int64(file.body.byteCount), importedAt: now)
        return try SampleStore.importSnapshot(into: store, description, isCancelled: isCancelled) {
            writer, context in
            let zone = try context.settleHomeZone(
                specified: timeZone, system: systemTimeZone)
            var report = JSONLinesReport(file: name, homeZone: zone)
            let contents = try writeExported(file, writer, context, &report)
            if contents.hasOthers { try writeOthers(file, writer, context, &report) }
            if contents.hasMembers { try writeMembers(file, context) }
            if contents.hasOthers { try context.buildSegments() }
            try writer.record(ledger: report.ledger)
            return report
        }
    }
}

// MARK: - Passes

extension JSONLinesImporter {
    /// What the first pass found for the further ones.
    private struct Contents {
        var hasOthers = false
        var hasMembers = false
    }

    /// Imports the samples of Apple's exports, counts all lines, and ends the import's own part.
    private func writeExported(
        _ file: JSONLinesFile, _ writer: SnapshotWriter, _ context: SampleStore.ImportContext,
        _ report: inout JSONLinesReport
    ) throws -> Contents {
        var contents = Contents()
        var counted = report
        var exported = ExportedSamples(writer, try writer.sourceQuota())
        try forEachLine(of: file) { line, record in
            switch record {
            case .failure(let reason): counted.reject(line, reason)
            case .success(.dayNote):
                counted.dayNotes += 1
                contents.hasOthers = true
            case .success(.medication):
                counted.medications += 1
                contents.hasOthers = true
            case .success(.sample(let sample)):
                counted.samples += 1
                counted.attachments += sample.attachments
                if !sample.members.isEmpty { contents.hasMembers = true }
                if !sample.isExported {
                    contents.hasOthers = true
                } else if try !exported.write(sample) {
                    counted.reject(line, .unknown("source"))
                }
            }
        }
        try exported.flush()
        report = counted
        report.outcome = try writer.finish(.complete)
        for (name, identifier) in exported.identifiers.sorted(by: { $0.key < $1.key }) {
            try context.identify(name, as: identifier)
        }
        let tallies = [
            report.outcome.records, report.outcome.correlations, report.outcome.workouts,
            report.outcome.activitySummaries,
        ]
        report.new = tallies.reduce(0) { $0 + $1.new }
        return contents
    }

    /// Writes samples of Apple's exports in batches.
    private struct ExportedSamples {
        private let writer: SnapshotWriter
        private var quota: SourceQuota
        private var batch = JSONLinesBatch()
        /// The bundle identifiers of sources by name.
        private(set) var identifiers: [String: String] = [:]

        init(_ writer: SnapshotWriter, _ quota: SourceQuota) {
            (self.writer, self.quota) = (writer, quota)
        }

        /// Returns false for a sample whose source is one too many.
        mutating func write(_ sample: JSONLinesSample) throws -> Bool {
            if let source = sample.source {
                guard quota.accept(source.name) else { return false }
                identifiers[source.name] = source.bundleIdentifier
            }
            // The store derives the bundle identifiers of exported sources.
            batch.add(
                sample, type: try writer.type(identifier: sample.type),
                source: sample.source.map { Source(name: $0.name, bundleIdentifier: "") })
            if batch.isFull { try flush() }
            return true
        }

        mutating func flush() throws {
            if !batch.uuids.isEmpty { try writer.write(batch.samples) }
            batch = JSONLinesBatch()
        }
    }

    /// Saves samples with UUIDs of their own, notes on days, and medications.
    private func writeOthers(
        _ file: JSONLinesFile, _ writer: SnapshotWriter, _ context: SampleStore.ImportContext,
        _ report: inout JSONLinesReport
    ) throws {
        var batch = JSONLinesBatch()
        var (new, newNotes, newMedications) = (0, 0, 0)
        var rejections: [(line: Int, reason: UnreadableRecord)] = []
        try forEachLine(of: file) { line, record in
            switch record {
            case .failure: return
            case .success(.dayNote(let note)): newNotes += try context.add(note) ? 1 : 0
            case .success(.medication(let medication)):
                newMedications += try context.add(medication) ? 1 : 0
            case .success(.sample(let sample)):
                if sample.isExported { return }
                guard let source = sample.source, !source.bundleIdentifier.isEmpty else {
                    rejections.append((line, .invalid(.identifier, field: "bundleIdentifier")))
                    return
                }
                guard sample.sample.end >= sample.sample.start else {
                    rejections.append((line, .invalid(.endBeforeStart, field: "end")))
                    return
                }
                batch.add(
                    sample, type: try writer.type(identifier: sample.type), source: source)
                if batch.isFull {
                    new += try context.save(batch.samples, uuids: batch.uuids, at: now)
                    batch = JSONLinesBatch()
                }
            }
        }
        if !batch.uuids.isEmpty {
            new += try context.save(batch.samples, uuids: batch.uuids, at: now)
        }
        for rejection in rejections { report.reject(rejection.line, rejection.reason) }
        report.new += new
        report.newDayNotes = newNotes
        report.newMedications = newMedications
    }

    /// Links the members of correlations and workouts.
    private func writeMembers(
        _ file: JSONLinesFile, _ context: SampleStore.ImportContext
    ) throws {
        try forEachLine(of: file) { _, record in
            guard case .success(.sample(let sample)) = record, !sample.members.isEmpty else {
                return
            }
            try context.associate(sample.members, with: sample.uuid)
        }
    }

    private func forEachLine(
        of file: JSONLinesFile,
        _ body: (Int, Result<JSONLinesRecord, UnreadableRecord>) throws -> Void
    ) throws {
        var reader = JSONReader(file.body)
        var line = 0
        do {
            while try !reader.isAtEnd() {
                line += 1
                if line % 1_000 == 0 {
                    if isCancelled() { throw StoreError(.cancelled) }
                    progress(Int64(reader.offset), Int64(file.body.byteCount))
                }
                let value = try reader.readValue()
                guard value.members != nil else { throw JSONLinesError.notJSON(line: line) }
                if value["uuid"] == nil,
                    !JSONLinesRecord.otherTypes.contains(value["type"]?.string ?? "")
                {
                    throw JSONLinesError.mergedIntervals(line: line)
                }
                let record: Result<JSONLinesRecord, UnreadableRecord>
                do throws(UnreadableRecord) {
                    record = .success(try JSONLinesRecord(value))
                } catch {
                    record = .failure(error)
                }
                try body(line, record)
            }
        } catch is IntakeError {
            throw JSONLinesError.notJSON(line: line)
        }
    }
}

extension JSONLinesSample {
    /// Whether the sample comes from an export of Apple's, whose samples have no UUIDs.
    fileprivate var isExported: Bool { uuid.isImported(startingAt: sample.start) }
}

/// An open file that is read in parts.
private final class JSONLinesFile: Sendable {
    private let descriptor: Int32
    private let byteCount: Int

    init(_ path: String) throws(JSONLinesError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(FileFault(errorNumber: errno)) }
        var status = stat()
        byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit { close(descriptor) }

    var body: IntakeBody {
        IntakeBody(byteCount: byteCount) { [self] offset, count in
            var done = 0
            return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while done < count {
                    let read = pread(
                        descriptor, buffer.baseAddress.map { $0 + done }, count - done,
                        off_t(offset + done))
                    if read < 0, errno == EINTR { continue }
                    guard read >= 0 else {
                        throw JSONLinesError.unreadable(FileFault(errorNumber: errno))
                    }
                    if read == 0 { break }
                    done += read
                }
                filled = done
            }
        }
    }
}
