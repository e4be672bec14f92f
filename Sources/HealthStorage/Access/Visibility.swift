import GRDB

/// What a reader may see: everything, or per type from a date on or only its own samples.
///
/// Every read of a store takes one, so that permissions hold for samples, statistics and change
/// feeds alike (Semantics §8.3, §8.9).
public struct Visibility: Hashable, Sendable {
    /// What is visible of one type.
    public struct Grant: Hashable, Sendable {
        /// Samples that start before this reference time are hidden; nil hides none.
        public var earliest: Double?
        /// Only samples of this source (its number in the store) are visible; nil shows all.
        public var onlySource: Int64?
        /// What reaches further back than ``earliest`` does; nil if nothing.
        public var exempt: Exemption?
        /// Nothing at all is visible.
        public var isHidden: Bool

        public init(
            earliest: Double? = nil, onlySource: Int64? = nil, exempt: Exemption? = nil,
            isHidden: Bool = false
        ) {
            self.earliest = earliest
            self.onlySource = onlySource
            self.exempt = exempt
            self.isHidden = isHidden
        }

        /// A source with an earliest time of its own: a reader's own samples stay visible where
        /// others' history is cut short (Semantics §8.3, §8.9).
        public struct Exemption: Hashable, Sendable {
            /// The source's number in the store.
            public var source: Int64
            /// Its samples that start before this reference time are hidden; nil hides none.
            public var earliest: Double?

            public init(source: Int64, earliest: Double? = nil) {
                self.source = source
                self.earliest = earliest
            }
        }

        /// Everything of the type.
        public static let all = Grant()
        /// Nothing of it, as if there were none.
        public static let none = Grant(isHidden: true)
    }

    /// Grants by type code; `others` for types not listed.
    public var grants: [Int32: Grant]
    public var others: Grant

    public init(grants: [Int32: Grant] = [:], others: Grant = .all) {
        self.grants = grants
        self.others = others
    }

    /// The owner's own view.
    public static let everything = Visibility()

    /// What may be seen of the type with this code.
    public subscript(type: Int32) -> Grant { grants[type] ?? others }
}

extension Visibility.Grant {
    /// Whether samples of a source, by its number in the store, may be seen at all.
    func shows(source: Int64) -> Bool {
        !isHidden && (onlySource == nil || onlySource == source)
    }

    /// Whether one sample may be seen.
    func shows(source: Int64, start: Double) -> Bool {
        shows(source: source) && start >= earliest(of: source)
    }

    /// Samples of a source that start before this reference time are hidden.
    func earliest(of source: Int64) -> Double {
        guard let exempt, exempt.source == source else { return earliest ?? -.infinity }
        return min(earliest ?? -.infinity, exempt.earliest ?? -.infinity)
    }

    /// Samples of any source that start before this reference time are hidden; nil hides none.
    var earliestOfAny: Double? {
        guard let earliest, let exempt else { return earliest }
        return exempt.earliest.map { min($0, earliest) }
    }

    /// What may be seen, as a condition on `sample` joined with its `origin`.
    var condition: SQL {
        if isHidden { return "0" }
        var conditions: [SQL] = []
        if let earliest {
            var shown: [SQL] = ["sample.start_time >= \(earliest)"]
            if let exempt {
                let from = exempt.earliest ?? -.infinity
                shown.append("origin.source = \(exempt.source) AND sample.start_time >= \(from)")
            }
            conditions.append("(\(shown.joined(separator: " OR ")))")
        }
        if let onlySource { conditions.append("origin.source = \(onlySource)") }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }
}

extension Visibility {
    /// What may be seen of all types, as a condition on `sample` joined with its `origin`.
    var condition: SQL {
        if grants.isEmpty { return others.condition }
        let cases = grants.sorted { $0.key < $1.key }.map { type, grant -> SQL in
            "WHEN \(type) THEN (\(grant.condition))"
        }
        return "CASE sample.type \(cases.joined(separator: " ")) ELSE (\(others.condition)) END"
    }
}
