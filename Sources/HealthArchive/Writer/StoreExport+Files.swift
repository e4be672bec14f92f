import HealthStorage

extension StoreExport {
    /// Writes the elements that are kept as text after the records. Those that can't be top-level
    /// elements are counted.
    static func writeElements(
        of store: SampleStore, to archive: inout ExportArchive, _ tally: inout StoreExportTally
    ) throws {
        try store.forEachRawElement { element in
            if element.canStandAlone {
                try archive.write(rawElement: element.xml)
            } else {
                tally.leaveOut(element)
            }
        }
    }

    /// Writes electrocardiograms, clinical records and attachments under their original names.
    static func writeFiles(
        of store: SampleStore, to archive: ExportArchive, _ tally: inout StoreExportTally,
        _ pulse: () throws -> Void
    ) throws {
        var used: Set<String> = []
        try store.forEachKeptFile { file in
            try pulse()
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
                    ? ElectrocardiogramFile.nobodysHeading + file.content : file.content)
        }
    }

    /// Returns an unused name: "clinical-records/Observation-1_2.json" if the first is taken.
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
    fileprivate mutating func leaveOut(_ element: RawElement) {
        add(.rawElements, 1)
        // A damaged route file is kept under its own name. An empty name means that it isn't an
        // element.
        let name = element.element.isEmpty ? "no element" : element.element
        if names[.rawElements]?.contains(name) != true {
            names[.rawElements, default: []].append(name)
        }
    }
}

extension RawElement {
    /// Elements that are children of the root in Apple's files.
    private static let groups: Set = ["Record", "Correlation", "Workout", "ActivitySummary"]
    /// Elements that are nested in others.
    private static let parts: Set = [
        "HealthData", "ExportDate", "Me", "MetadataEntry", "WorkoutEvent", "WorkoutActivity",
        "WorkoutStatistics", "WorkoutRoute", "FileReference", "Location", "WorkoutZone",
        "WorkoutZoneGroup", "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute",
    ]

    /// Whether the element, written at top level, is read back as the same.
    ///
    /// An unknown element may have been nested in another. It can't be restored there, so it is
    /// kept at top level.
    var canStandAlone: Bool {
        switch reason {
        case .untyped: break
        case .quarantined: if !RawElement.groups.contains(element) { return false }
        case .unknown:
            if RawElement.groups.union(RawElement.parts).contains(element) { return false }
        case .malformed: return false
        }
        return RawElement.isWhole(xml)
    }

    /// Returns whether a text is exactly one complete element and contains no record, which would
    /// be read as a separate one.
    private static func isWhole(_ xml: String) -> Bool {
        if xml.hasSuffix(KeptText.cutMark) { return false }
        var scanner = ElementScanner(
            reading: TextStream(xml), name: "", bufferByteCount: 64 << 10)
        var roots = 0
        while let event = try? scanner.next() {
            switch event {
            case .start(let tag):
                if tag.depth == 0 { roots += 1 }
                if tag.depth > 0, ExportReader.standsAlone(tag) { return false }
            case .end(let end): if end.isImplied { return false }
            case .text: continue
            case .skipped: return false
            }
        }
        return roots == 1 && scanner.ending == .complete && scanner.repairs.isEmpty
    }
}

/// A byte stream over a string.
private final class TextStream: ByteStream {
    private var rest: ArraySlice<UInt8>
    private(set) var consumedByteCount: Int64 = 0

    init(_ text: String) { rest = Array(text.utf8)[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        consumedByteCount += Int64(piece.count)
        return piece.count
    }
}
