import HealthEngine
public import HealthStorage

extension WhyPage {
    /// Who wins and who counts, as far as it is tried: what the addresses and the form of the page hold.
    ///
    /// ```swift
    /// page.arrangement.leavingOut("com.example.counter").excluded   // ["com.example.counter"]
    /// ```
    public struct Arrangement: Codable, Sendable, Hashable {
        /// Bundle identifiers that share out the places they have, the winner first: `order=a,b`.
        public var order: [String]
        /// Sources that would no longer count: `out=a`, once for each.
        public var excluded: [String]
        /// Sources that would count again: `in=a`, once for each.
        public var included: [String]

        public init(order: [String] = [], excluded: [String] = [], included: [String] = []) {
            self.order = order
            self.excluded = excluded
            self.included = included
        }

        /// Whether it changes nothing.
        public var isEmpty: Bool { order.isEmpty && excluded.isEmpty && included.isEmpty }

        /// The same with a source that does not count; one that was taken in is as it was before.
        public func leavingOut(_ source: String) -> Arrangement {
            var next = self
            if included.contains(source) {
                next.included.removeAll { $0 == source }
            } else if !excluded.contains(source) {
                next.excluded.append(source)
            }
            return next
        }

        /// The same with a source that counts; one that was left out is as it was before.
        public func takingIn(_ source: String) -> Arrangement {
            var next = self
            if excluded.contains(source) {
                next.excluded.removeAll { $0 == source }
            } else if !included.contains(source) {
                next.included.append(source)
            }
            return next
        }

        /// The same with another order.
        func ordered(_ order: [String]) -> Arrangement {
            var next = self
            next.order = order
            return next
        }

        init(_ stored: SourceArrangement) {
            func sources(_ wanted: SampleStore.Participation) -> [String] {
                stored.participation.filter { $0.value == wanted }.keys.sorted()
            }
            self.init(
                order: stored.order, excluded: sources(.excluded), included: sources(.included))
        }

        /// - Throws: ``StoreError`` if a source is both left out and taken in.
        func stored() throws -> SourceArrangement {
            if let both = excluded.first(where: included.contains) {
                throw StoreError(
                    .invalidArgument, "“\(both)” can’t be left out and taken in at once.")
            }
            var arrangement = SourceArrangement(order: order)
            for source in excluded { arrangement.participation[source] = .excluded }
            for source in included { arrangement.participation[source] = .included }
            return arrangement
        }
    }

    /// What an arrangement changes of what a store has saved, by bundle identifiers.
    struct Changes {
        var arrangement: Arrangement
        /// All sources as they would stand, the winner first.
        var ranking: [String]

        init(_ wanted: Arrangement, of type: SampleType, in store: SampleStore) throws {
            let now = try store.sourceOrder(of: type)
            ranking = now.map(\.source.bundleIdentifier)
            arrangement = Arrangement()
            guard !wanted.isEmpty else { return }
            let then = try store.sourceOrder(of: type, arranged: wanted.stored())
            for (before, after) in zip(now, then) where before.source != after.source {
                arrangement.order.append(after.source.bundleIdentifier)
            }
            let counting = now.filter { $0.participation == .included }.map(\.source)
            for source in then {
                switch source.participation {
                case .excluded where counting.contains(source.source):
                    arrangement.excluded.append(source.source.bundleIdentifier)
                case .included where !counting.contains(source.source):
                    arrangement.included.append(source.source.bundleIdentifier)
                default: break
                }
            }
            ranking = then.map(\.source.bundleIdentifier)
        }
    }

    /// Saves who wins and who counts, as ``arrangement`` or ``Lane/raised`` give it.
    ///
    /// - Throws: ``StoreError`` if the type is unknown, a name fits no source or several, or a source
    ///   is both left out and taken in.
    public static func save(
        order: [String] = [], leavingOut excluded: [String] = [], takingIn included: [String] = [],
        of name: String, in store: SampleStore
    ) throws {
        let arrangement = Arrangement(order: order, excluded: excluded, included: included)
        try store.arrange(try store.type(named: name), as: try arrangement.stored())
    }
}
