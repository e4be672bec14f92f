import HealthEngine
import HealthStorage

/// The sources and origins of one file, numbered by their bytes in order of first occurrence.
///
/// The limits are ``ExportLimits/maximumOrigins`` and ``ExportLimits/maximumOriginBytes``, and the
/// number of new sources that the store accepts. New origins beyond them get no number.
struct OriginTable {
    private var interning = ByteInterning()
    private var key: [UInt8] = []
    private var cache = OriginCache()
    private var sourceIndex: [String: Int32] = [:]
    private var quota: SourceQuota
    private var byteCount = 0
    private(set) var sources: [Source] = []
    private(set) var origins: [Origin] = []

    static let unknownSource = "Unknown source"

    init(_ quota: SourceQuota) { self.quota = quota }

    /// Returns the number of the origin that an element's attributes describe; nil for a new one
    /// beyond the limits.
    mutating func number(_ attributes: borrowing RecordAttributes) -> Int32? {
        if let known = cache.number(attributes) { return known }
        guard let number = interned(attributes) else { return nil }
        cache.insert(number, attributes)
        return number
    }

    private mutating func interned(_ attributes: borrowing RecordAttributes) -> Int32? {
        key.removeAll(keepingCapacity: true)
        append(attributes.sourceName?.value)
        append(attributes.sourceVersion?.value)
        append(attributes.unit?.value)
        append(attributes.device.map { DeviceText.withoutPointer($0.value) })
        if let known = key.withUnsafeBufferPointer({ interning.known($0) }) { return Int32(known) }
        guard origins.count < ExportLimits.maximumOrigins,
            byteCount + key.count <= ExportLimits.maximumOriginBytes,
            let source = source(attributes.sourceName?.string ?? OriginTable.unknownSource)
        else { return nil }
        let (number, isNew) = key.withUnsafeBufferPointer { interning.number($0) }
        if isNew {
            byteCount += key.count
            origins.append(
                Origin(
                    source: source,
                    version: attributes.sourceVersion?.string,
                    device: attributes.device.flatMap { DeviceText.device($0.string) },
                    unit: attributes.unit?.string))
        }
        return Int32(number)
    }

    /// Returns the number of the origin without a source, which activity summaries have.
    mutating func sourceless() -> Int32 {
        key = [0]
        let (number, isNew) = key.withUnsafeBufferPointer { interning.number($0) }
        if isNew { origins.append(Origin(source: -1)) }
        return Int32(number)
    }

    private mutating func source(_ name: String) -> Int32? {
        if let index = sourceIndex[name] { return index }
        guard quota.accept(name) else { return nil }
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
