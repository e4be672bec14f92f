/// The smallest and the largest value of a column in a row group, with which readers skip groups.
struct ParquetStatistics {
    private let kind: ParquetColumn.Kind
    var nulls = 0
    private var isEmpty = true
    private var isOrdered = true
    private var (smallest, largest) = (Int64(0), Int64(0))
    private var (lowest, highest) = (Double.infinity, -Double.infinity)
    /// The limits of texts, which are known only if all texts are in a dictionary.
    var texts: (first: String, last: String)?

    init(_ kind: ParquetColumn.Kind) { self.kind = kind }

    /// The longest text in statistics, in bytes.
    private static let longestText = 128

    /// Adds a whole number, a date, an instant, or 0 or 1 for false or true.
    mutating func add(_ value: Int64) {
        if isEmpty {
            (smallest, largest) = (value, value)
            isEmpty = false
            return
        }
        if value < smallest { smallest = value }
        if value > largest { largest = value }
    }

    /// Adds a number. NaN has no place in the order, so after one the limits are left out.
    mutating func add(_ value: Double) {
        isEmpty = false
        if value.isNaN { isOrdered = false }
        if value < lowest { lowest = value }
        if value > highest { highest = value }
    }

    /// The statistics as a structure of the footer.
    var structure: [UInt8] {
        var statistics = CompactThrift()
        statistics.add(3, int64: Int64(nulls))
        if let (least, greatest) = limits {
            statistics.add(5, binary: greatest)
            statistics.add(6, binary: least)
        }
        return statistics.structure
    }

    private var limits: (least: [UInt8], greatest: [UInt8])? {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        switch kind {
        case .text:
            guard let texts,
                max(texts.first.utf8.count, texts.last.utf8.count) <= ParquetStatistics.longestText
            else { return nil }
            return (Array(texts.first.utf8), Array(texts.last.utf8))
        case _ where isEmpty || !isOrdered: return nil
        case .boolean: return ([UInt8(smallest)], [UInt8(largest)])
        case .int32, .date:
            return (bytes(Int32(clamping: smallest)), bytes(Int32(clamping: largest)))
        case .int64, .timestamp: return (bytes(smallest), bytes(largest))
        case .double:
            // Zeros of both signs are equal, so the limits include both.
            let (low, high) = (lowest == 0 ? -0.0 : lowest, highest == 0 ? 0.0 : highest)
            return (bytes(low.bitPattern), bytes(high.bitPattern))
        }
    }
}
