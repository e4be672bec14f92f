extension SampleFilter {
    /// Samples that a match must be among, or nil where the filter names none.
    public var uuids: Set<SampleUUID>? {
        candidates { test in
            guard case .test(.uuid, let relation) = test else { return nil }
            return relation.only { if case .uuid(let uuid) = $0 { uuid } else { nil } }
        }
    }

    /// Sources, by bundle identifier, of which a match must be, or nil where the filter names none.
    public var bundleIdentifiers: Set<String>? {
        candidates { test in
            guard case .test(.source, let relation) = test else { return nil }
            return relation.only { if case .string(let text) = $0 { text } else { nil } }
        }
    }

    /// Workouts and correlations of one of which a match must be a member, or nil where the filter
    /// names none.
    public var containers: Set<SampleUUID>? {
        candidates { test in
            if case .memberOf(let container) = test { [container] } else { nil }
        }
    }

    /// Everything the filter asks, so that a store reads nothing else. What is asked of workouts'
    /// activities counts as asked of the sample.
    public var attributes: Set<Attribute> {
        switch self {
        case .everything, .nothing, .memberOf, .hasNoCorrelation: []
        case .and(let filters), .or(let filters):
            filters.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let filter), .workoutActivity(let filter): filter.attributes
        case .test(let attribute, _): [attribute]
        }
    }

    /// Whether the filter asks for membership in correlations or workouts.
    public var asksForMembership: Bool {
        switch self {
        case .memberOf, .hasNoCorrelation: true
        case .and(let filters), .or(let filters): filters.contains { $0.asksForMembership }
        case .not(let filter): filter.asksForMembership
        case .everything, .nothing, .test, .workoutActivity: false
        }
    }

    /// The things one of which a matching sample must have, as far as single tests say.
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
    /// The constants one of which a value must equal, if this says so.
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
