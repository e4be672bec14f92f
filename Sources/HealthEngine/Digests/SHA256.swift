/// An incremental SHA-256 digest (FIPS 180-4).
///
/// Foundation has no SHA-256 on Linux, and this type avoids a dependency. Digests identify photos and
/// received bodies by their content, and detect damaged ones. Of secrets, only random ones of 256
/// bits are stored as digests, so no salt and no slow hash is needed.
package struct SHA256: Sendable {
    private var state = State()
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Returns the digest of a sequence of bytes in lowercase hexadecimal digits.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var digest = SHA256()
        digest.update(Array(bytes))
        return digest.finish()
    }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: [UInt8]) { update(bytes[...]) }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        count += UInt64(bytes.count)
        var bytes = bytes
        if !pending.isEmpty {
            let taken = bytes.prefix(64 - pending.count)
            pending.append(contentsOf: taken)
            bytes = bytes.dropFirst(taken.count)
            guard pending.count == 64 else { return }
            pending.withUnsafeBytes { state.add(blocks: $0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count / 64 * 64
        bytes.prefix(whole).withUnsafeBytes { state.add(blocks: $0) }
        pending.append(contentsOf: bytes.dropFirst(whole))
    }

    /// Returns the digest of all bytes in lowercase hexadecimal digits. Nothing can be added
    /// afterwards.
    package mutating func finish() -> String {
        bytes().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Returns the 32 bytes of the digest of all bytes. Nothing can be added afterwards.
    package mutating func bytes() -> [UInt8] {
        let bits = count &* 8
        var padding: [UInt8] = [0x80]
        while (pending.count + padding.count) % 64 != 56 { padding.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            padding.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        update(padding)
        return state.words.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }
}

/// The eight words of a digest between two blocks.
private struct State {
    private(set) var words: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Adds whole blocks of 64 bytes. Without bounds checks: a body has a digest, and this is most of
    /// its cost.
    mutating func add(blocks: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            State.constants.withUnsafeBufferPointer { constants in
                for start in stride(from: 0, to: blocks.count, by: 64) {
                    State.expand(blocks, start, into: schedule)
                    add(schedule, constants)
                }
            }
        }
    }

    private static func expand(
        _ blocks: UnsafeRawBufferPointer, _ start: Int,
        into schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            schedule[index] = UInt32(
                bigEndian: blocks.loadUnaligned(
                    fromByteOffset: start &+ index &* 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let early = schedule[index &- 15]
            let late = schedule[index &- 2]
            let small = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
            let large = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
            schedule[index] = schedule[index &- 16] &+ small &+ schedule[index &- 7] &+ large
        }
    }

    private mutating func add(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for index in 0..<64 {
            let second = State.rotated(e, 6) ^ State.rotated(e, 11) ^ State.rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let one = h &+ second &+ choice &+ constants[index] &+ schedule[index]
            let first = State.rotated(a, 2) ^ State.rotated(a, 13) ^ State.rotated(a, 22)
            let two = first &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ one)
            (d, c, b, a) = (c, b, a, one &+ two)
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
        words[5] &+= f
        words[6] &+= g
        words[7] &+= h
    }

    private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
        word &>> places | word &<< (32 &- places)
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
        0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
        0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
        0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
