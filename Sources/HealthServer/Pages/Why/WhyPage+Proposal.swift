import HealthEngine
package import HealthStorage

extension WhyPage {
    /// Changes to a type's saved source order, exclusions and inclusions, as in the page's
    /// addresses and forms.
    ///
    /// ```swift
    /// page.arrangement.excluding("com.example.counter").excluded   // ["com.example.counter"]
    /// ```
    package struct Arrangement: Codable, Sendable, Hashable {
        /// Names or bundle identifiers, highest priority first. Only these sources exchange their
        /// ranks; other sources keep theirs: `order=a,b`.
        package var order: [String]
        /// Sources to exclude, one field for each: `out=a`.
        package var excluded: [String]
        /// Sources to include again, one field for each: `in=a`.
        package var included: [String]

        package init(order: [String] = [], excluded: [String] = [], included: [String] = []) {
            self.order = order
            self.excluded = excluded
            self.included = included
        }

        /// Whether the arrangement changes nothing.
        package var isEmpty: Bool { order.isEmpty && excluded.isEmpty && included.isEmpty }

        /// Returns the arrangement with a source excluded. If it is in ``included``, it is only
        /// removed from there, so that its saved state applies.
        ///
        /// - Parameter source: The bundle identifier of the source.
        /// - Returns: The new arrangement.
        package func excluding(_ source: String) -> Arrangement {
            var next = self
            if included.contains(source) {
                next.included.removeAll { $0 == source }
            } else if !excluded.contains(source) {
                next.excluded.append(source)
            }
            return next
        }

        /// Returns the arrangement with a source included. If it is in ``excluded``, it is only
        /// removed from there, so that its saved state applies.
        ///
        /// - Parameter source: The bundle identifier of the source.
        /// - Returns: The new arrangement.
        package func takingIn(_ source: String) -> Arrangement {
            var next = self
            if excluded.contains(source) {
                next.excluded.removeAll { $0 == source }
            } else if !included.contains(source) {
                next.included.append(source)
            }
            return next
        }

        /// Returns the arrangement with another order.
        func ordered(_ order: [String]) -> Arrangement {
            var next = self
            next.order = order
            return next
        }

        init(_ stored: SourceOrderProposal) {
            func sources(_ wanted: SampleStore.Participation) -> [String] {
                stored.participation.filter { $0.value == wanted }.keys.sorted()
            }
            self.init(
                order: stored.order, excluded: sources(.excluded), included: sources(.included))
        }

        /// The same changes for the store.
        ///
        /// - Throws: ``PageError`` if a source is both excluded and included.
        func stored() throws -> SourceOrderProposal {
            if let both = excluded.first(where: included.contains) {
                throw PageError.badQuestion("“\(both)” can’t be both excluded and included.")
            }
            var arrangement = SourceOrderProposal(order: order)
            for source in excluded { arrangement.participation[source] = .excluded }
            for source in included { arrangement.participation[source] = .included }
            return arrangement
        }
    }

    /// The effective changes of an arrangement: what differs from the saved one, by bundle
    /// identifiers.
    struct Changes {
        var arrangement: Arrangement
        /// All sources in the resulting order, highest priority first.
        var ranking: [String]

        init(_ wanted: Arrangement, of type: SampleType, in store: SampleStore) throws {
            let now = try store.sourceOrder(of: type)
            ranking = now.map(\.source.bundleIdentifier)
            arrangement = Arrangement()
            guard !wanted.isEmpty else { return }
            let then = try store.sourceOrder(of: type, applying: wanted.stored())
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

    /// Saves changes to a type's source order, exclusions and inclusions.
    ///
    /// - Parameters:
    ///   - order: Names or bundle identifiers, highest priority first, as in ``Arrangement/order``.
    ///   - excluded: Sources to exclude, by name or bundle identifier.
    ///   - included: Sources to include again, by name or bundle identifier.
    ///   - name: The type, as a short name or an identifier.
    ///   - store: The store to change.
    /// - Throws: ``StoreError`` if the type is unknown, a name matches no source or several, a
    ///   source is named twice, or the store can't be written. ``PageError`` if a source is both
    ///   excluded and included.
    package static func save(
        order: [String] = [], excluding excluded: [String] = [], takingIn included: [String] = [],
        of name: String, in store: SampleStore
    ) throws {
        let arrangement = Arrangement(order: order, excluded: excluded, included: included)
        try store.apply(try arrangement.stored(), to: try store.type(named: name))
    }
}
