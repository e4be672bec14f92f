public import Foundation
import HealthCalendar
package import HealthEngine

/// A health service over HealthKit: Apple's on iOS, watchOS and visionOS, OpenHealthKit elsewhere.
///
/// ```swift
/// let service = HealthKitService(store: HKHealthStore())
/// let march = DateInterval(start: first, end: last)
/// let steps = try await service.series(.steps, by: .day, over: march)   // 31 points
/// ```
/// Reading needs a person's permission, which the app requests itself. The service uses only
/// HealthKit's public interface. Errors are reported as ``Unavailability``.
public actor HealthKitService: HealthService {
    let store: HKHealthStore
    /// The Gregorian calendar that determines where days, weeks, months and years start.
    public nonisolated let calendar: Calendar
    private let revisionProvider: any RevisionProvider
    nonisolated let now: @Sendable () -> Date
    private nonisolated let sleepSources: (@Sendable () throws -> SleepSources)?
    nonisolated let appleTotals: AppleTotals?

    /// Creates a service for a health store.
    ///
    /// - Parameters:
    ///   - store: The health store.
    ///   - calendar: The calendar whose time zone and first weekday are used; days are always
    ///     Gregorian.
    ///   - revisions: The provider of revisions; nil for HealthKit's anchors.
    ///   - now: Returns the current date. It determines which bucket is current and which samples
    ///     have started. Samples of undetermined duration end at it.
    public init(
        store: HKHealthStore, calendar: Calendar = .current,
        revisions: (any RevisionProvider)? = nil, now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.init(
            store: store, calendar: calendar, revisions: revisions, sleepSources: nil, now: now)
    }

    /// Creates a service that can use another source priority for sleep than HealthKit's default,
    /// and totals that HealthKit doesn't have.
    ///
    /// - Parameters:
    ///   - sleepSources: Returns the source priority and the excluded sources for sleep, which
    ///     HealthKit does not report. Nil for HealthKit's default order with all sources.
    ///   - appleTotals: Reads Apple's totals; nil for none.
    package init(
        store: HKHealthStore, calendar: Calendar, revisions: (any RevisionProvider)?,
        sleepSources: (@Sendable () throws -> SleepSources)?, appleTotals: AppleTotals? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.store = store
        self.sleepSources = sleepSources
        self.appleTotals = appleTotals
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        revisionProvider = revisions ?? AnchorRevisions(store: store)
        self.now = now
    }

    /// Returns the metrics of the catalogue that have a readable sample or a total, with one query
    /// for each type. Samples that start in the future don't count. Types without requested authorization
    /// are omitted.
    ///
    /// - Returns: The metrics in the catalogue's order.
    /// - Throws: ``Unavailability``.
    public func metrics() async throws(Unavailability) -> [Metric] {
        var found: [Metric] = []
        for metric in Metric.known {
            guard let type = metric.sampleType else { continue }
            if try await latest(type) != nil {
                found.append(metric)
            } else if try await appleTotalsExtent(metric) != nil {
                found.append(metric)
            }
        }
        return found
    }

    /// Returns the revisions of metrics. Equal revisions of a metric mean equal results for past
    /// days.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: The revisions; metrics without a known revision are omitted.
    /// - Throws: ``Unavailability``.
    public func revisions(
        of metrics: [Metric]
    ) async throws(Unavailability) -> [Metric: Revision] {
        do {
            return try await revisionProvider.revisions(of: metrics)
        } catch {
            throw Unavailability(error)
        }
    }

    /// Returns the latest day with steps, active energy, heart rate, sleep or weight. Samples that
    /// start in the future don't count. Types without requested authorization are skipped.
    ///
    /// - Returns: The day on which the latest sample starts, or of the latest total; nil if there is
    ///   none.
    /// - Throws: ``Unavailability``.
    package func latestDay() async throws(Unavailability) -> CivilDate? {
        var latest = Date.distantPast
        for metric in [Metric.steps, .activeEnergy, .heartRate, .sleep, .weight] {
            guard let type = metric.sampleType else { continue }
            if let start = try await self.latest(type) { latest = max(latest, start) }
            if let end = try await appleTotalsExtent(metric)?.end {
                // The end is exclusive: midnight is the end of the day before.
                latest = max(latest, min(end - 0.001, now()))
            }
        }
        return latest == .distantPast ? nil : calendar.civilDate(of: latest)
    }

    /// Returns the start of a type's latest sample. Samples that start in the future don't count.
    /// Nil if there is none, or if authorization was not requested.
    private func latest(_ type: HKSampleType) async throws(Unavailability) -> Date? {
        let begun = HKQuery.predicateForSamples(
            withStart: nil, end: now(), options: [.strictStartDate])
        let query = HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: begun)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
        do {
            return try await query.result(for: store).first?.startDate
        } catch {
            let reason = Unavailability(error)
            if reason == .notDetermined { return nil }
            throw reason
        }
    }

    /// Returns the half-open interval of a day.
    ///
    /// - Throws: ``Unavailability/failed(_:)`` for a day that does not exist in the time zone.
    func interval(of day: CivilDate) throws(Unavailability) -> DateInterval {
        guard let interval = calendar.interval(of: day) else {
            throw .failed("The day \(day) doesn't exist in \(calendar.timeZone.identifier).")
        }
        return interval
    }

    /// Returns the interval from the start of the first day to the end of the last. A first or last
    /// day that does not exist in the time zone is skipped.
    ///
    /// - Throws: ``Unavailability/failed(_:)`` if no day is left.
    func interval(of days: ClosedRange<CivilDate>) throws(Unavailability) -> DateInterval {
        guard let interval = calendar.interval(of: days) else {
            throw .failed("No days exist from \(days.lowerBound) to \(days.upperBound).")
        }
        return interval
    }

    /// Returns the given source priority of sleep; nil if HealthKit's default is used.
    func knownSleepSources() throws(Unavailability) -> SleepSources? {
        do {
            return try sleepSources?()
        } catch {
            throw .failed("The order of sources can't be read: \(error)")
        }
    }

    /// Returns the samples of a category type that overlap an interval or end at its start.
    func samples(
        of type: HKCategoryType, touching interval: DateInterval
    ) async throws(Unavailability) -> [HKCategorySample] {
        let query = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: type, predicate: interval.predicate())],
            sortDescriptors: [])
        do {
            return try await query.result(for: store)
        } catch {
            throw Unavailability(error)
        }
    }
}

