/// The known attributes of a sample's element. `others` has those with other names.
struct RecordAttributes {
    typealias Attribute = ElementScanner.Attribute

    var type: Attribute?
    var unit: Attribute?
    var value: Attribute?
    var sourceName: Attribute?
    var sourceVersion: Attribute?
    var device: Attribute?
    var creationDate: Attribute?
    var startDate: Attribute?
    var endDate: Attribute?
    var others: [Attribute] = []

    /// Keeps the first of several attributes with the same known name.
    @inline(__always)
    init(_ tag: ElementScanner.Tag) {
        for attribute in tag.attributes {
            let name = attribute.name
            switch name.count {
            case 4 where name.equals("type"): type = type ?? attribute
            case 4 where name.equals("unit"): unit = unit ?? attribute
            case 5 where name.equals("value"): value = value ?? attribute
            case 6 where name.equals("device"): device = device ?? attribute
            // The name of `sourceName` in iOS 8.
            case 6 where name.equals("source"): sourceName = sourceName ?? attribute
            case 7 where name.equals("endDate"): endDate = endDate ?? attribute
            case 9 where name.equals("startDate"):
                if startDate == nil { startDate = attribute } else { others.append(attribute) }
            case 10 where name.equals("sourceName"): sourceName = sourceName ?? attribute
            case 12 where name.equals("creationDate"): creationDate = creationDate ?? attribute
            case 13 where name.equals("sourceVersion"):
                sourceVersion = sourceVersion ?? attribute
            default: others.append(attribute)
            }
        }
        if others.isEmpty { return }
        // A defect of betas of iOS 16 (ExportFormat §3.5): `startDate` appears twice, and the
        // second one is the end.
        if endDate == nil, let index = others.firstIndex(where: { $0.name.equals("startDate") }) {
            endDate = others.remove(at: index)
        }
        others.removeAll { $0.name.equals("startDate") }
    }
}

extension ElementScanner.Tag {
    /// Returns the text of an attribute, or nil if it is missing.
    func string(_ name: StaticString) -> String? {
        attributes.first { $0.name.equals(name) }?.string
    }

    /// Returns an attribute as a number; nil if it is missing or invalid.
    func number(_ name: StaticString) -> Double? {
        attributes.first { $0.name.equals(name) }.flatMap { ExportNumber.parse($0.value) }
    }

    /// Returns an attribute as seconds since 2001-01-01T00:00:00Z; nil if it is missing or invalid.
    func date(_ name: StaticString) -> Double? {
        attributes.first { $0.name.equals(name) }.flatMap { ExportDate.seconds($0.value) }
    }
}
