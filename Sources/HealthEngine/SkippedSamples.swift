/// Samples that could take no part in a merge or a statistic, counted so that they can be told.
///
/// Samples of excluded sources are not among them: they were left out on purpose.
public struct SkippedSamples: Hashable, Sendable {
    /// Samples whose unit is unknown or does not suit the type, by index of their origin.
    public var unconvertible: [Int32: Int] = [:]
    /// Samples that end before they start, or whose start, end or value is no finite number; for
    /// categories also values that are not whole.
    public var malformed = 0
    /// Category samples of undetermined duration that begin at or after ``StatisticsRules/horizon``.
    public var notBegun = 0

    public init() {}

    /// Whether every sample of an included source took part.
    public var isEmpty: Bool { unconvertible.isEmpty && malformed == 0 && notBegun == 0 }
}

extension SampleBatch {
    /// Counts the samples that a merge or a statistic with the same arguments passes over.
    ///
    /// - Parameters:
    ///   - first: The samples before it are not counted: they were, with an earlier batch.
    ///   - conversions: To the canonical unit, by origin index; nil where there is none.
    /// - Complexity: O(n).
    public func skippedSamples(
        from first: Int = 0, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules = .init()
    ) -> SkippedSamples {
        let admission = Admission(
            self, reading: .quantities(conversions), order: order, rules: rules)
        var skipped = SkippedSamples()
        for sample in samples.dropFirst(first) { admission.count(sample, into: &skipped) }
        return skipped
    }
}

extension SkippedSamples {
    /// Adds what another read of other samples passed over.
    public mutating func add(_ other: SkippedSamples) {
        unconvertible.merge(other.unconvertible, uniquingKeysWith: +)
        malformed += other.malformed
        notBegun += other.notBegun
    }
}
