import GRDB
public import HealthEngine

/// A change to a type's source order and exclusions, to try without saving or to save.
///
/// ```swift
/// let steps = try store.type(named: "stepCount")
/// let day = SampleQuery(steps, from: midnight, to: midnight + 86_400)
/// let phoneFirst = SourceOrderProposal(order: ["iPhone", "Watch"])
/// try store.explanation(of: day, applying: phoneFirst).merged   // saves nothing
/// try store.apply(phoneFirst, to: steps)                        // saves it
/// ```
public struct SourceOrderProposal: Hashable, Sendable {
    /// Names or bundle identifiers, highest priority first. The named sources are distributed in
    /// this order over the places that they have now; every other source keeps its place.
    public var order: [String]
    /// The sources to include or exclude, by name or bundle identifier. Others don't change.
    public var participation: [String: SampleStore.Participation]

    public init(
        order: [String] = [], participation: [String: SampleStore.Participation] = [:]
    ) {
        self.order = order
        self.participation = participation
    }
}

extension SampleStore {
    /// Saves a change to a type's source order and exclusions.
    ///
    /// - Parameters:
    ///   - proposal: The changes to the current order.
    ///   - type: The type.
    /// - Throws: ``StoreError`` if no source or several have a name, a source is named twice, or
    ///   the file can't be written.
    public func apply(_ proposal: SourceOrderProposal, to type: SampleType) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let current = table.order(try SourceTable.settings(db, type: type.code))
            let order = try table.order(current, applying: proposal)
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

    /// A source in a type's order.
    public struct RankedSource: Hashable, Sendable {
        /// The source.
        public var source: Source
        /// Whether the source is included in statistics of the type.
        public var participation: Participation
        /// An unambiguous name for commands: the source's name, or its bundle identifier if the
        /// name is not unique.
        package var uniqueName: String
    }

    /// Returns all sources in a type's order, highest priority first, including those without
    /// samples.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - proposal: Changes to apply without saving; nil for the current order.
    /// - Returns: Every source of the store.
    /// - Throws: ``StoreError`` if no source or several have a name, or a source is named twice.
    /// - Complexity: O(sources²).
    public func sourceOrder(
        of type: SampleType, applying proposal: SourceOrderProposal? = nil
    ) throws -> [RankedSource] {
        try read { db in
            let table = try sourceTable(db)
            var order = table.order(try SourceTable.settings(db, type: type.code))
            if let proposal { order = try table.order(order, applying: proposal) }
            return order.ranking.map { index in
                let source = table.sources[Int(index)]
                // An error means that the name isn't unique, so the bundle identifier is used.
                let named = try? SampleStore.source(named: source.name, in: table)
                return RankedSource(
                    source: source,
                    participation: order.excluded.contains(index) ? .excluded : .included,
                    uniqueName: named == index ? source.name : source.bundleIdentifier)
            }
        }
    }
}

extension SourceTable {
    /// Returns the order with a proposal applied.
    func order(
        _ current: SourceOrder, applying proposal: SourceOrderProposal
    ) throws -> SourceOrder {
        let proposed = try proposal.order.map { try SampleStore.source(named: $0, in: self) }
        guard Set(proposed).count == proposed.count else {
            throw StoreError(.repeatedSource(proposal.order))
        }
        var order = current
        var next = proposed.makeIterator()
        for position in order.ranking.indices where proposed.contains(order.ranking[position]) {
            if let source = next.next() { order.ranking[position] = source }
        }
        for (name, participation) in proposal.participation {
            let source = try SampleStore.source(named: name, in: self)
            switch participation {
            case .included: order.excluded.remove(source)
            case .excluded: order.excluded.insert(source)
            }
        }
        return order
    }
}
