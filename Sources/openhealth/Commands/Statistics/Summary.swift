import ArgumentParser
import Foundation
public import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage
import OpenHealthKit

/// `openhealth summary`
struct Summary: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Shows a day, a week or a month at a glance.",
        discussion: """
            Without --day it is the latest day that has data. Every moment is counted once; what is \
            usual lies between the 10th and the 90th percentile of the 28 days (12 weeks, 12 months) \
            before. What was answered is kept in a file beside the store, health.pages.cache, and \
            shown again while nothing has changed.
            """)

    @Option(help: ArgumentHelp("The day: 2024-03-10; or today, yesterday.", valueName: "day"))
    var day: String?

    @Flag(help: "The week that holds the day.")
    var week = false

    @Flag(help: "The month that holds the day.")
    var month = false

    @OptionGroup var goal: StepGoal

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if week && month { throw ValidationError("Choose --week or --month, not both.") }
    }

    func run() throws {
        let page = try page()
        if global.json {
            try Output.print(String(decoding: try page.json(), as: UTF8.self) + "\n")
        } else {
            try Output.print(SummaryText(page: page, ink: .standardOutput()).text)
        }
    }

    private var period: TodayPage.Period { week ? .week : month ? .month : .day }

    private func page() throws -> TodayPage {
        let goal = try self.goal.steps
        let store = try global.open()
        // Closing one of two connections of a process to a file lets go of SQLite's locks on it.
        return try withExtendedLifetime(store) {
            let setting = PageSetting(
                calendar: try global.calendar(of: store).calendar, stepGoal: goal)
            let asked = try askedDay(setting)
            let cache = DashboardCache(
                at: URL(fileURLWithPath: BesideStore.path(store.path, "pages.cache")),
                program: "openhealth \(OpenHealth.configuration.version)")
            let period = period
            let question = setting.question(
                "\(period.rawValue) \(asked?.description ?? "of the latest data")")
            return try awaited {
                let revisions = StoreRevisions(store: store)
                let stamps = try await revisions.revisions(of: TodayPage.watched)
                return try await cache.current(question, of: TodayPage.watched, at: stamps) {
                    () async throws(Unavailability) in
                    let service = try Self.service(store, setting, revisions)
                    var day = asked ?? setting.today
                    if asked == nil, let latest = try await service.latestDay() { day = latest }
                    return try await TodayPage(of: service, period, on: day, setting: setting)
                }
            }
        }
    }

    /// The whole store: who types the command owns it.
    static func service(
        _ store: SampleStore, _ setting: PageSetting, _ revisions: StoreRevisions
    ) throws(Unavailability) -> HealthKitService {
        do {
            let configuration = HealthStoreConfiguration(
                authorization: .assumed, calendar: setting.calendar)
            return HealthKitService(
                store: try HKHealthStore(path: store.path, configuration: configuration),
                calendar: setting.calendar, revisions: revisions,
                sleepSources: { try SleepSources(of: store) }, now: { setting.now })
        } catch {
            let reason = (error as? HKError)?.reason ?? error.localizedDescription
            throw .failed("The store can't be read: \(reason)")
        }
    }

    /// The latest day of a store that has data, computed anew.
    static func latestDay(of store: SampleStore, _ setting: PageSetting) throws -> TodayPage {
        try withExtendedLifetime(store) {
            try awaited {
                let service = try service(store, setting, StoreRevisions(store: store))
                let day = try await service.latestDay() ?? setting.today
                return try await TodayPage(of: service, .day, on: day, setting: setting)
            }
        }
    }

    private func askedDay(_ setting: PageSetting) throws -> CivilDate? {
        switch day {
        case nil: return nil
        case "today": return setting.today
        case "yesterday": return CivilDate(dayNumber: setting.today.dayNumber - 1)
        case .some(let text):
            do {
                return try CivilDate(asked: text)
            } catch {
                throw WrongUsage("“\(text.printable)” \(error.words)")
            }
        }
    }
}

extension Unavailability: PlainError {
    /// What happened, and what a person can do.
    public var description: String {
        switch self {
        case .locked:
            "The store can't be read just now, since another program is writing it; try again in "
                + "a moment."
        case .noHealthData:
            "There is no health data here: openhealth import export.zip brings some."
        case .notAsked: "Nobody was asked for permission to read."
        case .failed(let sentence): sentence
        }
    }
}
