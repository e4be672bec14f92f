import HealthEngine
import HealthStorage

// What hearing tests and prescriptions have in common: an element is one sample, whose numbers are
// in its inner elements.
extension ExportReader {
    /// The elements other than `Record` that are counted with records in a report.
    static let measurementElements = ["Audiogram", "VisionPrescription"]

    /// The text of an element, for the case that one of its numbers is invalid.
    struct MeasurementGroup {
        let name: String
        let offset: Int64
        private let isEmpty: Bool
        private var text: RawXMLText
        /// Why the element is invalid; nil if it isn't.
        var fault: RecordFault?

        init(_ tag: Tag) {
            name = tag.nameString
            offset = tag.offset
            isEmpty = tag.isEmpty
            text = RawXMLText(tag)
        }

        /// Adds the tag of an inner element. Its own contents, which known exports don't have, are
        /// kept separately.
        mutating func add(_ child: Tag) {
            text.start(child)
            if !child.isEmpty { text.end(child.name) }
        }

        var xml: String {
            if isEmpty { return text.string }
            var text = text
            Array(name.utf8).withUnsafeBufferPointer { text.end($0) }
            return text.string
        }
    }

    /// Quarantines an element that was read to its end. Returns true.
    func quarantine(_ group: MeasurementGroup, _ fault: RecordFault) throws -> Bool {
        tally.quarantine(fault.rawValue, group.name, at: group.offset)
        try keep(
            group.xml, element: group.name, reason: .quarantined, at: group.offset,
            sampleKind: .other)
        return true
    }

    /// Appends the sample of an element.
    func append(
        _ detail: SampleDetail, _ identifier: String, _ origin: Int32, _ times: SampleTimes,
        _ entries: inout MetadataEntries
    ) throws {
        let code = try type(identifier: identifier)
        batch.details[batch.samples.count] = detail
        batch.samples.append(
            Sample(
                type: code, origin: origin, metadata: metadata.index(of: &entries),
                start: times.start, end: times.end, created: times.created))
    }

    /// Counts an element's unknown attributes, and its type if it is another one than expected, and
    /// keeps them as metadata.
    func noteOthers(
        _ attributes: RecordAttributes, of element: String, type: StaticString?,
        _ entries: inout MetadataEntries
    ) {
        var others = attributes.others + [attributes.unit, attributes.value].compactMap { $0 }
        if let type, let attribute = attributes.type, !attribute.value.equals(type) {
            others.append(attribute)
        }
        for attribute in others { note(attribute, of: element, keepIn: &entries) }
    }

    /// Returns the symbol of a unit as written, and counts one that doesn't fit. Without one, the
    /// unit is the usual one, which is counted too.
    func unit(_ symbol: String?, _ usual: String) -> String {
        guard let symbol else {
            tally.unknownValues.add("no unit, read as \(usual)")
            return usual
        }
        if RecordedQuantity(0, symbol).value(in: usual) == nil { tally.unknownUnits.add(symbol) }
        return symbol
    }
}

extension ElementScanner.Tag {
    /// Returns an attribute as a number; nil if it is missing. The fault is a text that is no
    /// number.
    func optionalNumber(_ name: StaticString) -> Result<Double?, ExportReader.RecordFault> {
        guard let attribute = attributes.first(where: { $0.name.equals(name) }) else {
            return .success(nil)
        }
        guard let number = ExportNumber.parse(attribute.value) else { return .failure(.badValue) }
        return .success(number)
    }
}
