import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

/// The pages of a store: what is asked, read from the address, and the values that answer it.
///
/// Pages that rest on HealthKit alone come from the cache while nothing has changed.
final class StorePages: Sendable {
    let store: SampleStore
    let calendar: CalendarBuckets
    private let revisions: StoreRevisions
    private let service: HealthKitService
    private let cache: DashboardCache
    private let memo = ServiceMemo()
    /// What was counted of the store, and when.
    private let contents = Mutex<(sequence: Int64, contents: StoreContents)?>(nil)
    private let writing = Mutex<SampleStore?>(nil)

    /// - Throws: `StoreError` if there is no store that can be read, `Unavailability` if HealthKit's
    ///   queries can't be asked of it.
    init(storeAt path: String, timeZone: TimeZone?, cache file: URL?) throws {
        store = try SampleStore(at: path, access: .reading)
        let home = try store.homeZone.flatMap { TimeZone(identifier: $0.identifier) }
        calendar = CalendarBuckets(timeZone: timeZone ?? home ?? .current)
        revisions = StoreRevisions(store: store)
        // Who runs the server owns the store.
        let configuration = HealthStoreConfiguration(
            authorization: .assumed, calendar: calendar.calendar)
        service = HealthKitService(
            store: try HKHealthStore(path: path, configuration: configuration),
            calendar: calendar.calendar, revisions: revisions)
        cache = DashboardCache(at: file)
    }

    private var setting: PageSetting { PageSetting(calendar: calendar.calendar) }

