/// What was met in a file besides its samples: counted, never guessed.
struct ReadingTally {
    /// Elements by name, wherever they stand, but for the two that come by the million.
    var elements = NameCounts()
    var records = 0
    var metadataEntries = 0
    var repairs: [String: Int] = [:]
    var unknownElements = NameCounts()
    /// By "Element.attribute".
    var unknownAttributes = NameCounts()
    var unknownTypes = NameCounts()
    /// Units nobody knows, and known ones that don't fit their type.
    var unknownUnits = NameCounts()
    /// Names of category values, activities and events nobody knows.
    var unknownValues = NameCounts()
    /// Known elements kept as text until a later version reads them.
    var untyped: [String: Int] = [:]
    /// Why records were quarantined.
    var quarantined: [String: Int] = [:]
    /// Elements by name that the end of the file cut short, with those in them: not imported.
    var cutShort: [String: Int] = [:]
    /// Days of rings that a later element of the file says again, which counts.
    var superseded = 0
    /// Where the first quarantined elements stand.
    var quarantinePlaces: [ImportReport.QuarantinePlace] = []
    /// Places where an element, or where one begins or ends, was lost to damage; and the first.
    var lost = 0
    var firstLoss: Int64?
    var routes = RouteTally()
    var files = CompanionTally()
    /// Where the file broke off, or nil if it ended as it should.
    var truncatedAt: Int64?

    /// Elements by name, all of them.
    var elementCounts: [String: Int] {
        var counts = elements.counts
        if records > 0 { counts["Record"] = records }
        if metadataEntries > 0 { counts["MetadataEntry"] = metadataEntries }
        return counts
    }

    /// How many places are listed; the rest is only counted.
    private static let mostPlaces = 20

    mutating func quarantine(_ reason: String, _ element: String, at offset: Int64) {
        quarantined[reason, default: 0] += 1
        if quarantinePlaces.count < ReadingTally.mostPlaces {
            quarantinePlaces.append(.init(offset: offset, element: element, reason: reason))
        }
    }

    /// Notes an element that the file ended in, and whole records in it that go with it.
    mutating func cutShort(_ element: String, records: Int = 0) {
        cutShort[element, default: 0] += 1
        if records > 0 { cutShort["Record", default: 0] += records }
    }

    mutating func lose(at offset: Int64) {
        lost += 1
        firstLoss = firstLoss ?? offset
    }
}
