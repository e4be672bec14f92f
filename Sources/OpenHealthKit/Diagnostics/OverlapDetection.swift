import HealthEngine

/// Detects samples of different sources that cover the same time.
enum OverlapDetection {
    /// Returns the bundle identifiers of two sources whose samples overlap by more than an instant.
    ///
    /// - Parameters:
    ///   - batch: The samples.
    ///   - count: The number of samples to check; the first ones of the batch.
    /// - Returns: Two bundle identifiers; nil if no samples of different sources overlap.
    /// - Complexity: O(n) for a single source or samples in order of start, otherwise O(n log n).
    static func overlappingSources(in batch: SampleBatch, count: Int) -> [String]? {
        let sources = batch.origins.map(\.source)
        guard Set(sources).count > 1 else { return nil }
        var spans = batch.samples.prefix(count).map {
            (start: $0.start, end: $0.end, source: $0.origin < 0 ? -1 : sources[Int($0.origin)])
        }
        if zip(spans, spans.dropFirst()).contains(where: { $0.start > $1.start }) {
            spans.sort { $0.start < $1.start }
        }
        // The latest end so far, and the latest end of any other source.
        var latest = (end: -Double.infinity, source: Int32(-1))
        var other = (end: -Double.infinity, source: Int32(-1))
        for span in spans where span.end > span.start && span.source >= 0 {
            let rival = latest.source == span.source ? other : latest
            if rival.source >= 0, rival.end > span.start {
                return [span.source, rival.source].map {
                    batch.sources[Int($0)].bundleIdentifier
                }
            }
            if span.source == latest.source {
                latest.end = max(latest.end, span.end)
            } else if span.end > latest.end {
                (other, latest) = (latest, (span.end, span.source))
            } else if span.end > other.end {
                other = (span.end, span.source)
            }
        }
        return nil
    }
}
