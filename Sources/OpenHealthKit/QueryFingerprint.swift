import HealthEngine
import HealthStorage

/// What an anchored query asked, in a few bytes that mean the same in every process; ours.
///
/// Bounds of time take no part: a window that moves on from day to day asks the same.
public struct QueryFingerprint: Hashable, Sendable {
    /// Of the types, in whichever order they were given.
    let types: UInt64
    /// Of the predicates.
    let filters: UInt64

    init(types: UInt64, filters: UInt64) {
        self.types = types
        self.filters = filters
    }

    init(_ requests: [SampleRequest]) {
        types = Self.hash(requests.map { $0.type.identifier })
        filters = Self.hash(
            requests.map { "\($0.type.identifier) \($0.filter.beyondTimeBounds)" })
    }

    /// FNV-1a over the sorted texts.
    private static func hash(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for text in Set(texts).sorted() {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xff) &* 0x100_0000_01b3
        }
        return hash
    }
}
