/// A set of sequence numbers as a paged bitmap, used for the stored rows that a file contains or
/// replaces.
///
/// Pages of 32 KB, for 262,144 numbers each, are allocated on demand.
struct SequenceSet {
    /// The largest number that a set can have. ``insert(_:)`` ignores larger and negative ones,
    /// which only damaged stores have.
    static let highest: Int64 = 1 << 40

    private static let pageBits = 18
    private var pages: [[UInt64]]
    /// The number of elements.
    private(set) var count = 0

    /// Creates an empty set, with a list of pages that is long enough for numbers up to `last`.
    init(upTo last: Int64) {
        let last = min(max(last, 0), SequenceSet.highest)
        pages = Array(repeating: [], count: Int(last >> SequenceSet.pageBits) + 1)
    }

    func contains(_ sequence: Int64) -> Bool {
        let (page, word, bit) = SequenceSet.place(sequence)
        guard page >= 0, page < pages.count, word < pages[page].count else { return false }
        return pages[page][word] & bit != 0
    }

    mutating func insert(_ sequence: Int64) {
        guard (0...SequenceSet.highest).contains(sequence) else { return }
        let (page, word, bit) = SequenceSet.place(sequence)
        if page >= pages.count {
            pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
        }
        if pages[page].isEmpty {
            pages[page] = Array(repeating: 0, count: 1 << (SequenceSet.pageBits - 6))
        }
        if pages[page][word] & bit == 0 { count += 1 }
        pages[page][word] |= bit
    }

    /// Inserts a run of numbers, unless one of them is in the set. Returns whether it did.
    mutating func insert(_ run: ClosedRange<Int64>) -> Bool {
        if run.contains(where: contains) { return false }
        for sequence in run { insert(sequence) }
        return true
    }

    /// Calls `body` with each longest run of numbers in `range` that aren't in the set, in order.
    ///
    /// - Complexity: O(range / 64 + runs).
    func forEachGap(
        in range: ClosedRange<Int64>, _ body: (ClosedRange<Int64>) throws -> Void
    ) rethrows {
        var first: Int64?
        var sequence = range.lowerBound
        while sequence <= range.upperBound {
            let bits = word(sequence)
            // A whole word of one kind is passed at once.
            if sequence & 63 == 0, bits == 0 || bits == .max, range.upperBound - sequence >= 64 {
                if bits == 0 {
                    first = first ?? sequence
                } else if let begin = first {
                    try body(begin...sequence - 1)
                    first = nil
                }
                sequence += 64
                continue
            }
            if !contains(sequence) {
                first = first ?? sequence
            } else if let begin = first {
                try body(begin...sequence - 1)
                first = nil
            }
            sequence += 1
        }
        if let first { try body(first...range.upperBound) }
    }

    private func word(_ sequence: Int64) -> UInt64 {
        let (page, word, _) = SequenceSet.place(sequence)
        guard page >= 0, page < pages.count, word < pages[page].count else { return 0 }
        return pages[page][word]
    }

    @inline(__always)
    private static func place(_ sequence: Int64) -> (page: Int, word: Int, bit: UInt64) {
        let inside = Int(sequence & (1 << pageBits - 1))
        return (Int(sequence >> pageBits), inside >> 6, 1 << UInt64(inside & 63))
    }
}
