public import HealthEngine

/// A comparison of two answers to the same question, which describes the first difference.
public struct ResultComparison {
    /// The largest difference of equal numbers, relative to the larger one, and absolute below 1.
    public let tolerance: Double

    public init(tolerance: Double) { self.tolerance = tolerance }

    /// Returns whether two numbers are equal within the tolerance, or both nil.
    ///
    /// - Parameters:
    ///   - a: A number or nil.
    ///   - b: Another number or nil.
    /// - Returns: Whether they are equal.
    public func isClose(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a == b || abs(a - b) <= tolerance * max(1, abs(a), abs(b))
    }

    /// Returns the first difference of two lists of buckets.
    ///
    /// - Parameters:
    ///   - mine: The buckets of the reference implementation.
    ///   - theirs: The buckets of the engine.
    ///   - bySource: Whether the values of single sources are compared too.
    /// - Returns: A description; nil if the lists are equal.
    public func difference(_ mine: [Statistics], _ theirs: [Statistics], bySource: Bool) -> String?
    {
        if mine.map(\.start) != theirs.map(\.start) || mine.map(\.end) != theirs.map(\.end) {
            let (fast, slow) = (theirs.map(\.start), mine.map(\.start))
            return "buckets from \(fast), slow \(slow)"
        }
        for (a, b) in zip(mine, theirs) {
            let place = "bucket \(a.start)..<\(a.end)"
            if let text = difference(a.merged, b.merged) { return "\(place) merged \(text)" }
            if !bySource {
                if b.bySource != nil { return "\(place) has sources that nobody asked for" }
                continue
            }
            guard let own = b.bySource else { return "\(place) lacks its sources" }
            let slow = a.bySource ?? [:]
            if slow.keys.sorted() != own.keys.sorted() {
                return "\(place) sources \(own.keys.sorted()), slow \(slow.keys.sorted())"
            }
            for (source, values) in slow.sorted(by: { $0.key < $1.key }) {
                guard let other = own[source], let text = difference(values, other) else {
                    continue
                }
                return "\(place) source \(source) \(text)"
            }
        }
        return nil
    }

    private func difference(_ a: Statistics.Values, _ b: Statistics.Values) -> String? {
        if a.count != b.count { return "count \(b.count), slow \(a.count)" }
        let quantities: [(String, KeyPath<Statistics.Values, Double?>)] = [
            ("sum", \.sum), ("average", \.average), ("minimum", \.minimum), ("maximum", \.maximum),
            ("mostRecent", \.mostRecent), ("mostRecentStart", \.mostRecentStart),
            ("mostRecentEnd", \.mostRecentEnd), ("duration", \.duration),
        ]
        for (name, path) in quantities where !isClose(a[keyPath: path], b[keyPath: path]) {
            return "\(name) \(Self.text(b[keyPath: path])), slow \(Self.text(a[keyPath: path]))"
        }
        return nil
    }

    private static func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "none" }

    /// Returns a description of samples, one per line.
    ///
    /// - Parameters:
    ///   - batch: The samples. The first twelve are described.
    ///   - order: The order of their sources.
    /// - Returns: The lines.
    public static func describe(_ batch: SampleBatch, _ order: SourceOrder) -> String {
        let lines = batch.samples.prefix(12).map { sample in
            let source = batch.origins[Int(sample.origin)].source
            let rank = order.ranking.firstIndex(of: source).map { "\($0)" } ?? "unlisted"
            let out = order.excluded.contains(source) ? " excluded" : ""
            return "  source \(source) (rank \(rank)\(out)) \(sample.start)…\(sample.end) "
                + "value \(sample.value) created \(sample.created) key \(sample.key)"
        }
        return lines.joined(separator: "\n")
    }
}
