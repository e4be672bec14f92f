/// The codewords of a QR code: the data in byte mode, with Reed–Solomon error correction.
struct QRCodewords {
    let version: Int
    private let level: QRCode.Level
    private var data: [UInt8]

    /// Encodes bytes in the smallest version; nil if they don't fit in version 40.
    init?(_ bytes: [UInt8], level: QRCode.Level) {
        let fitting = (1...40).first { version in
            let bits = 4 + QRCodewords.lengthBits(version) + 8 * bytes.count
            return bits <= 8 * QRCodewords.capacity(version, level)
        }
        guard let fitting else { return nil }
        version = fitting
        self.level = level
        var bits = BitBuffer()
        bits.append(0b0100, count: 4)  // byte mode
        bits.append(bytes.count, count: QRCodewords.lengthBits(fitting))
        for byte in bytes { bits.append(Int(byte), count: 8) }
        let capacity = QRCodewords.capacity(fitting, level)
        bits.append(0, count: min(4, 8 * capacity - bits.count))
        bits.append(0, count: (8 - bits.count % 8) % 8)
        data = bits.bytes
        var pad: UInt8 = 0xEC
        while data.count < capacity {
            data.append(pad)
            pad ^= 0xEC ^ 0x11
        }
    }

    /// The data and correction codewords of all blocks, in the order in which they are drawn.
    var interleaved: [UInt8] {
        let blockCount = QRCodewords.blockCounts(level)[version - 1]
        let correction = QRCodewords.correctionCounts(level)[version - 1]
        let total = QRCodewords.moduleCount(version) / 8
        // The last blocks are one codeword longer.
        let shortCount = blockCount - total % blockCount
        let shortLength = total / blockCount - correction
        var blocks: [[UInt8]] = []
        var corrections: [[UInt8]] = []
        var next = 0
        for block in 0..<blockCount {
            let length = shortLength + (block < shortCount ? 0 : 1)
            let part = Array(data[next..<next + length])
            next += length
            blocks.append(part)
            corrections.append(ReedSolomon.remainder(of: part, count: correction))
        }
        var result: [UInt8] = []
        for index in 0...shortLength {
            for block in blocks where index < block.count { result.append(block[index]) }
        }
        for index in 0..<correction {
            for block in corrections { result.append(block[index]) }
        }
        return result
    }

    // MARK: - Tables

    /// The number of data codewords of a version.
    private static func capacity(_ version: Int, _ level: QRCode.Level) -> Int {
        moduleCount(version) / 8
            - correctionCounts(level)[version - 1] * blockCounts(level)[version - 1]
    }

    private static func lengthBits(_ version: Int) -> Int { version < 10 ? 8 : 16 }

    /// The number of modules for codewords: all without the function patterns.
    private static func moduleCount(_ version: Int) -> Int {
        var count = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            count -= (25 * alignments - 10) * alignments - 55
        }
        return version >= 7 ? count - 36 : count
    }

    /// The number of correction codewords of each block, by version.
    private static func correctionCounts(_ level: QRCode.Level) -> [Int] {
        switch level {
        case .low:
            [
                7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28,
                28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
            ]
        case .medium:
            [
                10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26,
                28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
            ]
        }
    }

    /// The number of blocks, by version.
    private static func blockCounts(_ level: QRCode.Level) -> [Int] {
        switch level {
        case .low:
            [
                1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12,
                13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
            ]
        case .medium:
            [
                1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20,
                21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
            ]
        }
    }
}

/// Bits that are appended one after another.
private struct BitBuffer {
    private(set) var count = 0
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: Int, count bits: Int) {
        for bit in stride(from: bits - 1, through: 0, by: -1) {
            if count % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}

/// Reed–Solomon error correction over GF(2⁸) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
private enum ReedSolomon {
    /// Returns the correction codewords of a block.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = divisor(count)
        var result = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in 0..<count { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    /// Returns the coefficients of the generator polynomial, without the first one, which is 1.
    private static func divisor(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var result = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            result = result << 1 ^ (result >> 7) * 0x11D
            if b >> UInt8(bit) & 1 == 1 { result ^= Int(a) }
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
