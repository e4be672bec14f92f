/// A set of sequence numbers, one bit each: which rows of the store an import has met.
struct SequenceSet {
    private var words: [UInt64]
    /// How many numbers are in it.
    private(set) var count = 0

    /// Holds numbers up to `last` without growing.
    init(upTo last: Int64) { words = Array(repeating: 0, count: Int(last / 64) + 1) }

    func contains(_ sequence: Int64) -> Bool {
        let word = Int(sequence / 64)
        return word < words.count && words[word] & (1 << UInt64(sequence % 64)) != 0
    }

    mutating func insert(_ sequence: Int64) {
        let word = Int(sequence / 64)
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        let bit: UInt64 = 1 << UInt64(sequence % 64)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }
}
