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

    private var named: [String: Int] = [:]
    /// Names met as bytes, by the number of these, so that no text is made of them each time.
    private var numbers = ByteInterning()
    private var numbered: [(name: String, count: Int)] = []

    var counts: [String: Int] {
        var all = self
        for (name, count) in numbered { all.add(name, count) }
        return all.named
    }

    var isEmpty: Bool { named.isEmpty && numbered.isEmpty }

    /// Counts a name by its bytes in the file.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>) {
        guard name.count <= NameCounts.longestName, numbered.count < NameCounts.limit else {
            return add(TextRepair.string(name, .verbatim))
        }
        let (number, isNew) = numbers.number(name)
        if isNew { numbered.append((TextRepair.string(name, .verbatim), 0)) }
        numbered[number].count += 1
    }

    mutating func add(_ name: String, _ count: Int = 1) {
        if named[name] != nil {
            named[name, default: 0] += count
            return
        }
        var name = name
        if name.utf8.count > NameCounts.longestName {
            name = String(decoding: name.utf8.prefix(NameCounts.longestName), as: UTF8.self) + "…"
        }
        let isKnown = named[name] != nil || named.count < NameCounts.limit
        named[isKnown ? name : NameCounts.others, default: 0] += count
    }

    subscript(name: String) -> Int { counts[name] ?? 0 }
}
