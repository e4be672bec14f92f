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
        add(bit, to: word, ofPage: page)
    }

    /// Inserts a run of numbers from 0 to ``highest``, unless one of them is in the set. Returns
    /// whether it did.
    mutating func insert(_ run: ClosedRange<Int64>) -> Bool {
        guard run.lowerBound >= 0, run.upperBound <= SequenceSet.highest else { return false }
        let words = run.lowerBound >> 6...run.upperBound >> 6
        for word in words where bits(ofWord: word) & SequenceSet.mask(of: run, inWord: word) != 0 {
            return false
        }
        for word in words {
            let (page, place, _) = SequenceSet.place(word << 6)
            add(SequenceSet.mask(of: run, inWord: word), to: place, ofPage: page)
        }
        return true
    }

    private mutating func add(_ bits: UInt64, to word: Int, ofPage page: Int) {
        if page >= pages.count {
            pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
        }
        if pages[page].isEmpty {
            pages[page] = Array(repeating: 0, count: 1 << (SequenceSet.pageBits - 6))
        }
        pages[page][word] |= bits
    }

    /// Calls `body` with each longest run of numbers in `range` that aren't in the set, in order.
    ///
    /// - Complexity: O(pages + elements / 64 + runs), however long the range is.
    func forEachGap(
        in range: ClosedRange<Int64>, _ body: (ClosedRange<Int64>) throws -> Void
    ) rethrows {
        var next = range.lowerBound
        for (number, page) in pages.enumerated() {
            for (offset, word) in page.enumerated() {
                let base = Int64(number) << SequenceSet.pageBits + Int64(offset) << 6
                var bits = word
                while bits != 0 {
                    let begin = bits.trailingZeroBitCount
                    let end = begin + (~(bits >> begin)).trailingZeroBitCount
                    let first = base + Int64(begin)
                    if first > range.upperBound { break }
                    if next < first { try body(next...first - 1) }
                    next = max(next, base + Int64(end))
                    bits &= .max << end
                }
            }
        }
        if next <= range.upperBound { try body(next...range.upperBound) }
    }

    private func bits(ofWord word: Int64) -> UInt64 {
        let (page, place, _) = SequenceSet.place(word << 6)
        guard page < pages.count, place < pages[page].count else { return 0 }
        return pages[page][place]
    }

    /// Returns the bits of the numbers of a run in the word that contains `word · 64`.
    private static func mask(of run: ClosedRange<Int64>, inWord word: Int64) -> UInt64 {
        let first = UInt64(max(run.lowerBound - word << 6, 0))
        let last = UInt64(min(run.upperBound - word << 6, 63))
        return .max << first & .max >> (63 - last)
    }

    @inline(__always)
    private static func place(_ sequence: Int64) -> (page: Int, word: Int, bit: UInt64) {
        let inside = Int(sequence & (1 << pageBits - 1))
        return (Int(sequence >> pageBits), inside >> 6, 1 << UInt64(inside & 63))
    }
}
