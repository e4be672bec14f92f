public import Foundation

/// A type of sample that is kept in step, with the filter that narrows it.
///
/// ```swift
/// TrackedType(HKQuantityType(.bodyMass))
/// TrackedType(HKQuantityType(.stepCount), where: watchOnly, named: "watch")
/// ```
/// What was read so far is remembered by type and filter name: a filter that changes needs another
/// name.
public struct TrackedType: Sendable {
    /// What is read.
    public let sampleType: HKSampleType
    /// The filter's name; empty without one.
    public let filterName: String
    // Predicates are immutable; Foundation doesn't say so on every platform.
    nonisolated(unsafe) let predicate: NSPredicate?

    /// All samples of a type.
    public init(_ sampleType: HKSampleType) {
        self.sampleType = sampleType
        filterName = ""
        predicate = nil
    }

    /// The samples of a type that a predicate selects.
    ///
    /// - Parameter name: What the filter is remembered by; not empty, unique for the type.
    public init(_ sampleType: HKSampleType, where predicate: NSPredicate, named name: String) {
        self.sampleType = sampleType
        filterName = name
        self.predicate = predicate
    }

    /// Where one reader's place in this type is kept.
    func key(lane: String) -> PositionKey {
        PositionKey(lane: lane, type: sampleType.identifier, filter: filterName)
    }
}
