/// How often each name was met, in bounded memory: a hostile file can name things without end.
///
/// ```swift
/// var counts = NameCounts()
/// counts.add("Halo")
/// counts.counts   // ["Halo": 1]
/// ```
struct NameCounts {
    /// The most names told apart; later ones count together as ``others``.
    static let limit = 2000
    /// The most bytes of a name; longer ones are cut and end with "…".
    static let longestName = 200
    static let others = "(others)"

    private(set) var counts: [String: Int] = [:]

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ name: String, _ count: Int = 1) {
        if counts[name] != nil {
            counts[name, default: 0] += count
            return
        }
        var name = name
        if name.utf8.count > NameCounts.longestName {
            name = String(decoding: name.utf8.prefix(NameCounts.longestName), as: UTF8.self) + "…"
        }
        let isKnown = counts[name] != nil || counts.count < NameCounts.limit
        counts[isKnown ? name : NameCounts.others, default: 0] += count
    }

    subscript(name: String) -> Int { counts[name] ?? 0 }
}
