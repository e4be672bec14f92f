/// What was met in a file besides its samples: counted, never guessed.
struct ReadingTally {
    /// Elements by name, wherever they stand.
    var elements: [String: Int] = [:]
    var repairs: [String: Int] = [:]
    var unknownElements: [String: Int] = [:]
    /// By "Element.attribute".
    var unknownAttributes: [String: Int] = [:]
    var unknownTypes: [String: Int] = [:]
    /// Units nobody knows, and known ones that don't fit their type.
    var unknownUnits: [String: Int] = [:]
    /// Names of category values, activities and events nobody knows.
    var unknownValues: [String: Int] = [:]
    /// Known elements kept as text until a later version reads them.
    var untyped: [String: Int] = [:]
    /// Why records were quarantined.
    var quarantined: [String: Int] = [:]
    /// Elements lost to damage, and where the first one stood.
    var lost = 0
    var firstLoss: Int64?
    /// Where the file broke off, or nil if it ended as it should.
    var truncatedAt: Int64?

    mutating func lose(at offset: Int64) {
        lost += 1
        firstLoss = firstLoss ?? offset
    }
}