extension DateInterval {
    /// Returns HealthKit's predicate for samples in the interval. Without options, it matches
    /// samples that overlap the interval or end at its start (Semantics §2.1).
    func predicate(_ options: HKQueryOptions = []) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: start, end: end, options: options)
    }
}

extension HealthKitService {
    /// A stream with an element after changes of the types on the Today page, including sleep and
    /// workouts but not activity rings. Changes within 100 milliseconds are combined.
    ///
    /// Each type has an observer query of its own, so that an unreadable type does not affect the
    /// others. The queries stop when the stream's consumer is cancelled or the stream is released.
    public nonisolated var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let debouncer = ChangeDebouncer(continuation)
            let types: [HKSampleType] =
                SummaryPage.metrics.compactMap(\.sampleType)
                + [HKCategoryType(.sleepAnalysis), HKObjectType.workoutType()]
            let queries = types.map { type in
                HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                    if error == nil { Task { await debouncer.report(type.identifier) } }
                    completion()
                }
            }
            for query in queries { store.execute(query) }
            continuation.onTermination = { [store] _ in
                for query in queries { store.stop(query) }
            }
        }
    }
}

/// Combines changes within 100 milliseconds into one element of a stream.
private actor ChangeDebouncer {
    private let continuation: AsyncStream<Void>.Continuation
    private var isWaiting = false
    private var begun: Set<String> = []

    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    /// Reports a change. The first call for each type is ignored: an observer query calls its
    /// handler once when it starts, before any change (Semantics §7.2).
    func report(_ type: String) async {
        if begun.insert(type).inserted || isWaiting { return }
        isWaiting = true
        try? await Task.sleep(for: .milliseconds(100))
        isWaiting = false
        continuation.yield()
    }
}

extension Metric {
    /// HealthKit's sample type; nil if this system doesn't have it, and for activity rings.
    var sampleType: HKSampleType? {
        if self == .workouts { return HKObjectType.workoutType() }
        return kind == .state ? categoryType : quantityType
    }

    var quantityType: HKQuantityType? {
        kind == .state
            ? nil
            : HKObjectType.quantityType(
                forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
    }

    var categoryType: HKCategoryType? {
        kind == .state
            ? HKObjectType.categoryType(
                forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier)) : nil
    }

    /// Returns this metric's unit as a HealthKit unit; nil if the type is incompatible with it.
    func unit(of type: HKQuantityType) -> HKUnit? {
        let unit = HKUnit(from: self.unit)
        return type.is(compatibleWith: unit) ? unit : nil
    }

    /// The metrics of the catalogue whose sample type exists on this system.
    static var known: [Metric] {
        Catalogue.types.compactMap { Metric($0) }.filter { $0.sampleType != nil }
    }
}

extension Unavailability {
    /// Creates the reason for an error of HealthKit.
    init(_ error: any Error) {
        if let known = error as? Unavailability {
            self = known
            return
        }
        switch (error as? HKError)?.code {
        case .errorDatabaseInaccessible: self = .locked
        case .errorHealthDataUnavailable, .errorHealthDataRestricted: self = .noHealthData
        case .errorAuthorizationNotDetermined: self = .notDetermined
        case .some:
            self = .failed("The health store reported an error: \(error.localizedDescription)")
        case nil: self = .failed("The health data could not be read.")
        }
    }
}
