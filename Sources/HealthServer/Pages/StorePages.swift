import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// The pages of a store: parses requests and composes the pages.
///
/// Pages that are read through HealthKit (Today, Trends, Sleep, Workouts, Weight) are cached until
/// a revision of their metrics or their context changes.
final class StorePages: Sendable {
    let store: SampleStore
    let calendar: CalendarBuckets
    private let revisions: StoreRevisions
    private let service: HealthKitService
    private let cache: DashboardCache
    private let memo = ServiceMemo()
    /// The counts of the store's contents, from which the next count continues.
    private let contents = Mutex<StoreContents?>(nil)
    /// Writes source orders.
    private let writing: StoreWriting
    private let notes: WeightNotes?
    private let stepGoal: Double?
    private let audience: PageAudience

    /// Opens the store and creates its pages.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeZone: The time zone of days; nil for the store's home zone, else the system's.
    ///   - file: The file that keeps pages between runs; nil to keep them in memory.
    ///   - notes: The notes on weights; nil for none.
    ///   - stepGoal: The goal of steps a day; nil for none.
    ///   - audience: Who reads the pages.
    ///   - writing: Runs what writes to the store; nil to use a connection of the pages.
    /// - Throws: `StoreError` if there is no readable store, `HKError` if it can't be opened for
    ///   HealthKit queries.
    init(
        storeAt path: String, timeZone: TimeZone?, cache file: URL?, notes: WeightNotes?,
        stepGoal: Double?, audience: PageAudience = .owner(commandOptions: ""),
        writing: StoreWriting? = nil
    ) throws {
        let connection = PageConnection(storeAt: path)
        self.writing = writing ?? { try connection.write($0) }
        self.notes = notes
        self.stepGoal = stepGoal
        self.audience = audience
        store = try SampleStore(at: path, access: .reading)
        let home = try store.homeZone.flatMap { TimeZone(identifier: $0.identifier) }
        calendar = CalendarBuckets(timeZone: timeZone ?? home ?? .current)
        revisions = StoreRevisions(store: store)
        // The person who runs the server owns the store, so everything is readable.
        let configuration = HealthStoreConfiguration(
            authorization: .assumed, calendar: calendar.calendar)
        service = HealthKitService(
            store: try HKHealthStore(path: path, configuration: configuration),
            calendar: calendar.calendar, revisions: revisions,
            sleepSources: { [store] in try SleepSources(of: store) },
            appleTotals: AppleTotals(of: store))
        cache = DashboardCache(at: file)
    }

    private var context: PageContext {
        PageContext(calendar: calendar.calendar, stepGoal: stepGoal)
    }

    var site: Site {
        Site(
            pages: [
                page("/", today), page("/trends", trends), page("/sleep", sleep),
                page("/workouts", workouts, .pathAndName), page("/weight", weight),
                page("/why", why), page("/data", data), page("/check-up", dataQuality),
                ServedPage(form: "/why", action: saveOrder),
            ],
            files: [
                ServedFile(
                    path: Stylesheet.path, contentType: "text/css; charset=utf-8",
                    text: Stylesheet.text),
                ServedFile(
                    path: Script.path, contentType: "text/javascript; charset=utf-8",
                    text: Script.text),
            ],
            errorPage: { [audience] in
                PageFrame(audience: audience).message(title: $0.title, sentence: $0.sentence)
            })
    }

    private func page<Value: HTMLPage>(
        _ path: String,
        _ compose: @escaping @Sendable (PageQuery) async throws -> Value,
        _ matching: ServedPage.PathMatching = .path
    ) -> ServedPage {
        ServedPage(at: path, matching) { [self] query in
            var value = try await compose(query)
            value.freshness.newest = try newestDay()
            return value
        } html: { [audience] value, query in
            value.html(PageFrame(formKey: query.formKey, audience: audience))
        }
    }

    private func current<Value: Page>(
        _ words: String, _ context: PageContext, of metrics: [Metric],
        _ compose: @Sendable (MemoizedService) async throws(Unavailability) -> Value
    ) async throws -> Value {
        let stamps = try await revisions.revisions(of: metrics)
        let service = MemoizedService(
            service: service, memo: memo, stamps: stamps, now: context.now)
        do {
            return try await cache.current(context.cacheKey(words), of: metrics, at: stamps) {
                () async throws(Unavailability) in try await compose(service)
            }
        } catch .locked {
            // The store is never locked like a device, so "locked" means that its file is busy.
            throw PageError.unavailable(busyMessage("The store can’t be read"))
        }
    }

    /// Returns a message with the reason why the store's file is busy: an import, or another
    /// program.
    private func busyMessage(_ what: String) -> String {
        SampleStore.isBeingImported(into: store.path)
            ? "\(what): an import is running. Reload the page when it has finished."
            : "\(what): another program is writing to the store. Reload the page in a moment."
    }

    // MARK: - Pages from HealthKit

