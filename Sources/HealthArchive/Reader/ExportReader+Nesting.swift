import HealthEngine
import HealthStorage

// The nesting of elements, also in files with missing tags.
extension ExportReader {
    /// The maximum number of members of a correlation or workout. Real ones have a few dozen. A
    /// larger group has probably lost its end tag, and would hold the rest of the file in memory,
    /// so it is ended.
    static let maximumGroupSize = 4096

    /// Visits the children of an element. Returns false if the file ends inside it.
    ///
    /// `visit` also reads the child's own children, and returns whether the child was complete. A
    /// child with an overlong tag is kept as text instead. A child that belongs at top level ends
    /// this element, whose end tag must be missing; the child is then passed to ``read()`` through
    /// ``pushedBackTag``. Records are allowed in correlations and workouts.
    func children(of tag: Tag, _ visit: (Tag) throws -> Bool) throws -> Bool {
        if tag.isEmpty { return true }
        let depth = tag.depth
        let containsRecords = tag.name.equals("Correlation") || tag.name.equals("Workout")
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                if ExportReader.isTopLevel(child), !(containsRecords && child.name.equals("Record"))
                {
                    pushBack(child)
                    return true
                }
                if ExportReader.isTooLong(child) {
                    if try !keepLong(child) { return false }
                } else if try !visit(child) {
                    return false
                }
                if pushedBackTag != nil { return true }
            case .end(let end):
                note(end)
                if end.depth <= depth { return true }
            case .text: continue
            case .skipped(let fragment): try recordLoss(of: fragment)
            }
        }
        return false
    }

    /// Keeps as text, and counts, the children of an element that has none in known exports.
    /// Returns false if the file ends inside the element.
    func skipChildren(of tag: Tag) throws -> Bool {
        try children(of: tag) { child in
            count(child)
            return try keepRaw(child, .unknown)
        }
    }

    /// Returns whether an element is the root or belongs directly inside it. A record can also be
    /// in a correlation, a workout, or an unknown group.
    static func isTopLevel(_ tag: Tag) -> Bool {
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

    /// Ends all open elements down to top level, so that `tag` begins a new one there. Records a
    /// loss, since the position of the real end is unknown.
    func pushBack(_ tag: Tag) {
        tally.recordLoss(at: tag.offset)
        pushedBackTag = scanner.endElements(from: topLevel, before: tag)
    }

    /// Records a loss for an implied end, since the position of the real end is unknown.
    func note(_ end: ElementScanner.EndTag) {
        if end.isImplied { tally.recordLoss(at: end.offset) }
    }

    /// Keeps bytes that the scanner skipped as text, and records a loss: malformed markup, an end
    /// tag without a start tag, or text outside the root. The export no longer counts as complete.
    func recordLoss(of fragment: ElementScanner.Fragment) throws {
        tally.recordLoss(at: fragment.offset)
        try keep(
            String(decoding: fragment.raw, as: UTF8.self), element: "", reason: .malformed,
            at: fragment.offset)
    }

    // MARK: - Groups

    /// Reads a member of the correlation or workout at `index` in the batch. Above the limits on
    /// groups, ends the group instead, and the member becomes a top-level record.
    func member(_ tag: Tag, of index: Int) throws -> Bool {
        if batch.samples.count - index > ExportReader.maximumGroupSize
            || metadata.byteCount > ExportLimits.maximumGroupMetadataLength
        {
            pushBack(tag)
            return true
        }
        return try record(tag, .member(of: index))
    }

    /// Reads a record whose group isn't stored. Called only while the batch contains no incomplete
    /// correlation or workout, so that the batch may be delivered.
    private func orphan(_ tag: Tag) throws -> Bool {
        let begin = batch.samples.count
        if try !record(tag, .orphan) {
            dropIncomplete("Record", from: begin)
            return false
        }
        if batch.samples.count >= ExportReader.batchSize { try flush() }
        return true
    }

    /// Quarantines an invalid correlation, workout or activity summary: keeps it as text and counts
    /// it. Returns false if the file ends inside it.
    ///
    /// The records of a correlation or workout are read nevertheless. Like members, they can repeat
    /// records elsewhere in the file.
    func quarantineGroup(
        _ tag: Tag, kind: SampleType.Kind, _ fault: RecordFault
    ) throws -> Bool {
        let (name, offset) = (tag.nameString, tag.offset)
        guard let xml = try rawSubtree(tag) else {
            tally.countTruncated(name)
            return false
        }
        tally.quarantine(fault.rawValue, name, at: offset)
        try keep(xml, element: name, reason: .quarantined, at: offset, sampleKind: kind)
        return true
    }

    // MARK: - Elements kept as text

    func count(_ tag: Tag) { tally.elements.add(tag.name) }

    /// Keeps an element with its contents as text, and counts it as unknown or unsupported
    /// according to `reason`. Returns false if the file ends inside it; then nothing is kept.
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

    /// Returns whether the tag of an inner element is longer than in any known export. For records
    /// and metadata entries, this is checked elsewhere.
    private static func isTooLong(_ tag: Tag) -> Bool {
        tag.raw.count > ExportLimits.maximumTagLength && !tag.name.equals("MetadataEntry")
            && !tag.name.equals("Record")
    }

    /// Keeps an inner element with an overlong tag as text, and counts it. Returns false if the
    /// file ends inside it.
    private func keepLong(_ tag: Tag) throws -> Bool {
        count(tag)
        tally.repairs["keptAsText", default: 0] += 1
        let (name, offset) = (tag.nameString, tag.offset)
        guard let xml = try rawSubtree(tag) else { return false }
        try keep(xml, element: name, reason: .malformed, at: offset)
        return true
    }

    /// Quarantines a top-level correlation, workout or activity summary with an overlong tag.
    /// Returns false, without doing anything, for other elements, which have their own limits.
    func quarantineLong(_ tag: Tag) throws -> Bool {
        let kind: SampleType.Kind
        switch tag.nameString {
        case "Correlation": kind = .correlation
        case "Workout": kind = .workout
        case "ActivitySummary": kind = .activitySummary
        case "Audiogram", "VisionPrescription": kind = .other
        default: return false
        }
        count(tag)
        _ = try quarantineGroup(tag, kind: kind, .tooLong)
        return true
    }

    /// Keeps a single tag as text, without the element's contents, up to ``RawXMLText/limit``.
    func keep(_ tag: Tag, _ reason: SnapshotWriter.RawReason) throws {
        if reason == .malformed { tally.repairs["keptAsText", default: 0] += 1 }
        try keep(
            String(decoding: tag.raw.prefix(RawXMLText.limit), as: UTF8.self),
            element: tag.nameString, reason: reason, at: tag.offset)
    }

    /// Returns the text of an element with its contents, up to ``RawXMLText/limit``; nil if the
    /// file ends inside it.
    ///
    /// Records in a top-level correlation, workout or unknown element are also read, so that such
    /// an element hides no records. An element that belongs at top level ends this one, whose end
    /// tag must be missing.
    func rawSubtree(_ tag: Tag) throws -> String? {
        var text = RawXMLText(tag)
        if tag.isEmpty { return text.string }
        let depth = tag.depth
        let containsRecords = depth == topLevel && ExportReader.mayContainRecords(tag)
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                guard ExportReader.isTopLevel(child) else {
                    count(child)
                    text.start(child)
                    continue
                }
                guard containsRecords && child.name.equals("Record") else {
                    pushBack(child)
                    return text.string
                }
                text.start(child)
                if !child.isEmpty { text.end(child.name) }
                if try !orphan(child) { return nil }
                if pushedBackTag != nil { return text.string }
            case .end(let end):
                note(end)
                text.end(end.name)
                if end.depth <= depth { return text.string }
            case .text(let content): text.text(content.raw)
            case .skipped(let fragment): try recordLoss(of: fragment)
            }
        }
        return nil
    }

    private static func mayContainRecords(_ tag: Tag) -> Bool {
        !isTopLevel(tag) || tag.name.equals("Correlation") || tag.name.equals("Workout")
    }
}
