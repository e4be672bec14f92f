import HealthEngine
package import HealthStorage

extension WhyPage {
    /// Changes to a type's saved source order, exclusions and inclusions, as in the page's
    /// addresses and forms.
    ///
    /// ```swift
    /// page.proposal.excluding("com.example.counter").excluded   // ["com.example.counter"]
    /// ```
    package struct Proposal: Codable, Sendable, Hashable {
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

        /// Whether the proposal changes nothing.
        package var isEmpty: Bool { order.isEmpty && excluded.isEmpty && included.isEmpty }

        /// Returns the proposal with a source excluded. If it is in ``included``, it is only
        /// removed from there, so that its saved state applies.
        ///
        /// - Parameter source: The bundle identifier of the source.
        /// - Returns: The new proposal.
        package func excluding(_ source: String) -> Proposal {
            var next = self
            if included.contains(source) {
                next.included.removeAll { $0 == source }
            } else if !excluded.contains(source) {
                next.excluded.append(source)
            }
            return next
        }

        /// Returns the proposal with a source included. If it is in ``excluded``, it is only
        /// removed from there, so that its saved state applies.
        ///
        /// - Parameter source: The bundle identifier of the source.
        /// - Returns: The new proposal.
        package func including(_ source: String) -> Proposal {
            var next = self
            if excluded.contains(source) {
                next.excluded.removeAll { $0 == source }
            } else if !included.contains(source) {
                next.included.append(source)
            }
            return next
        }

        /// Returns the proposal with another order.
        func ordered(_ order: [String]) -> Proposal {
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
        func storeProposal() throws -> SourceOrderProposal {
            if let both = excluded.first(where: included.contains) {
                throw PageError.badRequest("“\(both)” can’t be both excluded and included.")
            }
            var proposal = SourceOrderProposal(order: order)
            for source in excluded { proposal.participation[source] = .excluded }
            for source in included { proposal.participation[source] = .included }
            return proposal
        }
    }

    /// The effective changes of a proposal: what differs from the saved one, by bundle
    /// identifiers.
    struct Changes {
        var proposal: Proposal
        /// All sources in the resulting order, highest priority first.
        var ranking: [String]

        init(_ requested: Proposal, of type: SampleType, in store: SampleStore) throws {
            let current = try store.sourceOrder(of: type)
            ranking = current.map(\.source.bundleIdentifier)
            proposal = Proposal()
            guard !requested.isEmpty else { return }
            let proposed = try store.sourceOrder(of: type, applying: requested.storeProposal())
            for (before, after) in zip(current, proposed) where before.source != after.source {
                proposal.order.append(after.source.bundleIdentifier)
            }
            let counted = current.filter { $0.participation == .included }.map(\.source)
            for source in proposed {
                switch source.participation {
                case .excluded where counted.contains(source.source):
                    proposal.excluded.append(source.source.bundleIdentifier)
                case .included where !counted.contains(source.source):
                    proposal.included.append(source.source.bundleIdentifier)
                default: break
                }
            }
            ranking = proposed.map(\.source.bundleIdentifier)
        }
    }

    /// Saves changes to a type's source order, exclusions and inclusions.
    ///
    /// - Parameters:
    ///   - order: Names or bundle identifiers, highest priority first, as in ``Proposal/order``.
    ///   - excluded: Sources to exclude, by name or bundle identifier.
    ///   - included: Sources to include again, by name or bundle identifier.
    ///   - name: The type, as a short name or an identifier.
    ///   - store: The store to change.
    /// - Throws: ``StoreError`` if the type is unknown, a name matches no source or several, a
    ///   source is named twice, or the store can't be written. ``PageError`` if a source is both
    ///   excluded and included.
    package static func save(
        order: [String] = [], excluding excluded: [String] = [], including included: [String] = [],
        of name: String, in store: SampleStore
    ) throws {
        let proposal = Proposal(order: order, excluded: excluded, included: included)
        try store.apply(try proposal.storeProposal(), to: try store.type(named: name))
    }
}
