import ArgumentParser
import Foundation
import HealthCalendar
public import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage
import OpenHealthKit

/// `openhealth summary`
struct Summary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Shows an overview of a day, a week, a month or a year.",
        discussion: """
            The default is the latest day with data. Values are without double counting. The \
            typical range is from the 10th to the 90th percentile of the last 28 days (12 weeks, \
            12 months, 10 years). Results are cached in health.pages.cache beside the store and reused until \
            the data changes.
            """)

    @Option(help: ArgumentHelp("The day: 2024-03-10, today or yesterday.", valueName: "day"))
    var day: String?

    @Flag(help: "Show the week that contains the day.")
    var week = false

    @Flag(help: "Show the month that contains the day.")
    var month = false

    @Flag(help: "Show the year that contains the day.")
    var year = false

    @OptionGroup var goal: StepGoal

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard [week, month, year].count(where: \.self) <= 1 else {
            throw ValidationError("Choose one of --week, --month and --year.")
        }
    }

    @MainActor func run() async throws {
        let page = try await page()
        if global.json {
            try Output.print(String(decoding: try page.json(), as: UTF8.self) + "\n")
        } else {
            try Output.print(SummaryText(page: page, style: .standardOutput()).text)
        }
    }

    private var period: SummaryPage.Period { week ? .week : month ? .month : year ? .year : .day }

    @MainActor private func page() async throws -> SummaryPage {
        let goal = try self.goal.steps
        let store = try global.open()
        // The store stays open: closing one of two connections to a file in a process would release
        // SQLite's locks.
        defer { withExtendedLifetime(store) {} }
        let context = PageContext(
            calendar: try global.calendar(of: store).calendar, stepGoal: goal)
        let chosenDay = try requestedDay(context)
        let cache = DashboardCache(
            at: URL(fileURLWithPath: SidecarFiles.path(store.path, "pages.cache")),
            program: "openhealth \(OpenHealth.configuration.version)")
        let period = period
        let cacheKey = context.cacheKey(
            "\(period.rawValue) \(chosenDay?.description ?? "of the latest data")")
        let revisions = StoreRevisions(store: store)
        let stamps = try await revisions.revisions(of: SummaryPage.watched)
        var page = try await cache.current(cacheKey, of: SummaryPage.watched, at: stamps) {
            () async throws(Unavailability) in
            let service = try Self.service(store, context, revisions)
            var day = chosenDay ?? context.today
            if chosenDay == nil, let latest = try await service.latestDay() { day = latest }
            return try await SummaryPage(of: service, period, on: day, context: context)
        }
        page.notices = try Self.notices(store, context)
        return page
    }

    /// Returns the sentences about devices that no longer send; nil if there are none.
    static func notices(_ store: SampleStore, _ context: PageContext) throws -> [String]? {
        let calendar = CalendarBuckets(calendar: context.calendar)
        let notices = try SilenceText.notices(
            store, now: context.now.timeIntervalSinceReferenceDate, in: calendar)
        return notices.isEmpty ? nil : notices
    }

    /// Returns a service that may read the whole store, since the user of the command owns it.
    ///
    /// - Parameter visibility: What the answers may be based on. It only decides whether Apple's
    ///   totals are used: with a limit they aren't.
    /// - Throws: `Unavailability.failed` if the store can't be opened.
    static func service(
        _ store: SampleStore, _ context: PageContext, _ revisions: StoreRevisions,
        visibility: Visibility = .everything
    ) throws(Unavailability) -> HealthKitService {
        do {
            let configuration = HealthStoreConfiguration(
                authorization: .assumed, calendar: context.calendar)
            return HealthKitService(
                store: try HKHealthStore(path: store.path, configuration: configuration),
                calendar: context.calendar, revisions: revisions,
                sleepSources: { try SleepSources(of: store) },
                appleTotals: AppleTotals(
                    of: store, visibility: visibility, now: { context.now }),
                now: { context.now })
        } catch {
            let reason = (error as? HKError)?.sentence ?? error.localizedDescription
            throw .failed("The store can't be read: \(reason)")
        }
    }

    /// Composes the overview of a single day without the cache: the latest day with steps, active
    /// energy, heart rate, sleep or weight, or today without any.
    static func latestDay(
        of store: SampleStore, _ context: PageContext
    ) async throws -> SummaryPage {
        defer { withExtendedLifetime(store) {} }
        let service = try service(store, context, StoreRevisions(store: store))
        let day = try await service.latestDay() ?? context.today
        return try await SummaryPage(of: service, .day, on: day, context: context)
    }

    private func requestedDay(_ context: PageContext) throws -> CivilDate? {
        try day.map { try DayArgument.day($0, context) }
    }
}

extension Unavailability: UserFacingError {
    /// What happened and, where possible, what to do.
    public var description: String {
        switch self {
        case .locked:
            "The store can't be read because another program is writing to it. Try again in a "
                + "moment."
        case .noHealthData:
            "There is no health data yet. Import an export: openhealth import export.zip"
        case .notDetermined: "Permission to read has not been requested."
        case .failed(let sentence): sentence
        }
    }
}
