import HealthEngine

/// The sources and origins of one file, numbered by their bytes as they are met.
///
/// Numbers hold for one batch; they stay the same in later ones until there are too many.
struct OriginTable {
    private var interning = ByteInterning()
    private var key: [UInt8] = []
    private var recent = RecentOrigins()
    private var sourceIndex: [String: Int32] = [:]
    private(set) var sources: [Source] = []
    private(set) var origins: [Origin] = []

    static let unknownSource = "Unknown source"

    /// Whether it is time to begin anew: real files have some thousands.
    var isLarge: Bool { origins.count > 20_000 }

    /// The number of the origin that an element's attributes describe.
    mutating func number(_ attributes: borrowing RecordAttributes) -> Int32 {
        if let known = recent.number(attributes) { return known }
        let number = interned(attributes)
        recent.remember(number, attributes)
        return number
    }

    private mutating func interned(_ attributes: borrowing RecordAttributes) -> Int32 {
        key.removeAll(keepingCapacity: true)
        append(attributes.sourceName?.value)
        append(attributes.sourceVersion?.value)
        append(attributes.unit?.value)
        append(attributes.device.map { DeviceText.withoutPointer($0.value) })
        let (number, isNew) = key.withUnsafeBufferPointer { interning.number($0) }
        if isNew {
            origins.append(
                Origin(
                    source: source(attributes.sourceName?.string ?? OriginTable.unknownSource),
                    version: attributes.sourceVersion?.string,
                    device: attributes.device.flatMap { DeviceText.device($0.string) },
                    unit: attributes.unit?.string))
        }
        return Int32(number)
    }

    /// The origin of what no source wrote: activity summaries.
    mutating func sourceless() -> Int32 {
        key = [0]
        let (number, isNew) = key.withUnsafeBufferPointer { interning.number($0) }
        if isNew { origins.append(Origin(source: -1)) }
        return Int32(number)
    }

    private mutating func source(_ name: String) -> Int32 {
        if let index = sourceIndex[name] { return index }
        let index = Int32(sources.count)
        sources.append(Source(name: name, bundleIdentifier: ""))
        sourceIndex[name] = index
        return index
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>?) {
        if let bytes {
            key.append(contentsOf: bytes)
            key.append(0x1F)
        } else {
            key.append(0x1E)
        }
    }
}