    var site: Site {
        Site(
            pages: [
                page("/", today), page("/trends", trends), page("/sleep", sleep),
                page("/workouts", workouts, .pathAndName), page("/weight", weight),
                page("/why", why), page("/data", data), page("/check-up", checkUp),
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
            errorPage: { PageFrame().message(title: $0.title, sentence: $0.sentence) })
    }

    private func page<Value: WrittenPage>(
        _ path: String,
        _ answer: @escaping @Sendable (PageQuestion) async throws -> Value,
        _ reach: ServedPage.Reach = .path
    ) -> ServedPage {
        ServedPage(at: path, reach, answer: answer) { value, question in
            value.html(PageFrame(formKey: question.formKey))
        }
    }

    private func current<Value: Page>(
        _ words: String, _ setting: PageSetting, of metrics: [Metric],
        _ compose: @Sendable (MemoizedService) async throws(Unavailability) -> Value
    ) async throws -> Value {
        let stamps = try await revisions.revisions(of: metrics)
        let service = MemoizedService(
            service: service, memo: memo, stamps: stamps, now: setting.now)
        return try await cache.current(setting.question(words), of: metrics, at: stamps) {
            () async throws(Unavailability) in try await compose(service)
        }
    }

    // MARK: - Over HealthKit

    @Sendable private func today(_ question: PageQuestion) async throws -> TodayPage {
        let asked = try question.day("day")
        let period = try question.choice("period", of: TodayPage.Period.self) ?? .day
        let setting = setting
        let words = "\(period.rawValue) \(asked?.description ?? "of the latest data")"
        return try await current(words, setting, of: TodayPage.watched) {
            service async throws(Unavailability) in
            var day = asked ?? setting.today
            if asked == nil, let latest = try await service.service.latestDay() { day = latest }
            return try await TodayPage(of: service, period, on: day, setting: setting)
        }
    }

    @Sendable private func trends(_ question: PageQuestion) async throws -> TrendsPage {
        let (metric, type) = try metric(question["metric"] ?? "stepCount")
        let last = try question.day("to") ?? latestDay(of: type)
        let first = try question.day("from") ?? CivilDate(dayNumber: last.dayNumber - 29)
        guard first <= last else {
            throw PageError.badQuestion("The range ends before it begins: \(first) to \(last).")
        }
        let days = last.dayNumber - first.dayNumber + 1
        let step =
            try question.choice("by", of: SeriesStep.self)
            ?? (days <= 2 ? .hour : days <= 62 ? .day : days <= 1096 ? .week : .month)
        guard days * step.mostADay <= 4_000 * step.leastDays else {
            throw PageError.badQuestion(
                "That is more than a picture can show: choose longer steps.")
        }
        let range = try interval(first, last)
        let setting = setting
        let present = try store.presentTypes().compactMap { Metric(identifier: $0.identifier) }
        let words = "\(type.name) by \(step.rawValue) from \(first) to \(last)"
        var page = try await current(words, setting, of: [metric]) {
            service async throws(Unavailability) in
            try await TrendsPage(
                of: service, metric, by: step, over: range, among: present, setting: setting)
        }
        page.metrics = present.sorted { $0.words < $1.words }
        return page
    }

    @Sendable private func sleep(_ question: PageQuestion) async throws -> SleepPage {
        let chosen = try question.day("day")
        let latest = try latestDay(of: store.type(named: "sleepAnalysis"))
        let isRecent = chosen.map { (0...27).contains(latest.dayNumber - $0.dayNumber) } ?? true
        let end = isRecent ? latest : chosen ?? latest
        let days = CivilDate(dayNumber: end.dayNumber - 27)...end
        let setting = setting
        let words = "nights \(days), \(chosen?.description ?? "the latest")"
        return try await current(words, setting, of: [.sleep]) {
            service async throws(Unavailability) in
            try await SleepPage(of: service, days, chosen: chosen, setting: setting)
        }
    }

    @Sendable private func workouts(_ question: PageQuestion) async throws -> WorkoutsPage {
        var id: UUID?
        if let name = question.name {
            guard let uuid = UUID(uuidString: name) else {
                throw PageError.notFound("“\(name)” is the name of no workout.")
            }
            id = uuid
        }
        let (setting, chosen) = (setting, id)
        let range = DateInterval(start: .distantPast, end: .distantFuture)
        let words = "workouts \(id?.uuidString ?? "")"
        let page = try await current(words, setting, of: [.workouts, .heartRate]) {
            service async throws(Unavailability) in
            try await WorkoutsPage(of: service, over: range, chosen: chosen, setting: setting)
        }
        if id != nil, page.detail == nil {
            throw PageError.notFound("There is no workout of that name.")
        }
        return page
    }

    @Sendable private func weight(_ question: PageQuestion) async throws -> WeightPage {
        let setting = setting
        let last = try latestDay(of: store.type(named: "bodyMass"))
        let range = try interval(CivilDate(dayNumber: last.dayNumber - 729), last)
        return try await current("weight to \(last)", setting, of: [.weight]) {
            service async throws(Unavailability) in
            try await WeightPage(of: service, over: range, setting: setting)
        }
    }

    // MARK: - Over the store

    @Sendable private func why(_ question: PageQuestion) async throws -> WhyPage {
        try WhyPage(
            store, type: question["metric"], day: question.day("day"), order: question.order,
            in: calendar, now: .now)
    }

    @Sendable private func saveOrder(_ question: PageQuestion) async throws -> String {
        guard let metric = question["metric"], !question.order.isEmpty else {
            throw PageError.badQuestion("The form names no metric or no order.")
        }
        let day = try question.day("day")
        try writing.withLock { open in
            let store = try open ?? SampleStore(at: self.store.path, access: .writing)
            open = store
            try WhyPage.save(order: question.order, of: metric, in: store)
        }
        return "/why?metric=" + FormText.encoded(metric) + (day.map { "&day=\($0)" } ?? "")
    }

    @Sendable private func data(_ question: PageQuestion) async throws -> DataPage {
        try DataPage(store, contents: counted(), in: calendar, now: .now)
    }

    @Sendable private func checkUp(_ question: PageQuestion) async throws -> CheckUpPage {
        try CheckUpPage(store, in: calendar, now: .now)
    }

    /// What the store holds, counted once for each of its states.
    private func counted() throws -> StoreContents {
        let sequence = try store.lastSequence
        if let known = contents.withLock({ $0 }), known.sequence == sequence {
            return known.contents
        }
        let counted = try store.contents()
        contents.withLock { $0 = (sequence, counted) }
        return counted
    }

    // MARK: - What is asked

    private func metric(_ name: String) throws -> (Metric, SampleType) {
        let type = try store.type(named: name)
        guard let metric = Metric(identifier: type.identifier) else {
            throw PageError.badQuestion("“\(name)” has no values to draw.")
        }
        return (metric, type)
    }

    /// The last day with a sample that has begun; today if there is none.
    private func latestDay(of type: SampleType) throws -> CivilDate {
        let now = Date.now.timeIntervalSinceReferenceDate
        let last = try store.extent(of: SampleQuestion(type))?.last ?? now
        return CivilDate(calendar.day(min(now, last.nextDown))) ?? setting.today
    }

    /// From the first moment of a day to the last of another.
    private func interval(_ first: CivilDate, _ last: CivilDate) throws -> DateInterval {
        let after = CivilDate(dayNumber: last.dayNumber + 1)
        let (start, end) = try (
            calendar.time(first.description), calendar.time(after.description)
        )
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: max(start, end)))
    }
}

extension SeriesStep {
    fileprivate var mostADay: Int { self == .hour ? 24 : 1 }

    fileprivate var leastDays: Int {
        switch self {
        case .hour, .day: 1
        case .week: 7
        case .month: 28
        case .year: 365
        }
    }
}

extension PageQuestion {
    /// The identifiers of an order, the winner first: "order=a,b".
    fileprivate var order: [String] {
        (self["order"] ?? "").split(separator: ",").map(String.init)
    }

    fileprivate func day(_ name: String) throws -> CivilDate? {
        guard let text = self[name] else { return nil }
        guard let day = CivilDate(text) else {
            throw PageError.badQuestion("“\(text)” is no day; write it as 2024-03-10.")
        }
        return day
    }

    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw PageError.badQuestion("“\(text)” is none of \(names).")
        }
        return choice
    }
}
