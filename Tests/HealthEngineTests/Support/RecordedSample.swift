import HealthEngine

/// A sample in short form for a test case: source, start, end and value.
struct RecordedSample {
    enum SourceLabel: Int32, CaseIterable { case a, b, c }

    var source: SourceLabel
    var start: Double
    var end: Double
    var value: Double
    var created = Double.nan
    var key: Int64?

    static func a(_ start: Double, _ end: Double, _ value: Double) -> RecordedSample {
        RecordedSample(source: .a, start: start, end: end, value: value)
    }
    static func b(_ start: Double, _ end: Double, _ value: Double) -> RecordedSample {
        RecordedSample(source: .b, start: start, end: end, value: value)
    }
    static func c(_ start: Double, _ end: Double, _ value: Double) -> RecordedSample {
        RecordedSample(source: .c, start: start, end: end, value: value)
    }

    func saved(_ created: Double, key: Int64? = nil) -> RecordedSample {
        var copy = self
        (copy.created, copy.key) = (created, key)
        return copy
    }
}

extension SampleBatch {
    /// Creates a batch with sources a, b and c, one origin each. Keys count up unless given.
    init(recorded: [RecordedSample]) {
        self.init(
            samples: recorded.enumerated().map { index, sample in
                Sample(
                    type: 1, origin: sample.source.rawValue, start: sample.start, end: sample.end,
                    created: sample.created, value: sample.value, key: sample.key ?? Int64(index))
            },
            sources: RecordedSample.SourceLabel.allCases.map {
                Source(name: "\($0)", bundleIdentifier: "\($0)")
            },
            origins: RecordedSample.SourceLabel.allCases.map {
                Origin(source: $0.rawValue, unit: "count")
            })
    }
}

extension SourceOrder {
    /// The source order a, b, c, with the highest priority first.
    static let alphabetical = SourceOrder(ranking: [0, 1, 2])
}

extension [UnitConversion?] {
    /// Conversions for origins that all use the canonical unit.
    static let unchanged = [UnitConversion?](
        repeating: .identity, count: RecordedSample.SourceLabel.allCases.count)
}

extension StatisticsRules {
    init(_ change: (inout StatisticsRules) -> Void) {
        self.init()
        change(&self)
    }
}
