import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// The pages of a store: parses requests and composes the pages.
///
/// Pages that are read through HealthKit (Summary, types, Sleep, Workouts, Weight) are cached until
/// a revision of their metrics or their context changes.
final class StorePages: Sendable {
    let store: SampleStore
    let calendar: CalendarBuckets
    let revisions: StoreRevisions
    /// The services by first day of the week, which differs between readers.
    private let services = Mutex<[Int: WeekService]>([:])
    private let makeService: @Sendable (Calendar) throws -> HealthKitService
    private let cache: DashboardCache
    /// The counts of the store's contents, from which the next count continues.
    private let contents = Mutex<StoreContents?>(nil)
    /// Writes source orders.
    private let writing: StoreWriting
    private let notes: WeightNotes?
    let workoutHistory = WorkoutHistoryMemo()
    private let stepGoal: Double?
    let audience: PageAudience

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
        let healthStore = try HKHealthStore(path: path, configuration: configuration)
        makeService = { [store, revisions] calendar in
            HealthKitService(
                store: healthStore, calendar: calendar, revisions: revisions,
                sleepSources: { try SleepSources(of: store) },
                appleTotals: AppleTotals(of: store))
        }
        cache = DashboardCache(at: file, program: "openhealth \(ProgramVersion.text)")
    }

    var context: PageContext {
        let calendar = Calendar.gregorian(
            in: calendar.calendar.timeZone, firstWeekday: PageSettings.current.firstWeekday)
        return PageContext(calendar: calendar, stepGoal: stepGoal)
    }

    private var pages: [ServedPage] {
        [
            summaryPage, typePage(at: TypePage.path, .pathAndName),
            page(ComparePage.path, compare), page(ReportPage.path, report),
            typePage(at: TypePage.yearPath, .pathAndName),
            ServedPage(moved: "/trends", to: TypePage.path),
            page(NotesPage.path, dayNotes), ServedPage(form: NotesPage.path, action: saveNote),
            page(SettingsPage.path, settingsPage),
            ServedPage(form: SettingsPage.path, action: saveSettings),
            page(BrowsePage.path, browse), page(CardsPage.path, cards),
            ServedPage(form: CardsPage.path, action: saveCards),
            page("/sleep", sleep), ServedPage(form: "/sleep", action: saveSleepGoal),
            page("/workouts", workouts, .pathAndName),
            page("/weight", weight), page("/why", why), page("/data", data),
            page("/check-up", dataQuality), ServedPage(form: "/why", action: saveOrder),
        ]
    }

    var site: Site {
        Site(
            pages: pages.map { page in
                page.reading { [self] query in (try? settings(for: query)) ?? PageSettings() }
            },
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
        } html: { [self] value, query in
            value.html(frame(of: value, query))
        }
    }

    func current<Value: Page>(
        _ words: String, _ context: PageContext, of metrics: [Metric],
        _ compose: @Sendable (MemoizedService) async throws(Unavailability) -> Value
    ) async throws -> Value {
        let service = try await service(of: metrics, context)
        let stamps = service.stamps
        let key = context.cacheKey(words) + PageSettings.current.cacheWords
        do {
            return try await cache.current(key, of: metrics, at: stamps) {
                () async throws(Unavailability) in try await compose(service)
            }
        } catch .locked {
            // The store is never locked like a device, so "locked" means that its file is busy.
            throw PageError.unavailable(busyMessage("The store can’t be read"))
        }
    }

    /// Returns a service that answers from what it has answered before, until data of the metrics, a
    /// workout or a route changes.
    private func service(
        of metrics: [Metric], _ context: PageContext
    ) async throws -> MemoizedService {
        let stamps = try await revisions.revisions(of: metrics)
        let workoutStamp = Revision(String(try workoutHistory.revision(in: store)))
        let weeks = try services.withLock { services in
            let day = context.calendar.firstWeekday
            let known = try services[day] ?? WeekService(makeService(context.calendar))
            services[day] = known
            return known
        }
        return MemoizedService(
            service: weeks.service, memo: weeks.memo, stamps: stamps, workoutStamp: workoutStamp,
            now: context.now)
    }

    /// Returns a message with the reason why the store's file is busy: an import, or another
    /// program.
    private func busyMessage(_ what: String) -> String {
        SampleStore.isBeingImported(into: store.path)
            ? "\(what): an import is running. Reload the page when it has finished."
            : "\(what): another program is writing to the store. Reload the page in a moment."
    }

    // MARK: - Pages from HealthKit

    /// The summary, with the cards that the person has chosen.
    private var summaryPage: ServedPage {
        ServedPage(at: SummaryPage.path) { [self] query in
            var page = try await summary(query)
            page.freshness.newest = try newestDay()
            return page
        } html: { [self] page, query in
            page.html(frame(of: page, query), (try? cards()) ?? .standard)
        }
    }

    /// Returns the cards that the person has chosen, else the standard ones.
    private func cards() throws -> SummaryCards {
        SummaryCards(stored: try store.value(of: .summaryCards))
    }

    @Sendable private func summary(_ query: PageQuery) async throws -> SummaryPage {
        let requestedDay = try day("day", of: query)
        let period = try query.choice("period", of: SummaryPage.Period.self) ?? .day
        let context = context
        let metrics = try cards().metrics
        let words =
            "\(period.rawValue) \(requestedDay?.description ?? "of the latest data") with "
            + metrics.map(\.shortName).joined(separator: " ")
        var page = try await current(words, context, of: SummaryPage.watched(metrics)) {
            service async throws(Unavailability) in
            var day = requestedDay ?? context.today
            if requestedDay == nil, let latest = try await service.service.latestDay() {
                day = latest
            }
            return try await SummaryPage(
                of: service, period, on: day, tiles: metrics, context: context)
        }
        let notices = try SilenceText.notices(
            store, now: context.now.timeIntervalSinceReferenceDate, in: calendar)
        page.notices = notices.isEmpty ? nil : notices
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
        var page = try await current(words, context, of: [.sleep]) {
            service async throws(Unavailability) in
            try await SleepPage(of: service, days, chosen: chosen, context: context)
        }
        page.goal = try store.value(of: .sleepGoal).flatMap { Double($0) }.map { $0 * 60 }
        return page
    }

    /// Saves the goal of sleep in the field "goal", such as "7:30"; an empty field removes it.
    @Sendable private func saveSleepGoal(_ query: PageQuery) async throws -> String {
        let parts = (query["goal"] ?? "").split(separator: ":").map { Int($0) }
        var minutes: String?
        if query["goal"] != nil {
            guard parts.count == 2, let hour = parts[0], let minute = parts[1],
                (0...23).contains(hour), (0...59).contains(minute), hour + minute > 0
            else { throw PageError.badRequest("The goal isn’t hours and minutes, such as 7:30.") }
            minutes = String(hour * 60 + minute)
        }
        let text = minutes
        try await save { try $0.set(.sleepGoal, to: text) }
        return SleepPage.path
    }

    /// Runs a body that writes to the store.
    ///
    /// - Throws: ``PageError`` if the store is busy.
    func save(_ body: @escaping @Sendable (SampleStore) throws -> Void) async throws {
        do {
            try await writing(body)
        } catch let error as StoreError where error.code == .busy {
            throw PageError.unavailable(busyMessage("Nothing was saved"))
        }
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
        try await save { store in
            try WhyPage.save(
                order: query.order, excluding: excluded, including: included, of: metric,
                in: store)
        }
        let formFields = query.calibrationForm.rows.map { row in
            "&on=\(FormText.encoded(row.day))&shows=\(FormText.encoded(row.amount))"
        }
        return "/why?metric=" + FormText.encoded(metric) + (day.map { "&day=\($0)" } ?? "")
            + formFields.joined()
    }

    @Sendable private func browse(_ query: PageQuery) async throws -> BrowsePage {
        let (contents, context) = (try currentContents(), context)
        let service = try await service(
            of: contents.types.compactMap { Metric($0.type) }, context)
        var page = BrowsePage(contents, in: calendar, now: context.now)
        try await page.addLatestValues(from: service, calendar.calendar)
        return page
    }

    @Sendable private func cards(_ query: PageQuery) async throws -> CardsPage {
        CardsPage(
            try cards(), among: try presentMetrics(), timeZone: calendar.calendar.timeZone,
            now: .now)
    }

    @Sendable private func saveCards(_ query: PageQuery) async throws -> String {
        var cards = try cards()
        try cards.apply(query)
        let text = cards.stored
        try await save { try $0.set(.summaryCards, to: text) }
        return CardsPage.path
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

    /// Returns the last day on which a sample of the summary's quantities or categories starts or
    /// for which there is a total, at most today; nil without either.
    func newestDay() throws -> CivilDate? {
        let types = SummaryPage.watched.compactMap { Catalogue.type(identifier: $0.identifier) }
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
    func latestDay(of type: SampleType) throws -> CivilDate {
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
    func day(_ name: String, of query: PageQuery) throws -> CivilDate? {
        guard let day = try query.day(name) else { return nil }
        guard calendar.start(of: day) != nil else {
            throw PageError.badRequest(
                "The day \(day) doesn’t exist in \(calendar.calendar.timeZone.identifier).")
        }
        return day
    }

    /// Returns the interval from the start of the first day to the end of the last (exclusive).
    func interval(_ first: CivilDate, _ last: CivilDate) -> DateInterval {
        let calendar = calendar.calendar
        return calendar.interval(of: first...last)
            ?? DateInterval(start: calendar.midnight(first), duration: 0)
    }
}

/// A service with a first day of the week, and what it has answered.
private struct WeekService {
    let service: HealthKitService
    let memo = ServiceMemo()

    init(_ service: HealthKitService) { self.service = service }
}
