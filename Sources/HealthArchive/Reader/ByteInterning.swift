#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An interning table that assigns numbers to byte strings, such as types, origins, metadata and
/// values.
///
/// Equal bytes get equal numbers, from 0 in order of first occurrence. The table is an
/// open-addressing hash table over one array of bytes. Looking up known bytes allocates nothing.
struct ByteInterning {
    private struct Entry {
        var hash: UInt64
        var offset: Int
        var count: Int
    }

    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    private var slots: [Int32]
    private var mask: Int

    init() {
        slots = Array(repeating: -1, count: 256)
        mask = 255
    }

    var count: Int { entries.count }

    /// Returns the number of the bytes, and whether they are new. New bytes are added.
    mutating func number(_ bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
        let hash = ByteInterning.hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.count == bytes.count, isEqual(entry, bytes) {
                return (Int(slots[slot]), false)
            }
            slot = (slot + 1) & mask
        }
        let number = entries.count
        slots[slot] = Int32(number)
        entries.append(Entry(hash: hash, offset: arena.count, count: bytes.count))
        arena.append(contentsOf: bytes)
        if entries.count * 2 > slots.count { grow() }
        return (number, true)
    }

    /// Returns the number of the bytes if they are known; nil otherwise. Does not add them.
    func known(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = ByteInterning.hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.count == bytes.count, isEqual(entry, bytes) {
                return Int(slots[slot])
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Removes all entries, so that rare values don't accumulate. The numbers start at 0 again, and
    /// the memory is kept for reuse.
    mutating func removeAll() {
        arena.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = -1 }
    }

    private func isEqual(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        arena.withUnsafeBufferPointer { stored in
            guard let start = stored.baseAddress, let other = bytes.baseAddress else {
                return entry.count == 0
            }
            return memcmp(start + entry.offset, other, entry.count) == 0
        }
    }

    private mutating func grow() {
        mask = slots.count * 2 - 1
        slots = Array(repeating: -1, count: slots.count * 2)
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(number)
        }
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        let raw = UnsafeRawBufferPointer(bytes)
        var position = 0
        while position + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
            hash ^= hash >> 32
            position += 8
        }
        var rest: UInt64 = 0
        while position < raw.count {
            rest = rest << 8 | UInt64(raw[position])
            position += 1
        }
        hash = (hash ^ rest) &* 0xBF58_476D_1CE4_E5B9
        return hash ^ (hash >> 32)
    }
}
