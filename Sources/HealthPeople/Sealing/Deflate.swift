internal import CZlib
import Foundation

/// zlib streams in memory, after their length.
enum Deflate {
    /// The longest content: the limit of SQLite's changesets.
    private static let maximumLength = Int(Int32.max)

    static func compressed(_ content: some ContiguousBytes) throws(PeopleError) -> [UInt8] {
        let result: [UInt8]? = content.withUnsafeBytes { source -> [UInt8]? in
            guard source.count <= maximumLength else { return nil }
            let bound = Int(compressBound(uLong(source.count)))
            return [UInt8](unsafeUninitializedCapacity: 8 + bound) { target, count in
                let length = UInt64(source.count).bigEndian
                withUnsafeBytes(of: length) { bytes in
                    for (index, byte) in bytes.enumerated() { target[index] = byte }
                }
                var written = uLong(bound)
                let code = compress2(
                    target.baseAddress.map { $0 + 8 }, &written,
                    source.bindMemory(to: UInt8.self).baseAddress, uLong(source.count), 6)
                count = code == Z_OK ? 8 + Int(written) : 0
            }
        }
        guard let result, !result.isEmpty else { throw .sealingFailed }
        return result
    }

    static func inflated(_ compressed: [UInt8]) throws(PeopleError) -> [UInt8] {
        guard compressed.count >= 8 else { throw .damagedLog }
        let length = compressed.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(maximumLength) else { throw .damagedLog }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { target, count in
            // zlib refuses a target without an address, also for nothing.
            var nothing: UInt8 = 0
            var written = uLong(length)
            let code = compressed.withUnsafeBufferPointer { source in
                withUnsafeMutablePointer(to: &nothing) { nothing in
                    uncompress(
                        target.baseAddress ?? nothing, &written,
                        source.baseAddress.map { $0 + 8 }, uLong(source.count - 8))
                }
            }
            isWhole = code == Z_OK && written == length
            count = isWhole ? Int(length) : 0
        }
        guard isWhole else { throw .damagedLog }
        return bytes
    }
}
