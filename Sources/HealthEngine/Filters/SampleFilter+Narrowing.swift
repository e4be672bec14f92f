extension SampleFilter {
    /// The UUIDs of all samples that can match; nil if the filter does not limit them to a
    /// set. Samples with these UUIDs do not have to match.
    ///
    /// - Complexity: O(n) in the number of tests and constants.
    package var uuids: Set<SampleUUID>? {
        candidates { test in
            guard case .test(.uuid, let relation) = test else { return nil }
            return relation.allowedValues { if case .uuid(let uuid) = $0 { uuid } else { nil } }
        }
    }

    /// The bundle identifiers of all sources whose samples can match; nil if the filter does not
    /// limit them to a set.
    ///
    /// - Complexity: O(n) in the number of tests and constants.
    package var bundleIdentifiers: Set<String>? {
        candidates { test in
            guard case .test(.source, let relation) = test else { return nil }
            return relation.allowedValues { if case .string(let text) = $0 { text } else { nil } }
        }
    }

    /// The UUIDs of workouts and correlations, of at least one of which every matching sample is a
    /// member. Nil if the filter does not require membership.
    ///
    /// - Complexity: O(n) in the number of tests.
    package var containers: Set<SampleUUID>? {
        candidates { test in
            if case .memberOf(let container) = test { [container] } else { nil }
        }
    }

    /// The attributes that the filter tests, including those tested on a workout's activities. A
    /// store does not need to read others.
    ///
    /// - Complexity: O(n) in the number of tests.
    package var attributes: Set<Attribute> {
        switch self {
        case .everything, .nothing, .memberOf, .hasNoCorrelation: []
        case .and(let filters), .or(let filters):
            filters.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let filter), .workoutActivity(let filter): filter.attributes
        case .test(let attribute, _): [attribute]
        }
    }

    /// Whether the filter tests membership in correlations or workouts. Tests inside
    /// `workoutActivity` are not considered.
    ///
    /// - Complexity: O(n) in the number of tests.
    package var testsMembership: Bool {
        switch self {
        case .memberOf, .hasNoCorrelation: true
        case .and(let filters), .or(let filters): filters.contains { $0.testsMembership }
        case .not(let filter): filter.testsMembership
        case .everything, .nothing, .test, .workoutActivity: false
        }
    }

    /// Returns a set that contains the property in question, such as the UUID, of every matching
    /// sample. Returns nil if the filter does not determine such a set.
    ///
    /// - Parameter named: Returns the set for a single test, or nil if the test has no such set.
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
    /// Returns the constants of an `==` or `oneOf` relation, one of which a value must equal.
    /// Returns nil for other relations and for `== nil`.
    ///
    /// - Parameter candidate: Converts a constant. Constants of another kind, for which it returns
    ///   nil, are left out, because no value equals them.
    fileprivate func allowedValues<Candidate: Hashable>(
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