    @Sendable private func today(_ query: PageQuery) async throws -> TodayPage {
        let requestedDay = try day("day", of: query)
        let period = try query.choice("period", of: TodayPage.Period.self) ?? .day
        let context = context
        let words = "\(period.rawValue) \(requestedDay?.description ?? "of the latest data")"
        var page = try await current(words, context, of: TodayPage.watched) {
            service async throws(Unavailability) in
            var day = requestedDay ?? context.today
            if requestedDay == nil, let latest = try await service.service.latestDay() {
                day = latest
            }
            return try await TodayPage(of: service, period, on: day, context: context)
        }
        let notices = try SilenceText.notices(
            store, now: context.now.timeIntervalSinceReferenceDate, in: calendar)
        page.notices = notices.isEmpty ? nil : notices
        return page
    }

    @Sendable private func trends(_ query: PageQuery) async throws -> TrendsPage {
        let (metric, type) = try metric(query["metric"] ?? "stepCount")
        let last = try day("to", of: query) ?? latestDay(of: type)
        let first =
            try day("from", of: query) ?? last.advanced(by: -29)
        guard first <= last else {
            throw PageError.badRequest("The range ends before it starts: \(first) to \(last).")
        }
        let days = last.dayNumber - first.dayNumber + 1
        let step =
            try query.choice("by", of: CalendarStep.self)
            ?? (days <= 2 ? .hour : days <= 62 ? .day : days <= 1096 ? .week : .month)
        guard days * step.maximumPerDay <= 4_000 * step.minimumDays else {
            throw PageError.badRequest(
                "The range is too long for a chart: choose a longer step or fewer days.")
        }
        let range = interval(first, last)
        let context = context
        let stored = try store.presentTypes()
        let totals = try store.typesWithReceivedTotals().filter { !stored.contains($0) }
        let present = (stored + totals).compactMap { Metric(identifier: $0.identifier) }
        let words = "\(type.name) by \(step.rawValue) from \(first) to \(last)"
        var page = try await current(words, context, of: [metric]) {
            service async throws(Unavailability) in
            try await TrendsPage(
                of: service, metric, by: step, over: range, among: present, context: context)
        }
        page.metrics = present.sorted { $0.displayName < $1.displayName }
        return page
    }

    @Sendable private func sleep(_ query: PageQuery) async throws -> SleepPage {
        let chosen = try day("day", of: query)
        let latest = try latestSleepDay()
        let isRecent = chosen.map { (0...27).contains(latest.dayNumber - $0.dayNumber) } ?? true
        let end = isRecent ? latest : chosen ?? latest
        let first = max(CivilDate.supportedRange.lowerBound, end.advanced(by: -27))
        let days = min(first, end)...end
        let context = context
        let words = "nights \(days), \(chosen?.description ?? "the latest")"
        return try await current(words, context, of: [.sleep]) {
            service async throws(Unavailability) in
            try await SleepPage(of: service, days, chosen: chosen, context: context)
        }
    }

    @Sendable private func workouts(_ query: PageQuery) async throws -> WorkoutsPage {
        var id: UUID?
        if let name = query.name {
            guard let uuid = UUID(uuidString: name) else {
                throw PageError.notFound("“\(name)” is not a workout identifier.")
            }
            id = uuid
        }
        let (context, chosen) = (context, id)
        let before = try query.moment("before")
        let range = DateInterval(
            start: .distantPast, end: before.map { max($0, .distantPast) } ?? .distantFuture)
        let counts = try WorkoutsPage.Counts(
            total: workoutCount(before: nil), inRange: workoutCount(before: before))
        let words =
            "workouts \(id?.uuidString ?? "")"
            + (before.map { " before \($0.timeIntervalSinceReferenceDate)" } ?? "")
        let page = try await current(words, context, of: [.workouts, .heartRate]) {
            service async throws(Unavailability) in
            try await WorkoutsPage(
                of: service, over: range, chosen: chosen, counts: counts, context: context)
        }
        if id != nil, page.detail == nil {
            throw PageError.notFound("There is no workout with this identifier.")
        }
        return page
    }

    private func workoutCount(before: Date?) throws -> Int {
        guard let type = Catalogue.type(identifier: Metric.workouts.identifier) else { return 0 }
        let end = before?.timeIntervalSinceReferenceDate ?? .infinity
        return try store.starts(of: type, from: -.infinity, to: end)?.samples ?? 0
    }

    @Sendable private func weight(_ query: PageQuery) async throws -> WeightPage {
        let context = context
        let last = try latestDay(of: store.type(named: "bodyMass"))
        let range = interval(last.advanced(by: -729), last)
        var page = try await current("weight to \(last)", context, of: [.weight]) {
            service async throws(Unavailability) in
            try await WeightPage(of: service, over: range, context: context)
        }
        if let loaded = await notes?.load(in: range) {
            (page.notes, page.notesProblem) = (loaded.notes, loaded.problem)
        }
        return page
    }

    // MARK: - Pages from the store

