public import Foundation

/// How a store behaves where a device would decide. Not Apple's.
///
/// The configuration of the first open handle of a file counts for all handles of it.
public struct HealthStoreConfiguration: Sendable {
    /// The store's clock.
    public var clock: any HealthStoreClock
    /// Whether the device is locked; a new, unlocked one on the store's clock if nil.
    public var protectedData: ProtectedDataState?
    /// Who answers what apps ask for.
    public var authorization: AuthorizationPolicy
    /// Whether there is health data at all.
    public var availability = HealthDataAvailability.available
    /// The calendar of statistics whose interval has none, and of the date of birth.
    public var calendar: Calendar
    /// Where people live, for their units; nil for the calendar's locale, else the system's.
    public var region: Locale.Region?
    /// Whether misuse that Apple answers with an exception ends the process here too; strict from
    /// the start where the environment says `OPENHEALTH_STRICT=1`.
    public var strictness: Strictness = asksForExceptions ? .strict : .lenient
    /// The order of samples of a query without sort descriptors.
    public var unsortedOrder = UnsortedOrder.start
    /// How an anchored query's limit treats deleted objects.
    public var tombstoneLimit = TombstoneLimit.apart
    /// Whether readings of discrete types are merged by source order like amounts (§3.6).
    public var discreteMerge = DiscreteMerge.allSources
    /// What a statistics collection has for a bucket without samples (§5.7, §5.8).
    public var emptyBuckets = EmptyBuckets.withoutQuantity
    /// The longest gap between two samples of a source that counts as covered, in seconds, by type
    /// (§1.8); types that are not listed have none.
    public var gapTolerance: [HKQuantityTypeIdentifier: TimeInterval] = [:]
    /// Saving before it fails; queries silently start at it (§9.6).
    public var earliestPermittedSampleDate = Date.distantPast
    /// Whether the app may be delivered to in the background (§7.4).
    public var backgroundDeliveryEntitlement = Entitlement.present

    /// Whether findings of ``HKHealthStore/diagnostics`` count in the summary that a test run ends
    /// with. A test that misuses a store on purpose leaves them out and looks at them itself.
    public var diagnosticsSummary = DiagnosticsSummary.included

    /// A store on the machine's clock whose person grants everything that is asked.
    public init(
        clock: any HealthStoreClock = .system, authorization: AuthorizationPolicy = .grant,
        protectedData: ProtectedDataState? = nil, calendar: Calendar = .current
    ) {
        self.clock = clock
        self.authorization = authorization
        self.protectedData = protectedData
        self.calendar = calendar
    }

    /// Whether there is health data on the device. Not Apple's.
    public enum HealthDataAvailability: Hashable, Sendable {
        case available
        /// As on a device without HealthKit: calls fail with `errorHealthDataUnavailable`.
        case unavailable
        /// As under a device management that forbids it: `errorHealthDataRestricted`.
        case restricted
    }

    /// What answers a misuse that Apple answers with an exception. Not Apple's.
    ///
    /// Initializers of samples know no store: where the environment says `OPENHEALTH_STRICT=1` they
    /// end the process over what `save` would refuse.
    public enum Strictness: Hashable, Sendable {
        /// An `HKError`, wherever the call has a way to report one.
        case lenient
        /// An error or the end of the process, whichever shows the mistake sooner.
        case strict
    }

    /// The order of samples nobody asked an order for (§9.9). Not Apple's.
    public enum UnsortedOrder: Hashable, Sendable {
        /// By start, then as saved.
        case start
        /// Shuffled, to find code that relies on an order; equal seeds shuffle alike.
        case shuffled(seed: UInt64)
    }

    /// What an anchored query's limit counts (§6.4). Not Apple's.
    public enum TombstoneLimit: Hashable, Sendable {
        /// Samples only; deleted objects have a limit of their own.
        case apart
        /// Both together, as one vendor saw it.
        case withinLimit
    }

    /// Which readings of a discrete type count (§3.6). Not Apple's.
    public enum DiscreteMerge: Hashable, Sendable {
        case allSources
        /// A reading is left out where a higher source covers its time.
        case bySourceOrder
    }

    /// What a statistics collection has for a bucket without samples. Not Apple's.
    ///
    /// Apple's header and its talk of 2014 say that the quantities are nil; that is the default. A
    /// vendor reports that devices used to answer zero there and since March 2026 answer nil or
    /// leave the bucket out. An app whose tests pass with all three shows the same on each of them.
    ///
    /// It applies to `HKStatisticsCollection`, from the query and from its descriptor, with or
    /// without a predicate. `statistics()` lists populated buckets only, whichever is set; and an
    /// `HKStatisticsQuery`, which has no buckets, reports `errorNoData` (§5.11).
    public enum EmptyBuckets: Hashable, Sendable {
        /// Enumerated, with nil for every quantity.
        case withoutQuantity
        /// Enumerated, and where a sum was asked for it is zero in the type's own unit; averages,
        /// extremes, durations and values by source stay nil.
        case zeroSum
        /// Left out of an enumeration, and nil from `statistics(for:)`.
        case omitted
    }

    /// Where findings of a store's use are reported. Not Apple's.
    public enum DiagnosticsSummary: Hashable, Sendable {
        /// By the store's diagnostics and in the process's summary.
        case included
        /// By the store's diagnostics alone.
        case leftOut
    }

    /// A right that an app is signed with, on Apple's platforms. Not Apple's.
    public enum Entitlement: Hashable, Sendable {
        case present, missing
    }
}
