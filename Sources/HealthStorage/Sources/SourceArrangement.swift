import GRDB
public import HealthEngine

/// Another order of a type's sources, to try before it is saved or to save.
///
/// ```swift
/// let phoneFirst = SourceArrangement(order: ["iPhone", "Watch"])
/// try store.explanation(of: day, arranged: phoneFirst).merged   // saves nothing
/// try store.arrange(steps, as: phoneFirst)                      // does
/// ```
public struct SourceArrangement: Hashable, Sendable {
    /// Names or bundle identifiers, the winner first. They share out the places they hold in the
    /// order in force, so that a source which isn't named keeps its own.
    public var order: [String]
    /// Sources to be left out or taken back in, by name or bundle identifier; the others as they are.
    public var participation: [String: SampleStore.Participation]

    public init(
        order: [String] = [], participation: [String: SampleStore.Participation] = [:]
    ) {
        self.order = order
        self.participation = participation
    }
}

extension SampleStore {
    /// Saves an arrangement of a type's sources.
    ///
    /// - Throws: ``StoreError`` if a name fits no source, or several, or a source is named twice.
    public func arrange(_ type: SampleType, as arrangement: SourceArrangement) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let current = table.order(try SourceTable.settings(db, type: type.code))
            let order = try table.order(current, arranged: arrangement)
            if order.ranking != current.ranking {
                try SampleStore.store(order.ranking, of: type, table, db)
            }
            for index in order.excluded.symmetricDifference(current.excluded).sorted() {
                try SampleStore.store(
                    order.excluded.contains(index) ? .excluded : .included,
                    of: table.entries[Int(index)].id, in: type, db)
            }
        }
    }

    /// One source of a type's order.
    public struct RankedSource: Hashable, Sendable {
        public var source: Source
        public var participation: Participation
        /// What means it in a command: its name, or its bundle identifier where another has that name.
        public var word: String
    }

    /// The sources of a type's order, the winner first, whether or not they have samples of it.
    ///
    /// - Parameter arrangement: Another order to try; nil for the one in force.
    /// - Throws: ``StoreError`` if a name fits no source, or several, or a source is named twice.
    /// - Complexity: O(sources²).
    public func sourceOrder(
        of type: SampleType, arranged arrangement: SourceArrangement? = nil
    ) throws -> [RankedSource] {
        try read { db in
            let table = try sourceTable(db)
            var order = table.order(try SourceTable.settings(db, type: type.code))
            if let arrangement { order = try table.order(order, arranged: arrangement) }
            return order.ranking.map { index in
                let source = table.sources[Int(index)]
                let named = try? SampleStore.source(named: source.name, in: table)
                return RankedSource(
                    source: source,
                    participation: order.excluded.contains(index) ? .excluded : .included,
                    word: named == index ? source.name : source.bundleIdentifier)
            }
        }
    }
}

extension SourceTable {
    /// An order as an arrangement would change it.
    func order(
        _ current: SourceOrder, arranged arrangement: SourceArrangement
    ) throws -> SourceOrder {
        let chosen = try arrangement.order.map { try SampleStore.source(named: $0, in: self) }
        guard Set(chosen).count == chosen.count else {
            throw StoreError(
                .invalidArgument,
                "One source is named twice: \(arrangement.order.joined(separator: ", ")).")
        }
        var order = current
        var next = chosen.makeIterator()
        for place in order.ranking.indices where chosen.contains(order.ranking[place]) {
            if let source = next.next() { order.ranking[place] = source }
        }
        for (name, participation) in arrangement.participation {
            let source = try SampleStore.source(named: name, in: self)
            switch participation {
            case .included: order.excluded.remove(source)
            case .excluded: order.excluded.insert(source)
            }
        }
        return order
    }
}
