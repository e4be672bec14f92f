public import Foundation
import HealthEngine

/// A sample with a series of points in time.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSeriesSample: HKSample, @unchecked Sendable {
    private let points: Int

    /// Creates a series from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - count: The number of points.
    public init(_record: SampleRecord, count: Int) {
        points = count
        super.init(_record: _record)
    }

    /// Decodes a series; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        points = coder.decodeInteger(forKey: "count")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(points, forKey: "count")
    }

    /// The number of points.
    open var count: Int { points }

    override var valueDescription: String { "\(sampleType) of \(points)" }
}

/// The base class of builders that collect the points of a series and save it.
// Unchecked: the subclasses keep mutable state in locked values.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
    let healthStore: HKHealthStore

    /// Creates a builder that saves to a store. Not part of Apple's API.
    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Discards the series; nothing is saved. Subclasses override this method.
    open func discard() {}
}

/// The state of a series builder.
enum SeriesPhase: String {
    case open, finished, discarded

    /// Checks that the series accepts points.
    ///
    /// - Throws: `errorInvalidArgument` with the name of the call if the series is finished or
    ///   discarded.
    func requireOpen(_ call: String) throws(HKError) {
        if self != .open {
            throw HKError(
                .errorInvalidArgument,
                "\(call) is not allowed now: the builder's series is \(rawValue).")
        }
    }
}
