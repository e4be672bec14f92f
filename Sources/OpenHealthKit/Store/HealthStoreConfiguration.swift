public import Foundation

/// The behaviour of a store where on Apple's platforms the device or the person determines it. Not
/// part of Apple's API.
///
/// The configuration of the first handle of a file applies to all handles of that file, as long as
/// one exists.
public struct HealthStoreConfiguration: Sendable {
    /// The store's clock.
    public var clock: any HealthStoreClock
    /// The lock state of the device; nil for a new, unlocked one with the store's clock.
    public var protectedData: ProtectedDataState?
    /// How authorization requests of apps are answered.
    public var authorization: AuthorizationPolicy
    /// Whether health data is available.
    public var availability = HealthDataAvailability.available
    /// The calendar for statistics whose interval has none, and for the date of birth.
    public var calendar: Calendar
    /// The region for display units; nil for the region of the calendar's locale, or else of the
    /// system's.
    public var region: Locale.Region?
    /// Whether misuse that raises an exception on Apple's platforms ends the process. The default
    /// is `.strict` with `OPENHEALTH_STRICT=1` in the environment, otherwise `.lenient`.
    public var strictness: Strictness = isStrictByEnvironment ? .strict : .lenient
    /// The order of samples in a query without sort descriptors.
    public var unsortedOrder = UnsortedOrder.start
    /// How the limit of an anchored query applies to deleted objects.
    public var tombstoneLimit = TombstoneLimit.samplesOnly
    /// Whether discrete samples are merged by source priority like cumulative ones (Semantics
    /// §3.6).
    public var discreteMerge = DiscreteMerge.allSources
    /// How a statistics collection represents a bucket without samples (Semantics §5.7, §5.8).
    public var emptyBuckets = EmptyBuckets.withoutQuantity
    /// The tolerated gap, in seconds by type. A shorter gap between two samples of one source
    /// counts as covered (Semantics §1.8). The default for a type is 0.
    public var gapTolerance: [HKQuantityTypeIdentifier: TimeInterval] = [:]
    /// The earliest date of samples. Saving an earlier sample fails; queries silently begin at this
    /// date (Semantics §9.6).
    public var earliestPermittedSampleDate = Date.distantPast
    /// Whether the app has the entitlement for background delivery (Semantics §7.4).
    public var backgroundDeliveryEntitlement = Entitlement.present

    /// Whether the process's summary includes the findings of ``HKHealthStore/diagnostics``. A test
    /// that misuses a store on purpose can exclude the findings and check them itself.
    public var diagnosticsSummary = DiagnosticsSummary.included

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - clock: The store's clock.
    ///   - authorization: How authorization requests are answered; all are granted by default.
    ///   - protectedData: The lock state of the device; nil for a new, unlocked one.
    ///   - calendar: The calendar for statistics whose interval has none, and for the date of
    ///     birth.
    public init(
        clock: any HealthStoreClock = .system, authorization: AuthorizationPolicy = .grant,
        protectedData: ProtectedDataState? = nil, calendar: Calendar = .current
    ) {
        self.clock = clock
        self.authorization = authorization
        self.protectedData = protectedData
        self.calendar = calendar
    }

    /// Whether health data is available. Not part of Apple's API.
    public enum HealthDataAvailability: Hashable, Sendable {
        case available
        /// Like a device without HealthKit: calls fail with `errorHealthDataUnavailable`.
        case unavailable
        /// Like a managed device that forbids it: calls fail with `errorHealthDataRestricted`.
        case restricted
    }

    /// The response to misuse that raises an exception on Apple's platforms. Not part of Apple's
    /// API.
    ///
    /// Initializers of samples have no store: with `OPENHEALTH_STRICT=1` in the environment, they
    /// end the process for samples that `save` would reject.
    public enum Strictness: Hashable, Sendable {
        /// Misuse is reported as an `HKError` if the call can report one. Otherwise it ends the
        /// process.
        case lenient
        /// Misuse ends the process. The use of an anchor in a query for other types, which a
        /// lenient store only records as a finding, is an `HKError`.
        case strict
    }

    /// The order of samples in a query without sort descriptors (Semantics §9.9). Not part of
    /// Apple's API.
    public enum UnsortedOrder: Hashable, Sendable {
        /// By start, then by the order of saving.
        case start
        /// Shuffled, to detect code that relies on an order; equal seeds give equal orders.
        case shuffled(seed: UInt64)
    }

    /// What the limit of an anchored query counts (Semantics §6.4). Not part of Apple's API.
    public enum TombstoneLimit: Hashable, Sendable {
        /// Samples only. Deleted objects have a limit of their own: that of the samples, but at
        /// least 1,000.
        case samplesOnly
        /// Samples and deleted objects together, as a vendor observed on Apple's devices.
        case samplesAndDeletions
    }

    /// Which samples of a discrete type are included in statistics (Semantics §3.6). Not part of
    /// Apple's API.
    public enum DiscreteMerge: Hashable, Sendable {
        case allSources
        /// A sample is left out while an interval of a higher-priority source covers it, or if such
        /// a source has a sample at the same instant.
        case bySourceOrder
    }

    /// How a statistics collection represents a bucket without samples. Not part of Apple's API.
    ///
    /// According to Apple's header and its talk of 2014 the quantities are nil; that is the
    /// default. A vendor reports that devices used to return zero and since March 2026 return nil
    /// or omit the bucket. An app whose tests pass with all three cases behaves the same on each
    /// device.
    ///
    /// The setting applies to `HKStatisticsCollection`, from the query and from its descriptor,
    /// with or without a predicate. `statistics()` always lists populated buckets only.
    /// `HKStatisticsQuery`, which has no buckets, reports `errorNoData` (Semantics §5.11).
    public enum EmptyBuckets: Hashable, Sendable {
        /// Enumerated, with nil for every quantity.
        case withoutQuantity
        /// Enumerated. A requested sum of a cumulative type is zero in the type's canonical unit;
        /// all other values and the values by source are nil.
        case zeroSum
        /// Omitted from enumerations, and nil from `statistics(for:)`.
        case omitted
    }

    /// Where findings about a store are reported. Not part of Apple's API.
    public enum DiagnosticsSummary: Hashable, Sendable {
        /// In the store's diagnostics and in the process's summary.
        case included
        /// In the store's diagnostics only.
        case excluded
    }

    /// A code-signing entitlement on Apple's platforms. Not part of Apple's API.
    public enum Entitlement: Hashable, Sendable {
        case present, missing
    }
}
