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
    private static let places = 16
    private static let longest = 512

    /// The cached values' bytes, with 512 bytes for each of the 16 values.
    private var bytes = [UInt8](repeating: 0, count: places * longest)
    private var counts = [Int](repeating: -1, count: places)
    private var changes = [Bool](repeating: false, count: places)

    /// Returns whether decoding changes a value; nil if the value isn't in the cache.
    func isChanged(_ value: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let start = value.baseAddress, let place = InspectedValueCache.place(value),
            counts[place] == value.count
        else { return nil }
        let isSame = bytes.withUnsafeBytes {
            guard let known = $0.baseAddress else { return false }
            return memcmp(known + place * InspectedValueCache.longest, start, value.count) == 0
        }
        return isSame ? changes[place] : nil
    }

    mutating func remember(_ value: UnsafeBufferPointer<UInt8>, isChanged: Bool) {
        guard let place = InspectedValueCache.place(value) else { return }
        counts[place] = value.count
        changes[place] = isChanged
        let start = place * InspectedValueCache.longest
        bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyBytes(from: value)
        }
    }

    private static func place(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        value.count > 0 && value.count <= longest ? value.count % places : nil
    }
}
