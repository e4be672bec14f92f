/// Finds a similar name for a mistyped one.
package enum SpellingSuggestion {
    /// Returns the candidate with the smallest edit distance, also to its last part ("berlin" finds
    /// Europe/Berlin); nil if that needs several edits, and more than a third of the name's length.
    package static func best(for name: String, among candidates: [String]) -> String? {
        let wanted = name.lowercased().utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
        let scored = candidates.map { candidate -> (String, Int) in
            let lower = candidate.lowercased()
            let last = lower.split(separator: "/").last.map { Array($0.utf8) } ?? []
            return (candidate, min(edits(wanted, Array(lower.utf8)), edits(wanted, last)))
        }
        guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(1, wanted.count / 3) else {
            return nil
        }
        return best.0
    }

    /// Returns the optimal string alignment distance of two texts in UTF-8: the number of bytes to
    /// insert, delete or replace, and of neighbours to swap.
    static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var next = [i + 1]
            for (j, y) in b.enumerated() {
                var edits = min(row[j] + (x == y ? 0 : 1), next[j] + 1, row[j + 1] + 1)
                if i > 0, j > 0, x == b[j - 1], a[i - 1] == y {
                    edits = min(edits, before[j - 1] + 1)
                }
                next.append(edits)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
