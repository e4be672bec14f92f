extension SampleFilter {
    /// The UUIDs of all samples that can match; nil if the filter does not restrict them.
    ///
    /// - Complexity: O(n) in the number of tests and constants.
    public var uuids: Set<SampleUUID>? {
        candidates { test in
            guard case .test(.uuid, let relation) = test else { return nil }
            return relation.only { if case .uuid(let uuid) = $0 { uuid } else { nil } }
        }
    }

    /// The bundle identifiers of all sources whose samples can match; nil if the filter does not
    /// restrict them.
    ///
    /// - Complexity: O(n) in the number of tests and constants.
    public var bundleIdentifiers: Set<String>? {
        candidates { test in
            guard case .test(.source, let relation) = test else { return nil }
            return relation.only { if case .string(let text) = $0 { text } else { nil } }
        }
    }

    /// The workouts and correlations of which a matching sample must be a member; nil if the filter
    /// does not restrict them.
    ///
    /// A matching sample is a member of at least one of them.
    ///
    /// - Complexity: O(n) in the number of tests.
    public var containers: Set<SampleUUID>? {
        candidates { test in
            if case .memberOf(let container) = test { [container] } else { nil }
        }
    }

    /// The attributes that the filter tests, so that a store reads only these. Attributes tested on
    /// a workout's activities are included.
    ///
    /// - Complexity: O(n) in the number of tests.
    public var attributes: Set<Attribute> {
        switch self {
        case .everything, .nothing, .memberOf, .hasNoCorrelation: []
        case .and(let filters), .or(let filters):
            filters.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let filter), .workoutActivity(let filter): filter.attributes
        case .test(let attribute, _): [attribute]
        }
    }

    /// Whether the filter tests membership in correlations or workouts.
    ///
    /// - Complexity: O(n) in the number of tests.
    public var asksForMembership: Bool {
        switch self {
        case .memberOf, .hasNoCorrelation: true
        case .and(let filters), .or(let filters): filters.contains { $0.asksForMembership }
        case .not(let filter): filter.asksForMembership
        case .everything, .nothing, .test, .workoutActivity: false
        }
    }

    /// Returns a set of which every matching sample has at least one element, or nil if there is no
    /// such set.
    ///
    /// - Parameter named: Returns the set for a single test, or nil.
    private func candidates<Candidate: Hashable>(
        _ named: (SampleFilter) -> Set<Candidate>?
    ) -> Set<Candidate>? {
        switch self {
        case .nothing:
            return []
        case .and(let filters):
            let sets = filters.compactMap { $0.candidates(named) }
            return sets.dropFirst().reduce(sets.first) { $0?.intersection($1) }
        case .or(let filters):
            var union: Set<Candidate> = []
            for filter in filters {
                guard let set = filter.candidates(named) else { return nil }
                union.formUnion(set)
            }
            return union
        case .not(.not(let filter)):
            return filter.candidates(named)
        case .not(.and(let filters)):
            return SampleFilter.or(filters.map { .not($0) }).candidates(named)
        case .not(.or(let filters)):
            return SampleFilter.and(filters.map { .not($0) }).candidates(named)
        case .not(.test(let attribute, .compare(.notEqual, let constant))):
            return named(.test(attribute, .compare(.equal, constant)))
        case .not(.everything):
            return []
        default:
            return named(self)
        }
    }
}

extension SampleFilter.Relation {
    /// Returns the constants of which a value must equal one, or nil if the relation is not of this
    /// form.
    fileprivate func only<Candidate: Hashable>(
        _ candidate: (SampleFilter.Value) -> Candidate?
    ) -> Set<Candidate>? {
        switch self {
        case .compare(.equal, .null): nil
        case .compare(.equal, let constant): Set([constant].compactMap(candidate))
        case .oneOf(let constants): Set(constants.compactMap(candidate))
        default: nil
        }
    }
}
