public import Foundation

/// An electrocardiogram. The family is left for later: a sample is kept with its time and source,
/// its findings aren't, and no query reads its voltages.
// Immutable.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// How many voltages were measured: none are kept.
    open var numberOfVoltageMeasurements: Int { 0 }
    /// How often a voltage was measured; nil, as it isn't kept.
    open var samplingFrequency: HKQuantity? { nil }
    /// What it shows; not set, as it isn't kept.
    open var classification: Classification { .notSet }
    /// The heart rate meanwhile; nil, as it isn't kept.
    open var averageHeartRate: HKQuantity? { nil }
    /// Whether there were symptoms; not set, as it isn't kept.
    open var symptomsStatus: SymptomsStatus { .notSet }

    /// The voltages at one moment.
    // Immutable.
    open class VoltageMeasurement: NSObject, @unchecked Sendable {
        /// Seconds since the sample's start.
        open var timeSinceSampleStart: TimeInterval { 0 }
        /// The voltage of a lead; nil, as none is kept.
        open func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? { nil }
    }
}

/// Asks for the voltages of an electrocardiogram. The family is left for later: it reports
/// `errorHealthDataUnavailable`.
// Immutable but for the locked handler.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    /// What the handler is told, again and again.
    public enum Result {
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        case error(any Error)
        case done
    }

    private let handler: QueryHandler<(HKElectrocardiogramQuery, Result) -> Void>

    /// Asks for all voltages.
    public init(
        _ ecg: HKElectrocardiogram,
        dataHandler: @escaping (HKElectrocardiogramQuery, HKElectrocardiogramQuery.Result) -> Void
    ) {
        handler = QueryHandler(dataHandler)
        super.init(_objectType: ecg.sampleType, predicate: nil)
    }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.absent("Reading the voltages of electrocardiograms")
    }

    override func report(_ error: HKError) { handler.current?(self, .error(error)) }
    override func releaseHandlers() { handler.current = nil }
}

/// Asks for the voltages of an electrocardiogram as a sequence; it fails with
/// `errorHealthDataUnavailable`.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery {
    /// Whose voltages.
    public var electrocardiogram: HKElectrocardiogram

    /// Asks for all voltages.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// A sequence that fails at its first element.
    public func results(for healthStore: HKHealthStore) -> Results { Results() }

    /// Voltages in order of time.
    public struct Results: AsyncSequence {
        public typealias Element = HKElectrocardiogram.VoltageMeasurement

        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> HKElectrocardiogram.VoltageMeasurement? {
                throw HKError.absent("Reading the voltages of electrocardiograms")
            }
        }

        public func makeAsyncIterator() -> Iterator { Iterator() }
    }
}