    @Sendable private func why(_ query: PageQuery) async throws -> WhyPage {
        let now = Date.now
        var page = try WhyPage(
            store, type: query["metric"], day: day("day", of: query), order: query.order,
            excluding: query.all("out"), including: query.all("in"), in: calendar, now: now)
        try page.calibrate(query.calibrationForm, store, in: calendar, now: now)
        page.suggestCommands(to: audience)
        return page
    }

    @Sendable private func saveOrder(_ query: PageQuery) async throws -> String {
        let (excluded, included) = (query.all("out"), query.all("in"))
        guard let metric = query["metric"],
            !query.order.isEmpty || !excluded.isEmpty || !included.isEmpty
        else { throw PageError.badRequest("The form has no metric or no changes.") }
        let day = try day("day", of: query)
        do {
            try await writing { store in
                try WhyPage.save(
                    order: query.order, excluding: excluded, including: included, of: metric,
                    in: store)
            }
        } catch let error as StoreError where error.code == .busy {
            throw PageError.unavailable(busyMessage("Nothing was saved"))
        }
        let formFields = query.calibrationForm.rows.map { row in
            "&on=\(FormText.encoded(row.day))&shows=\(FormText.encoded(row.amount))"
        }
        return "/why?metric=" + FormText.encoded(metric) + (day.map { "&day=\($0)" } ?? "")
            + formFields.joined()
    }

    @Sendable private func data(_ query: PageQuery) async throws -> DataPage {
        var page = try DataPage(store, contents: currentContents(), in: calendar, now: .now)
        page.suggestCommands(to: audience)
        return page
    }

    @Sendable private func dataQuality(_ query: PageQuery) async throws -> DataQualityPage {
        var page = try DataQualityPage(store, in: calendar, now: .now)
        page.suggestCommands(to: audience)
        return page
    }

    /// Returns the counts of the store's contents, updated incrementally.
    private func currentContents() throws -> StoreContents {
        let known = contents.withLock { $0 }
        let current = try known.map { try store.contents(since: $0) } ?? store.contents()
        contents.withLock { $0 = current }
        return current
    }

    /// Counts the store's contents before the first request, which is then faster. Errors are
    /// ignored.
    func prepare() async { _ = try? currentContents() }

    // MARK: - Parameters

    private func metric(_ name: String) throws -> (Metric, SampleType) {
        let type = try store.type(named: name)
        guard let metric = Metric(identifier: type.identifier) else {
            throw PageError.badRequest("“\(name)” can’t be drawn as a chart.")
        }
        return (metric, type)
    }

    /// Returns the last day on which a sample of the Today page's quantities or categories starts or
    /// for which there is a total, at most today; nil without either.
    private func newestDay() throws -> CivilDate? {
        let types = TodayPage.watched.compactMap { Catalogue.type(identifier: $0.identifier) }
            .filter { $0.kind == .quantity || $0.kind == .category }
        let now = Date.now.timeIntervalSinceReferenceDate
        let sample = try store.starts(of: types)?.upperBound
        let total = try types.compactMap { try store.receivedTotalsExtent(of: $0)?.end.nextDown }
            .max()
        return [sample, total].compactMap(\.self).max()
            .flatMap { CivilDate(calendar.day(min(now, $0))) }
    }

    /// Returns the day on which the latest sample or total of a type ends, at most today; today
    /// without either.
    private func latestDay(of type: SampleType) throws -> CivilDate {
        let now = Date.now.timeIntervalSinceReferenceDate
        let last = try store.latestEnd(of: type) ?? now
        return CivilDate(calendar.day(min(now, last.nextDown))) ?? context.today
    }

    /// Returns the day of the latest night or nap; today without sleep. Sleep that ends after 18:00
    /// may belong to the next day, so this may be tomorrow.
    private func latestSleepDay() throws -> CivilDate {
        let now = Date.now.timeIntervalSinceReferenceDate
        guard let type = Catalogue.type(identifier: Metric.sleep.identifier),
            let last = try store.extent(of: SampleQuery(type))?.last
        else { return context.today }
        let moment = min(now, last.nextDown)
        return max(
            try latestDay(of: type), CivilDate(calendar.day(moment + 6 * 3600)) ?? context.today)
    }

    /// Returns the day in a field; nil if the field is missing or empty.
    ///
    /// - Throws: ``PageError`` for an invalid day, or one that the time zone skipped.
    private func day(_ name: String, of query: PageQuery) throws -> CivilDate? {
        guard let day = try query.day(name) else { return nil }
        guard calendar.start(of: day) != nil else {
            throw PageError.badRequest(
                "The day \(day) doesn’t exist in \(calendar.calendar.timeZone.identifier).")
        }
        return day
    }

    /// Returns the interval from the start of the first day to the end of the last (exclusive).
    private func interval(_ first: CivilDate, _ last: CivilDate) -> DateInterval {
        let calendar = calendar.calendar
        return calendar.interval(of: first...last)
            ?? DateInterval(start: calendar.midnight(first), duration: 0)
    }
}
