import HealthEngine
import HealthStorage

// Where one element ends and the next begins, also where a file has lost a tag.
extension ExportReader {
    /// Members from which on no correlation or workout goes: real ones have some dozens, so one this
    /// large has lost its end, and would hold the rest of the file in memory.
    static let largestGroup = 4096

    /// Visits the children of an element; false if the file ended inside it.
    ///
    /// `visit` reads a child's own children too, and says whether it was whole. An element that can
    /// only stand at top level ends this one, whose own end tag must have been lost: it is given back
    /// to ``read()`` (``displaced``).
    func children(of tag: Tag, _ visit: (Tag) throws -> Bool) throws -> Bool {
        if tag.isEmpty { return true }
        let depth = tag.depth
        let holdsRecords = tag.name.equals("Correlation") || tag.name.equals("Workout")
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                if ExportReader.standsAlone(child), !(holdsRecords && child.name.equals("Record")) {
                    displace(child)
                    return true
                }
                if ExportReader.isTooLong(child) {
                    if try !keepLong(child) { return false }
                } else if try !visit(child) {
                    return false
                }
                if displaced != nil { return true }
            case .end(let end):
                note(end)
                if end.depth <= depth { return true }
            case .text: continue
            case .skipped(let fragment): try lose(fragment)
            }
        }
        return false
    }

    /// Passes over children that no export has, keeping them.
    func skipChildren(of tag: Tag) throws -> Bool {
        try children(of: tag) { child in
            count(child)
            return try keepRaw(child, .unknown)
        }
    }

    /// Whether an element can stand in none but the root; a record, though, in a correlation, a
    /// workout, or a group that nobody knows.
    static func standsAlone(_ tag: Tag) -> Bool {
        let name = tag.name
        return switch name.count {
        case 2: name.equals("Me")
        case 6: name.equals("Record")
        case 7: name.equals("Workout")
        case 9: name.equals("Audiogram")
        case 10: name.equals("HealthData") || name.equals("ExportDate")
        case 11: name.equals("Correlation")
        case 14: name.equals("ClinicalRecord")
        case 15: name.equals("ActivitySummary")
        case 18: name.equals("VisionPrescription")
        default: false
        }
    }

    /// Ends all that is open within the element at top level, so that `tag` begins one after it.
    func displace(_ tag: Tag) {
        tally.lose(at: tag.offset)
        displaced = scanner.endElements(from: topLevel, before: tag)
    }

    /// An end that stands nowhere in the file: where the element ended isn't known.
    func note(_ end: ElementScanner.EndTag) {
        if end.isImplied { tally.lose(at: end.offset) }
    }

    /// Bytes that are no element, or an end whose beginning is lost: kept, counted, and the export no
    /// longer counts as complete.
    func lose(_ fragment: ElementScanner.Fragment) throws {
        tally.lose(at: fragment.offset)
        try keep(
            String(decoding: fragment.raw, as: UTF8.self), element: "", reason: .malformed,
            at: fragment.offset)
    }

    // MARK: - Groups

    /// Reads a member of the correlation or workout at `index`.
    func member(_ tag: Tag, of index: Int) throws -> Bool {
        if batch.samples.count - index > ExportReader.largestGroup
            || metadata.byteCount > ExportLimits.longestGroupMetadata
        {
            displace(tag)
            return true
        }
        return try record(tag, .member(of: index))
    }

    /// Reads a record whose group is not stored; only ever at a moment when no group is open, so that
    /// the batch may be written.
    private func orphan(_ tag: Tag) throws -> Bool {
        let begin = batch.samples.count
        if try !record(tag, .orphan) {
            dropIncomplete("Record", from: begin)
            return false
        }
        if batch.samples.count >= ExportReader.batchSize { try flush() }
        return true
    }

    /// An element that is wrong by itself: kept as text; the records in it are read all the same, and
    /// may repeat others just as if it were right.
    func quarantineGroup(
        _ tag: Tag, kind: SampleType.Kind, _ fault: RecordFault
    ) throws -> Bool {
        let (name, offset) = (tag.nameString, tag.offset)
        guard let xml = try rawSubtree(tag) else {
            tally.cutShort(name)
            return false
        }
        tally.quarantine(fault.rawValue, name, at: offset)
        try keep(xml, element: name, reason: .quarantined, at: offset, sampleKind: kind)
        return true
    }

    // MARK: - Keeping what isn't understood

    func count(_ tag: Tag) { tally.elements.add(tag.name) }

    /// Keeps an element with all it contains as text; false if the file ended inside it.
    func keepRaw(_ tag: Tag, _ reason: SnapshotWriter.RawReason) throws -> Bool {
        let (name, offset) = (tag.nameString, tag.offset)
        if reason == .unknown {
            tally.unknownElements.add(name)
        } else {
            tally.untyped[name, default: 0] += 1
        }
        guard let xml = try rawSubtree(tag) else { return false }
        try keep(xml, element: name, reason: reason, at: offset)
        return true
    }

    /// Whether an element inside another has a longer tag than any export's; samples and metadata
    /// have limits of their own.
    private static func isTooLong(_ tag: Tag) -> Bool {
        tag.raw.count > ExportLimits.longestTag && !tag.name.equals("MetadataEntry")
            && !tag.name.equals("Record")
    }

    /// Keeps an inner element whose tag is too long as text; false if the file ended inside it.
    private func keepLong(_ tag: Tag) throws -> Bool {
        count(tag)
        tally.repairs["keptAsText", default: 0] += 1
        let (name, offset) = (tag.nameString, tag.offset)
        guard let xml = try rawSubtree(tag) else { return false }
        try keep(xml, element: name, reason: .malformed, at: offset)
        return true
    }

    /// Quarantines a group at top level whose tag is longer than any export's; false for elements that
    /// have limits of their own.
    func quarantineLong(_ tag: Tag) throws -> Bool {
        let kind: SampleType.Kind
        switch tag.nameString {
        case "Correlation": kind = .correlation
        case "Workout": kind = .workout
        case "ActivitySummary": kind = .activitySummary
        default: return false
        }
        count(tag)
        _ = try quarantineGroup(tag, kind: kind, .tooLong)
        return true
    }

    /// Keeps one tag, without what it contains.
    func keep(_ tag: Tag, _ reason: SnapshotWriter.RawReason) throws {
        if reason == .malformed { tally.repairs["keptAsText", default: 0] += 1 }
        try keep(
            String(decoding: tag.raw.prefix(KeptText.limit), as: UTF8.self),
            element: tag.nameString, reason: reason, at: tag.offset)
    }

    /// The text of an element with all it contains, up to a limit; nil if the file ended inside it.
    ///
    /// Records in a group at top level that isn't understood are read as well, so that a group of
    /// tomorrow hides no record, and neither does one that has lost its end.
    func rawSubtree(_ tag: Tag) throws -> String? {
        var text = KeptText(tag)
        if tag.isEmpty { return text.string }
        let depth = tag.depth
        let holdsRecords = depth == topLevel && ExportReader.mayHoldRecords(tag)
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                guard ExportReader.standsAlone(child) else {
                    count(child)
                    text.start(child)
                    continue
                }
                guard holdsRecords && child.name.equals("Record") else {
                    displace(child)
                    return text.string
                }
                text.start(child)
                if !child.isEmpty { text.end(child.name) }
                if try !orphan(child) { return nil }
                if displaced != nil { return text.string }
            case .end(let end):
                note(end)
                text.end(end.name)
                if end.depth <= depth { return text.string }
            case .text(let content): text.text(content.raw)
            case .skipped(let fragment): try lose(fragment)
            }
        }
        return nil
    }

    private static func mayHoldRecords(_ tag: Tag) -> Bool {
        !standsAlone(tag) || tag.name.equals("Correlation") || tag.name.equals("Workout")
    }
}
