public import Foundation
import HealthEngine

/// A sample with many points over time.
// Immutable.
open class HKSeriesSample: HKSample, @unchecked Sendable {
    private let points: Int

    /// A series by its parts; not Apple's.
    public init(_record: SampleRecord, count: Int) {
        points = count
        super.init(_record: _record)
    }

    /// Reads an archived series.
    public required init?(coder: NSCoder) {
        points = coder.decodeInteger(forKey: "count")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(points, forKey: "count")
    }

    /// How many points it has.
    open var count: Int { points }

    override var valueDescription: String { "\(sampleType) of \(points)" }
}
