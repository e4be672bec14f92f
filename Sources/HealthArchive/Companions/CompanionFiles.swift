import HealthStorage

extension CompanionFiles {
    /// Files larger than this are left out and named.
    static let largestKept: Int64 = 32 << 20

    /// What is kept of a file.
    private struct Content {
        var bytes: [UInt8]
        var recorded: Double?
    }

    /// Why a file is left out.
    private struct Refusal: Error {
        var reason: String
    }

    /// Keeps electrocardiograms, clinical records and attachments in the store.
    ///
    /// Routes belong to workouts, and a clinical document repeats what the export says: it is counted
    /// and left out. Anything else stays unused and is told by folder.
    ///
    /// - Complexity: O(bytes of the files), one file in memory at a time.
    func keep(in writer: SnapshotWriter) throws -> CompanionTally {
        var tally = CompanionTally()
        for companion in source.companions {
            guard let kind = CompanionFiles.kind(of: companion.path) else {
                if isClinicalDocument(companion) {
                    use(companion)
                    tally.clinicalDocuments += 1
                }
                continue
            }
            use(companion)
            switch content(of: companion, kind) {
            case .success(let content):
                let isNew = try writer.keepFile(
                    content.bytes, name: companion.path, kind: kind, recorded: content.recorded)
                if isNew {
                    tally.new[kind.rawValue, default: 0] += 1
                } else {
                    tally.known[kind.rawValue, default: 0] += 1
                }
            case .failure(let refusal): tally.quarantine(companion.path, refusal.reason)
            }
        }
        return tally
    }

    /// By the folder, whose name no language changes (ExportFormat §1).
    private static func kind(of path: String) -> SnapshotWriter.CompanionKind? {
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
            let head = try? companion.place.head(in: archive)
        else { return false }
        return ExportLocator.Finding(head: head) == .clinicalDocument
    }

    private func content(
        of companion: ExportSource.Companion, _ kind: SnapshotWriter.CompanionKind
    ) -> Result<Content, Refusal> {
        guard companion.byteCount <= CompanionFiles.largestKept else {
            return .failure(Refusal(reason: "larger than 32 MB"))
        }
        guard let bytes = try? bytes(of: companion) else {
            return .failure(Refusal(reason: "can't be read"))
        }
        guard kind == .electrocardiogram else { return .success(Content(bytes: bytes)) }
        do throws(ElectrocardiogramFile.Fault) {
            let file = try ElectrocardiogramFile(bytes)
            return .success(Content(bytes: file.bytes, recorded: file.recorded))
        } catch {
            return .failure(Refusal(reason: error.rawValue))
        }
    }

    private func bytes(of companion: ExportSource.Companion) throws(ArchiveError) -> [UInt8] {
        let stream = try open(companion)
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while bytes.count <= CompanionFiles.largestKept {
            let count = try stream.read(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw ArchiveError(.sizeMismatch, in: companion.path)
    }
}
