public import Foundation
public import HealthEngine

/// Health data in a dashboard's words, over HealthKit: the same on a phone and over a store of this
/// package.
///
/// ```swift
/// let service = HealthKitService(store: HKHealthStore())
/// let march = DateInterval(start: first, end: last)
/// let steps = try await service.series(.steps, by: .day, over: march)   // 31 points
/// ```
/// Reading needs the person's permission, which an app asks for itself. Uses HealthKit's public
/// calls alone; anything it can't say is ``Unavailability``.
public actor HealthKitService: HealthService {
    let store: HKHealthStore
    /// Where days, weeks, months and years begin.
    public nonisolated let calendar: Calendar
    private let revisionProvider: any RevisionProvider
    nonisolated let now: @Sendable () -> Date
    private nonisolated let sleepSources: (@Sendable () throws -> SleepSources)?

    /// - Parameters:
    ///   - calendar: Its zone and first day of the week count; days are Gregorian in any case.
    ///   - revisions: Who tells whether something changed; nil for HealthKit's own anchors.
    ///   - now: The clock, which says which step is the present one.
    public init(
        store: HKHealthStore, calendar: Calendar = .current,
        revisions: (any RevisionProvider)? = nil, now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.init(
            store: store, calendar: calendar, revisions: revisions, sleepSources: nil, now: now)
    }

    /// - Parameter sleepSources: The source priority of sleep in the store, which HealthKit does not
    ///   tell; nil for HealthKit's default order with all sources included.
    package init(
        store: HKHealthStore, calendar: Calendar, revisions: (any RevisionProvider)?,
        sleepSources: (@Sendable () throws -> SleepSources)?,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.store = store
        self.sleepSources = sleepSources
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        revisionProvider = revisions ?? AnchorRevisions(store: store)
        self.now = now
    }

    /// Of all that the catalogue knows, those that show a sample: one query each.
    public func metrics() async throws(Unavailability) -> [Metric] {
        var found: [Metric] = []
        for metric in Metric.known {
            guard let type = metric.sampleType else { continue }
            if try await latest(type) != nil { found.append(metric) }
        }
        return found
    }

    /// See ``HealthService/revisions(of:)``.
    public func revisions(
        of metrics: [Metric]
    ) async throws(Unavailability) -> [Metric: Revision] {
        do {
            return try await revisionProvider.revisions(of: metrics)
        } catch {
            throw Unavailability(error)
        }
    }

    /// The day of the latest sample of the types people look at first; nil if there is none.
    public func latestDay() async throws(Unavailability) -> CivilDate? {
        var latest = Date.distantPast
        for metric in [Metric.steps, .activeEnergy, .heartRate, .sleep, .weight] {
            guard let type = metric.sampleType else { continue }
            if let start = try await self.latest(type) { latest = max(latest, start) }
        }
        return latest == .distantPast ? nil : calendar.civilDate(of: latest)
    }

    /// When the latest sample of a type begins that has begun; nil too where nobody was asked.
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
            if reason == .notAsked { return nil }
            throw reason
        }
    }

    /// The day's borders.
    ///
    /// - Throws: A day that the zone skipped is none.
    func interval(of day: CivilDate) throws(Unavailability) -> DateInterval {
        guard let interval = calendar.interval(of: day) else {
            throw .failed("\(day) is no day in \(calendar.timeZone.identifier).")
        }
        return interval
    }

    /// From the first moment of the first day to the end of the last; days that the zone skipped
    /// shorten it.
    func interval(of days: ClosedRange<CivilDate>) throws(Unavailability) -> DateInterval {
        guard
            let first = calendar.interval(of: days.lowerBound)
                ?? calendar.interval(of: days.lowerBound.advanced(by: 1)),
            let last = calendar.interval(of: days.upperBound)
                ?? calendar.interval(of: days.upperBound.advanced(by: -1)),
            first.start < last.end
        else { throw .failed("There are no days from \(days.lowerBound) to \(days.upperBound).") }
        return DateInterval(start: first.start, end: last.end)
    }

    /// The source priority of sleep; nil where only HealthKit's default is known.
    func knownSleepSources() throws(Unavailability) -> SleepSources? {
        do {
            return try sleepSources?()
        } catch {
            throw .failed("The order of sources can't be read: \(error)")
        }
    }

    /// HealthKit's samples of a category.
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
    /// Samples that touch it, or as the options say.
    func predicate(_ options: HKQueryOptions = []) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: start, end: end, options: options)
    }
}
