/// Finds a similar name for a mistyped one.
package enum SpellingSuggestion {
    /// Returns the candidate with the smallest edit distance, also to its last part ("berlin" finds
    /// Europe/Berlin); nil if that needs several edits, and more than a third of the name's length.
    package static func best(for name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().replacing(" ", with: "_").utf8)
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

    /// Returns the Levenshtein distance of two texts in UTF-8: the number of bytes to insert,
    /// delete or replace.
    static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let substitution = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
