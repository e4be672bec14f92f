public import Foundation

/// Which entries are asked for, and in which order.
///
/// ```swift
/// var request = EntryRequest(of: HKQuantityType(.bodyMass))
/// request.from = yearAgo
/// request.order = .oldestFirst
/// ```
public struct EntryRequest: Hashable, Sendable {
    /// How entries relate to the span that is asked for.
    public enum Rule: Hashable, Sendable {
        /// `end >= from && start < to`, as HealthKit's `predicateForSamples` without options: an entry
        /// that ends exactly at `from` is in, one that starts exactly at `to` isn't.
        case overlapping
        /// `start >= from && start < to`: each entry is in one of two spans that meet.
        case starting
    }

    /// By start; entries of one start by UUID.
    public enum Order: Hashable, Sendable {
        case newestFirst
        case oldestFirst
    }

    /// The types' identifiers; empty for all.
    public var types: Set<String>
    /// Where the span begins; nil for the beginning of time.
    public var from: Date?
    /// Where the span ends; nil for the end of time.
    public var to: Date?
    public var rule: Rule = .overlapping
    /// Entries in these states; all unless told otherwise, since each entry says its own.
    public var states: Set<Entry.State> = Set(Entry.State.allCases)
    /// Only those with this tag, if given.
    public var tag: String?
    public var order: Order = .newestFirst
    /// At most so many; nil for all.
    public var limit: Int?

    /// All entries of all types.
    public init() { types = [] }

    /// The entries of types over a span.
    public init(of types: HKSampleType..., from: Date? = nil, to: Date? = nil) {
        self.types = Set(types.map(\.identifier))
        self.from = from
        self.to = to
    }
}
