#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A direct-mapped cache of origin numbers, keyed by the bytes of the attributes that describe an
/// origin. Records of one device are usually adjacent, or alternate with those of another.
struct OriginCache {
    private struct Entry {
        /// The sizes in bytes of the four attributes, -1 for a missing one. The initial -2 matches
        /// no attributes.
        var counts = SIMD4<Int32>(repeating: -2)
        var bytes: [UInt8] = []
        var number: Int32 = -1
    }

    private static let slotCount = 16
    /// The maximum total bytes of the attributes of one entry. Larger ones aren't cached.
    private static let maximumLength = 1024

    private var entries = Array(repeating: Entry(), count: OriginCache.slotCount)

    /// Returns the cached origin number of these attributes, or nil if they aren't cached.
    @inline(__always)
    func number(_ attributes: borrowing RecordAttributes) -> Int32? {
        let counts = OriginCache.counts(attributes)
        return entries.withUnsafeBufferPointer { entries in
            let entry = entries[OriginCache.slot(counts)]
            guard entry.counts == counts else { return nil }
            return entry.bytes.withUnsafeBufferPointer { bytes in
                var position = 0
                let isSame =
                    OriginCache.passes(attributes.sourceName, bytes, &position)
                    && OriginCache.passes(attributes.sourceVersion, bytes, &position)
                    && OriginCache.passes(attributes.unit, bytes, &position)
                    && OriginCache.passes(attributes.device, bytes, &position)
                return isSame ? entry.number : nil
            }
        }
    }

    mutating func insert(_ number: Int32, _ attributes: borrowing RecordAttributes) {
        let counts = OriginCache.counts(attributes)
        guard counts.wrappedSum() <= OriginCache.maximumLength else { return }
        let slot = OriginCache.slot(counts)
        entries[slot].counts = counts
        entries[slot].number = number
        entries[slot].bytes.removeAll(keepingCapacity: true)
        for attribute in [
            attributes.sourceName, attributes.sourceVersion, attributes.unit, attributes.device,
        ] {
            if let attribute { entries[slot].bytes.append(contentsOf: attribute.value) }
        }
    }

    @inline(__always)
    private static func counts(_ attributes: borrowing RecordAttributes) -> SIMD4<Int32> {
        SIMD4(
            attributes.sourceName?.valueCount ?? -1, attributes.sourceVersion?.valueCount ?? -1,
            attributes.unit?.valueCount ?? -1, attributes.device?.valueCount ?? -1)
    }

    @inline(__always)
    private static func slot(_ counts: SIMD4<Int32>) -> Int {
        Int((counts &* SIMD4(1, 3, 5, 7)).wrappedSum() & Int32(slotCount - 1))
    }

    /// Returns whether an attribute's bytes equal those at `position`, and moves `position` past
    /// them. A missing or empty attribute is equal.
    @inline(__always)
    private static func passes(
        _ attribute: ElementScanner.Attribute?, _ bytes: UnsafeBufferPointer<UInt8>,
        _ position: inout Int
    ) -> Bool {
        guard let attribute, attribute.valueCount > 0, let start = bytes.baseAddress else {
            return true
        }
        defer { position += Int(attribute.valueCount) }
        return memcmp(start + position, attribute.valueStart, Int(attribute.valueCount)) == 0
    }
}
