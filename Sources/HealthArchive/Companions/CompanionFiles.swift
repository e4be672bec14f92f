import HealthEngine
import HealthStorage

/// An index, by file name, of the files that accompany an export's records, such as routes and
/// electrocardiograms.
///
/// Only the last component of a path in the export is used, and it is compared with files of the
/// same export. A path therefore can't reach other files of the computer.
final class CompanionFiles {
    let source: ExportSource
    let archive: ZipArchive?
    private let byName: [String: ExportSource.Companion]
    private(set) var used: Set<String> = []

    /// Indexes the files of an export. For an export in a zip, the zip's directory is read here,
    /// once.
    ///
    /// - Throws: ``ArchiveError`` if the zip can't be read.
    init(_ source: ExportSource) throws(ArchiveError) {
        self.source = source
        archive = try source.archive()
        byName = Dictionary(
            source.companions.map { (CompanionFiles.name($0.path), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the file whose name is the last component of `path`; nil if the export lacks it. Of
    /// several files with this name, the first in order of path is returned.
    func find(_ path: String) -> ExportSource.Companion? {
        byName[CompanionFiles.name(path)]
    }

    /// Opens a file and excludes it from ``unusedByFolder``, even if opening fails.
    func open(_ companion: ExportSource.Companion) throws(ArchiveError) -> any ByteStream {
        use(companion)
        return try companion.location.open(in: archive)
    }

    /// Excludes a file from ``unusedByFolder``.
    func use(_ companion: ExportSource.Companion) { used.insert(companion.path) }

    func use(_ paths: Set<String>) { used.formUnion(paths) }

    /// Returns up to ``ExportLocator/headByteCount`` bytes of a file as text; empty if the file
    /// can't be read.
    func head(_ companion: ExportSource.Companion) -> String {
        let bytes = try? companion.location.head(in: archive)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// The number of files that weren't opened or otherwise used so far, by the name of the folder
    /// that contains them. A file directly beside the XML is listed under its own name.
    var unusedByFolder: [String: Int] {
        var folders: [String: Int] = [:]
        for companion in source.companions where !used.contains(companion.path) {
            let parts = companion.path.split(separator: "/")
            folders[
                parts.count > 1 ? String(parts[parts.count - 2]) : companion.path, default: 0] += 1
        }
        return folders
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}

extension CompanionFiles {
    /// The maximum size in bytes of a file to store. Larger files are quarantined.
    static let maximumFileSize: Int64 = 32 << 20

    /// The bytes of a file to store, and the time of an electrocardiogram in seconds since
    /// 2001-01-01T00:00:00Z.
    private struct Content {
        var bytes: [UInt8]
        var recorded: Double?
    }

    /// The reason why a file is quarantined.
    private struct QuarantineReason: Error {
        var reason: String
    }

    /// Stores electrocardiograms, attachments and those clinical records that are no samples, and
    /// a sample for each electrocardiogram.
    ///
    /// Route files are stored with their workouts while the XML is read. A clinical document
    /// repeats parts of the export, so it is only counted. Any other file is left for
    /// ``unusedByFolder``.
    ///
    /// - Parameters:
    ///   - writer: Receives the files.
    ///   - stored: The paths of files that are stored with the sample of a clinical record.
    ///   - completeness: Whether any element of the export was lost.
    /// - Returns: The counts of stored, known and quarantined files.
    /// - Throws: `StoreError` if the import was cancelled or the store can't be written.
    /// - Complexity: O(*n*) in the bytes of the files, with one file in memory at a time.
    func keep(
        in writer: SnapshotWriter, except stored: Set<String>, _ completeness: SnapshotCompleteness
    ) throws -> CompanionTally {
        var tally = CompanionTally()
        var recordings: [Double] = []
        for companion in source.companions {
            guard let kind = CompanionFiles.kind(of: companion.path) else {
                if isClinicalDocument(companion) {
                    use(companion)
                    tally.clinicalDocuments += 1
                }
                continue
            }
            use(companion)
            if stored.contains(companion.path) { continue }
            switch content(of: companion, kind) {
            case .success(let content):
                if let recorded = content.recorded {
                    recordings.append(recorded)
                    let outcome = try writer.storeElectrocardiogram(
                        content.bytes, name: companion.path, recorded: recorded, completeness)
                    tally.count(outcome, kind)
                } else {
                    let isNew = try writer.storeFile(
                        content.bytes, name: companion.path, kind: kind)
                    tally.count(isNew ? .new : .known, kind)
                }
            case .failure(let refusal): tally.quarantine(companion.path, refusal.reason)
            }
        }
        var electrocardiograms = try ElectrocardiogramSamples(writer)
        for recorded in recordings { try electrocardiograms.add(recorded: recorded, to: &tally) }
        return tally
    }

    /// The paths of the attachments.
    var attachmentPaths: [String] {
        source.companions.map(\.path).filter { CompanionFiles.kind(of: $0) == .attachment }
    }

    /// Returns the kind of a file by the first folder of its path (ExportFormat §1); nil for other
    /// folders and for files beside the XML.
    static func kind(of path: String) -> SnapshotWriter.CompanionKind? {
        let parts = path.split(separator: "/")
        guard parts.count > 1 else { return nil }
        return switch parts[0] {
        case "electrocardiograms": .electrocardiogram
        case "clinical-records": .clinicalRecord
        case "attachments": .attachment
        default: nil
        }
    }

    private func isClinicalDocument(_ companion: ExportSource.Companion) -> Bool {
        guard companion.path.lowercased().hasSuffix(".xml"),
            let head = try? companion.location.head(in: archive)
        else { return false }
        return ArchiveError.Finding(head: head) == .clinicalDocument
    }

    private func content(
        of companion: ExportSource.Companion, _ kind: SnapshotWriter.CompanionKind
    ) -> Result<Content, QuarantineReason> {
        guard companion.byteCount <= CompanionFiles.maximumFileSize else {
            return .failure(QuarantineReason(reason: "larger than 32 MB"))
        }
        guard let bytes = try? bytes(of: companion) else {
            return .failure(QuarantineReason(reason: "can't be read"))
        }
        guard kind == .electrocardiogram else { return .success(Content(bytes: bytes)) }
        do throws(ElectrocardiogramFile.Fault) {
            let file = try ElectrocardiogramFile(bytes)
            return .success(Content(bytes: file.bytes, recorded: file.recorded))
        } catch {
            return .failure(QuarantineReason(reason: error.rawValue))
        }
    }

    func bytes(of companion: ExportSource.Companion) throws(ArchiveError) -> [UInt8] {
        let stream = try open(companion)
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while bytes.count <= CompanionFiles.maximumFileSize {
            let count = try stream.read(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw ArchiveError(.sizeMismatch, in: companion.path)
    }
}
