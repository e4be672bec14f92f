import Foundation
import HealthStorage

extension StoreExport {
    /// Writes, after the records, the elements that the store keeps as text. Those that can't be
    /// top-level elements are counted. Those of clinical records that are samples are left out.
    static func writeElements(
        of store: SampleStore, to archive: inout ExportArchive, _ tally: inout StoreExportTally
    ) throws {
        let records = archive.recordPaths
        let typed = try TypedElements(of: store)
        try store.forEachRawElement { element in
            if let file = element.clinicalRecordFile, records.contains(file) { return }
            if typed.contains(element) { return }
            if element.isPreservedAtTopLevel {
                try archive.write(rawElement: element.xml)
            } else {
                tally.countOmission(of: element)
            }
        }
    }

    /// Writes electrocardiograms, clinical records and attachments. Names that occur twice are
    /// changed, and files whose names are unsafe or too long are left out; both are counted. Files
    /// of clinical records that are samples are written already.
    static func writeFiles(
        of store: SampleStore, to archive: ExportArchive, _ tally: inout StoreExportTally,
        _ pulse: () throws -> Void
    ) throws {
        let records = archive.recordPaths
        var used = records
        try store.forEachImportedFile { file in
            try pulse()
            if file.kind == .clinicalRecord, records.contains(file.name) { return }
            guard ZipEntry.isSafe(file.name), file.name.utf8.count < 0xFF00 else {
                tally.add(.unnamedFiles, named: [file.name])
                return
            }
            let name = unused(file.name, &used)
            if name != file.name { tally.add(.renamedFiles, named: [file.name]) }
            tally.files += 1
            try archive.add(
                name,
                file.kind == .electrocardiogram
                    ? ElectrocardiogramFile.anonymousHeader + file.content : file.content)
        }
    }

    /// Writes what programs have attached to samples, as `attachments/IDENTIFIER/NAME`. An import
    /// finds the file by the folder (`AttachmentFileIndex`).
    static func writeAttachments(
        of store: SampleStore, to archive: ExportArchive, _ tally: inout StoreExportTally,
        _ pulse: () throws -> Void
    ) throws {
        try store.forEachAttachment { attachment in
            let name = StoredAttachment.fileName(attachment.name)
            try archive.begin("attachments/\(attachment.identifier)/\(name)")
            tally.files += 1
            if !tally.namedAttachments.contains(attachment.identifier) {
                tally.add(.unnamedAttachments, 1)
            }
        } chunk: { chunk in
            try pulse()
            try chunk.withUnsafeBytes { try archive.append($0) }
        }
    }

    /// Returns a name that is not in use: "clinical-records/Observation-1_2.json" if
    /// "clinical-records/Observation-1.json" is.
    private static func unused(_ name: String, _ used: inout Set<String>) -> String {
        let folder = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
        let dot = name[folder...].lastIndex(of: ".") ?? name.endIndex
        var candidate = name
        var number = 2
        while !used.insert(candidate).inserted {
            candidate = "\(name[..<dot])_\(number)\(name[dot...])"
            number += 1
        }
        return candidate
    }
}

extension StoreExportTally {
    fileprivate mutating func countOmission(of element: RawElement) {
        add(.rawElements, 1)
        // The element name of a damaged route file is the file's path. An empty name means that the
        // text isn't an element.
        let name = element.element.isEmpty ? "no element" : element.element
        if names[.rawElements]?.contains(name) != true {
            names[.rawElements, default: []].append(name)
        }
    }
}

extension RawElement {
    /// The elements of samples that this version reads. Quarantined ones can be written at top
    /// level.
    private static let groups: Set = [
        "Record", "Correlation", "Workout", "ActivitySummary", "Audiogram", "VisionPrescription",
    ]
    /// The other elements that this version reads. Most are nested in samples.
    private static let parts: Set = [
        "HealthData", "ExportDate", "Me", "MetadataEntry", "WorkoutEvent", "WorkoutActivity",
        "WorkoutStatistics", "WorkoutRoute", "FileReference", "Location", "WorkoutZone",
        "WorkoutZoneGroup", "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute",
        "SensitivityPoint", "RightEye", "LeftEye", "Attachment",
    ]

    /// Whether the element, written at top level, is kept as the same text by an import.
    ///
    /// An unknown element may have been nested in another. Its place there is not known any more,
    /// so it is written at top level.
    var isPreservedAtTopLevel: Bool {
        switch reason {
        case .untyped: break
        case .quarantined: if !RawElement.groups.contains(element) { return false }
        case .unknown:
            if RawElement.groups.union(RawElement.parts).contains(element) { return false }
        case .malformed: return false
        }
        return RawElement.isComplete(xml)
    }

    /// The path of the file of a clinical record, below the folder of the export; nil for other
    /// elements.
    fileprivate var clinicalRecordFile: String? {
        guard element == ClinicalRecordElement.name else { return nil }
        var scanner = ElementScanner(
            reading: TextStream(xml), name: "", bufferByteCount: 64 << 10)
        guard case .start(let tag)? = try? scanner.next(),
            let name = ClinicalRecordElement(tag).file?.split(separator: "/").last
        else { return nil }
        return ClinicalRecordNames.folder + name
    }

    /// Returns whether a text is exactly one complete element that needs no repair and contains no
    /// element that belongs at top level, such as a record, which would be read as a separate one.
    private static func isComplete(_ xml: String) -> Bool {
        if xml.hasSuffix(RawXMLText.truncationMark) { return false }
        var scanner = ElementScanner(
            reading: TextStream(xml), name: "", bufferByteCount: 64 << 10)
        var roots = 0
        while let event = try? scanner.next() {
            switch event {
            case .start(let tag):
                if tag.depth == 0 { roots += 1 }
                if tag.depth > 0, ExportReader.isTopLevel(tag) { return false }
            case .end(let end): if end.isImplied { return false }
            case .text: continue
            case .skipped: return false
            }
        }
        return roots == 1 && scanner.ending == .complete && scanner.repairs.isEmpty
    }
}

/// A byte stream over a string.
final class TextStream: ByteStream {
    private var remaining: ArraySlice<UInt8>
    private(set) var consumedByteCount: Int64 = 0

    init(_ text: String) { remaining = Array(text.utf8)[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let piece = remaining.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        remaining = remaining.dropFirst(piece.count)
        consumedByteCount += Int64(piece.count)
        return piece.count
    }
}
