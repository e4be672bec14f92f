internal import HealthEngine

/// A cache of XML fragments that many samples of a batch share, created on demand.
struct ExportFragments {
    /// The attributes of an origin, in two parts before and after the memory address in `device`.
    struct Provenance {
        /// From `sourceName` to `<<HKDevice: 0x`, escaped; without a device, all attributes except
        /// `unit`.
        var beforePointer: [UInt8]
        /// From `>, name:` to the end of `device`, escaped; nil if there is no device.
        var afterPointer: [UInt8]?
        /// The attribute ` unit="count"`; empty if the origin has no unit.
        var unit: [UInt8]
    }

    private let batch: SampleBatch
    private var text: ExportText
    private var origins: [Provenance?]
    private var metadata: [[UInt8]?]
    private var types: [Int32: SampleType] = [:]
    private var latest: SampleType?

    init(batch: SampleBatch, offset: Int) {
        self.batch = batch
        text = ExportText(offset: offset)
        origins = Array(repeating: nil, count: batch.origins.count)
        metadata = Array(repeating: nil, count: batch.metadata.count)
    }

    var replacedCharacters: Int { text.replacedCharacters }

    /// Returns the type of a code, from the catalogue or else from `unknown`; nil if neither has
    /// it.
    mutating func type(_ code: Int32, unknown: (Int32) -> SampleType?) -> SampleType? {
        if let latest, latest.code == code { return latest }
        if let known = types[code] {
            latest = known
            return known
        }
        let found = Catalogue.type(code: code) ?? unknown(code)
        types[code] = found
        return found
    }

    /// Returns whether a sample's origin, source and metadata indices exist in the batch.
    func describes(_ sample: Sample) -> Bool {
        guard batch.origins.indices.contains(Int(sample.origin)),
            sample.metadata < 0 || batch.metadata.indices.contains(Int(sample.metadata))
        else { return false }
        return batch.sources.indices.contains(Int(batch.origins[Int(sample.origin)].source))
    }

    /// Returns the name of a sample's source. The sample must have passed ``describes(_:)``.
    func sourceName(of sample: Sample) -> String {
        batch.sources[Int(batch.origins[Int(sample.origin)].source)].name
    }

    /// Returns the attributes of the origin at an index. A sample with that origin must have passed
    /// ``describes(_:)``.
    mutating func provenance(_ index: Int32) -> Provenance {
        if let known = origins[Int(index)] { return known }
        let origin = batch.origins[Int(index)]
        text.removeAll()
        text.attribute("sourceName", batch.sources[Int(origin.source)].name)
        if let version = origin.version { text.attribute("sourceVersion", version) }
        var made = Provenance(beforePointer: [], afterPointer: nil, unit: [])
        if let device = origin.device {
            text.append(" device=\"&lt;&lt;HKDevice: 0x")
            made.beforePointer = text.bytes
            text.removeAll()
            describe(device)
            made.afterPointer = text.bytes
        } else {
            made.beforePointer = text.bytes
        }
        text.removeAll()
        if let unit = origin.unit { text.attribute("unit", unit) }
        made.unit = text.bytes
        origins[Int(index)] = made
        return made
    }

    private mutating func describe(_ device: Device) {
        text.append("&gt;")
        let parts = [
            ("name", device.name), ("manufacturer", device.manufacturer), ("model", device.model),
            ("hardware", device.hardwareVersion), ("firmware", device.firmwareVersion),
            ("software", device.softwareVersion), ("localIdentifier", device.localIdentifier),
            ("UDIDeviceIdentifier", device.udiDeviceIdentifier),
        ]
        for case (let key, let value?) in parts {
            text.append(", \(key):")
            text.escape(value)
        }
        text.append("&gt;\"")
    }

    /// Returns a sample's metadata. The sample must have passed ``describes(_:)``.
    func metadata(of sample: Sample) -> Metadata {
        sample.metadata < 0 ? [:] : batch.metadata[Int(sample.metadata)]
    }

    /// Returns the name of a category value that the import didn't know; nil if there is none, or
    /// if the sample has a number.
    func unknownValue(of sample: Sample) -> String? {
        guard sample.value.isNaN,
            case .string(let name) = metadata(of: sample)[ExportReader.unknownValueKey]
        else { return nil }
        return name
    }

    /// Returns the same as ``entries(_:)`` without the entry that holds the name of an unknown
    /// value.
    mutating func entriesWithoutValue(_ index: Int32) -> [UInt8] {
        guard index >= 0 else { return [] }
        var rest = batch.metadata[Int(index)]
        rest[ExportReader.unknownValueKey] = nil
        text.removeAll()
        text.entries(rest, indent: 2)
        return text.bytes
    }

    /// Returns the `MetadataEntry` elements of a metadata set, indented by two spaces; empty for a
    /// negative index.
    mutating func entries(_ index: Int32) -> [UInt8] {
        guard index >= 0 else { return [] }
        if let known = metadata[Int(index)] { return known }
        text.removeAll()
        text.entries(batch.metadata[Int(index)], indent: 2)
        metadata[Int(index)] = text.bytes
        return text.bytes
    }
}

extension ExportText {
    /// Appends `MetadataEntry` elements, sorted by key.
    mutating func entries(_ metadata: Metadata, indent: Int) {
        let spaces = String(repeating: " ", count: indent)
        for key in metadata.keys.sorted() {
            guard let value = metadata[key] else { continue }
            append(spaces)
            append("<MetadataEntry")
            attribute("key", key)
            append(" value=\"")
            switch value {
            case .string(let string): escape(string)
            case .number(let number): self.number(number)
            case .date(let seconds): date(seconds)
            case .quantity(let number, let unit):
                self.number(number)
                append(" ")
                escape(unit)
            }
            append("\"/>\n")
        }
    }
}
