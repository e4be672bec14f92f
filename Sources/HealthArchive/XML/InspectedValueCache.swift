#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A cache of recently inspected attribute values that have bytes marked by
/// ``ByteWord/special(_:)`` and need no repair. Device names, for example, are repeated by every
/// record.
struct InspectedValueCache {
    private static let slotCount = 16
    private static let maximumLength = 512

    /// The cached values' bytes, with 512 bytes for each of the 16 values.
    private var bytes = [UInt8](repeating: 0, count: slotCount * maximumLength)
    private var counts = [Int](repeating: -1, count: slotCount)
    private var changes = [Bool](repeating: false, count: slotCount)

    /// Returns whether decoding changes a value; nil if the value isn't in the cache.
    func isChanged(_ value: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let start = value.baseAddress, let slot = InspectedValueCache.slot(value),
            counts[slot] == value.count
        else { return nil }
        let isSame = bytes.withUnsafeBytes {
            guard let known = $0.baseAddress else { return false }
            return memcmp(known + slot * InspectedValueCache.maximumLength, start, value.count) == 0
        }
        return isSame ? changes[slot] : nil
    }

    mutating func insert(_ value: UnsafeBufferPointer<UInt8>, isChanged: Bool) {
        guard let slot = InspectedValueCache.slot(value) else { return }
        counts[slot] = value.count
        changes[slot] = isChanged
        let start = slot * InspectedValueCache.maximumLength
        bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyBytes(from: value)
        }
    }

    private static func slot(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        value.count > 0 && value.count <= maximumLength ? value.count % slotCount : nil
    }
}
