import GRDB
package import HealthEngine

/// The samples that a reader may see, by type.
///
/// A type is visible fully, from a date on, only for one source, or not at all. A date and a source
/// can be combined. Queries of samples, statistics and changes take a visibility, so authorization
/// applies to all of them equally (Semantics §8.3, §8.9).
public struct Visibility: Hashable, Sendable {
    /// The visible samples of one type.
    public struct Grant: Hashable, Sendable {
        /// Samples that start before this time, in seconds since the reference date, are hidden;
        /// nil hides none.
        public var earliest: Double?
        /// The id of the only visible source in the store; nil shows all sources.
        public var onlySource: Int64?
        /// A source to which an earlier limit than ``earliest`` applies; nil if there is none.
        public var exempt: Exemption?
        /// Whether all samples of the type are hidden.
        public var isHidden: Bool
        /// The only visible samples, apart from those of the source in ``exempt``: the sequence
        /// numbers of their grants by UUID. Nil does not restrict samples (Semantics §8.12).
        package var objects: [SampleUUID: Int64]?

        public init(
            earliest: Double? = nil, onlySource: Int64? = nil, exempt: Exemption? = nil,
            isHidden: Bool = false
        ) {
            self.earliest = earliest
            self.onlySource = onlySource
            self.exempt = exempt
            self.isHidden = isHidden
        }

        /// A source with its own earliest time. A reader's own samples stay visible where the
        /// history of other sources is limited (Semantics §8.3, §8.9).
        public struct Exemption: Hashable, Sendable {
            /// The id of the source in the store.
            public var source: Int64
            /// Samples of the source that start before this time, in seconds since the reference
            /// date, are hidden; nil hides none.
            public var earliest: Double?

            public init(source: Int64, earliest: Double? = nil) {
                self.source = source
                self.earliest = earliest
            }
        }

        /// All samples of the type are visible.
        public static let all = Grant()
        /// No sample of the type is visible.
        public static let none = Grant(isHidden: true)
    }

    /// Grants by type code.
    public var grants: [Int32: Grant]
    /// The grant of all types that are not in ``grants``.
    public var others: Grant

    public init(grants: [Int32: Grant] = [:], others: Grant = .all) {
        self.grants = grants
        self.others = others
    }

    /// All samples of all types, as the owner of the store sees them.
    public static let everything = Visibility()

    /// The grant of the type with a code.
    ///
    /// - Parameter type: The code of the type.
    /// - Returns: The grant in ``grants``, or ``others``.
    public subscript(type: Int32) -> Grant { grants[type] ?? others }
}

extension Visibility.Grant {
    /// Returns whether any samples of a source, given by its id in the store, can be visible.
    func shows(source: Int64) -> Bool {
        !isHidden && (onlySource == nil || onlySource == source)
    }

    /// Returns whether a sample is one of ``objects``, or they don't restrict samples of its source.
    @inline(__always)
    func shows(_ uuid: SampleUUID, source: @autoclosure () -> Int64) -> Bool {
        guard let objects else { return true }
        return objects[uuid] != nil || exempt?.source == source()
    }

    /// Returns the sequence number from which a visible sample is part of the changes: its own, or
    /// that of a later grant (Semantics §8.12).
    @inline(__always)
    func position(
        of uuid: SampleUUID, at sequence: Int64, source: @autoclosure () -> Int64
    ) -> Int64 {
        guard let objects, exempt?.source != source(), let granted = objects[uuid] else {
            return sequence
        }
        return max(sequence, granted)
    }

    /// Returns whether a sample is visible, from its source's id and its start.
    func shows(source: Int64, start: Double) -> Bool {
        // Members of correlations are never granted singly.
        shows(source: source) && start >= earliest(of: source)
            && (objects == nil || exempt?.source == source)
    }

    /// Returns the time before which samples of a source are hidden, by their start; negative
    /// infinity if none are.
    func earliest(of source: Int64) -> Double {
        guard let exempt, exempt.source == source else { return earliest ?? -.infinity }
        return min(earliest ?? -.infinity, exempt.earliest ?? -.infinity)
    }

    /// The time before which samples of all sources are hidden, by their start; nil if there is
    /// none.
    var earliestOfAny: Double? {
        guard let earliest, let exempt else { return earliest }
        return exempt.earliest.map { min($0, earliest) }
    }

    /// The grant without ``objects``, for reads by source, such as counts and statistics: they see
    /// the samples of the source in ``exempt`` only.
    var withoutObjects: Visibility.Grant {
        if objects == nil { return self }
        return exempt.map { Visibility.Grant(earliest: $0.earliest, onlySource: $0.source) }
            ?? .none
    }

    /// The visible samples, as an SQL condition on `sample` joined with its `origin`.
    var condition: SQL {
        if objects != nil { return withoutObjects.condition }
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
    /// The visible samples of all types, as an SQL condition on `sample` joined with its `origin`.
    var condition: SQL {
        if grants.isEmpty { return others.condition }
        let cases = grants.sorted { $0.key < $1.key }.map { type, grant -> SQL in
            "WHEN \(type) THEN (\(grant.condition))"
        }
        return "CASE sample.type \(cases.joined(separator: " ")) ELSE (\(others.condition)) END"
    }
}
