import Foundation
import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// One call of a tool: its arguments, with the calendar and the day that they refer to.
struct AssistantQuestion {
    let tools: AssistantTools
    /// One state of the store.
    let store: SampleStore
    let arguments: ToolArguments
    let calendar: CalendarBuckets
    /// The current time in reference seconds.
    let now: Double
    /// The day that words such as "yesterday" refer to. On later pages it is that of the first one.
    let today: CivilDate
    /// The two numbers of the request's cursor; nil without one.
    let position: (Int64, Int64)?
    private let binding: CursorBinding

    /// - Throws: ``APIProblem`` for a cursor of another question.
    init(_ tools: AssistantTools, _ store: SampleStore, _ arguments: ToolArguments) throws {
        self.tools = tools
        self.store = store
        self.arguments = arguments
        calendar = try tools.calendar()
        now = tools.now().timeIntervalSinceReferenceDate
        let others = arguments.members.filter { $0.key != "cursor" }
        binding = try CursorBinding(
            store, tools.scope,
            "assistant \(tools.scope.isAggregatedOnly) \(calendar.calendar.timeZone.identifier) "
                + JSONValue.object(others).output.text)
        guard let cursor = arguments.text("cursor") else {
            today = calendar.civilDate(now)
            position = nil
            return
        }
        let numbers: [Int64]
        do {
            numbers = try binding.numbers(cursor, count: 3)
        } catch {
            throw ToolFailure(
                "This cursor doesn't belong to this call. Repeat the call with the same arguments "
                    + "and its nextCursor, or without a cursor.")
        }
        let days = CivilDate.supportedRange
        let day = min(
            max(Int(clamping: numbers[0]), days.lowerBound.dayNumber), days.upperBound.dayNumber)
        today = CivilDate(dayNumber: day)
        position = (numbers[1], numbers[2])
    }

    /// Returns the cursor with two numbers, for the same arguments and the same day.
    func cursor(_ first: Int64, _ second: Int64 = 0) -> String {
        binding.cursor([Int64(today.dayNumber), first, second])
    }

    /// The number of rows that earlier pages had, for lists that are numbered.
    var skipped: Int { max(0, Int(clamping: position?.0 ?? 0)) }

    var scope: ReadScope { tools.scope }

    /// Returns the calendar of the question as it is named in answers.
    var zone: JSONText { .string(calendar.calendar.timeZone.identifier) }

    // MARK: - Arguments

    /// Returns the permitted type of the argument `type`.
    ///
    /// - Throws: ``ToolFailure`` for an unknown or another one.
    func type() throws -> SampleType {
        try tools.type(named: arguments.text("type") ?? "", in: store)
    }

    /// Returns the period of the argument `period`.
    ///
    /// - Parameter standard: The period without the argument.
    /// - Throws: ``ToolFailure`` for an unknown text.
    func period(_ name: String = "period", default standard: String) throws -> AssistantPeriod {
        try AssistantPeriod(
            arguments.text(name) ?? standard, today: today, firstWeekday: calendar.firstWeekday)
    }

    /// Returns the day of the argument `day`.
    ///
    /// - Throws: ``ToolFailure`` for another text.
    func day(default standard: String) throws -> CivilDate {
        let period = try period("day", default: standard)
        guard let days = period.days, days.end == days.first.advanced(by: 1) else {
            throw ToolFailure("day must be one day, such as yesterday, tuesday or 2025-11-03.")
        }
        return days.first
    }

    /// Returns the step of the argument `by`.
    ///
    /// - Throws: ``ToolFailure`` for hours, if single samples may not be read: an hour can have a
    ///   single one.
    func step(default standard: CalendarStep) throws -> CalendarStep {
        let step = arguments.text("by").flatMap(CalendarStep.init(rawValue:)) ?? standard
        if step == .hour, scope.isAggregatedOnly {
            throw ToolFailure("This session reads only whole days: use by = day or longer.")
        }
        return step
    }

    /// Returns the unit of the argument `unit`; nil without it.
    ///
    /// - Throws: ``UsageError`` if it doesn't fit the type.
    func unit(of type: SampleType) throws -> String? {
        let unit = arguments.text("unit")
        try UnitOption.check(unit, for: type)
        return unit
    }

    // MARK: - Reading

    /// Returns the query for the samples of a type in a period, as far as they may be read.
    func query(_ type: SampleType, _ period: AssistantPeriod) -> SampleQuery {
        let times = period.times(calendar)
        var query = SampleQuery(type, visibility: scope.visibilityOfPermittedTypes)
        (query.from, query.to) = calendar.range(from: times.from, to: times.to, of: type)
        return query
    }

    /// The maximum number of buckets of a question.
    private static let maximumBuckets = 20_000

    /// Returns the statistics of a type, as `stats` computes them.
    ///
    /// - Throws: ``ToolFailure`` if there would be too many buckets.
    func statistics(
        _ type: SampleType, _ period: AssistantPeriod, by step: Step, unit: String? = nil,
        _ separation: StatisticsRules.Separation = .mergedOnly
    ) throws -> StatsResult {
        if type.identifier == Metric.sleep.identifier {
            throw ToolFailure("Sleep is counted in nights. Use the tool sleep.")
        }
        let query = query(type, period)
        var rules = StatisticsRules()
        rules.separation = separation
        rules.horizon = now
        return try StatsResult(
            reading: store, query, by: step, unit: unit, rules: rules, calendar: calendar
        ) { edges in
            guard edges.count <= Self.maximumBuckets else {
                throw ToolFailure(
                    "The period has more than \(Self.maximumBuckets) buckets. Use a longer by or a "
                        + "shorter period.")
            }
        }
    }

    /// Returns why a period has no value: whether it lies ahead, isn't shared, or nothing was
    /// recorded.
    func absence(of type: SampleType, in period: AssistantPeriod) throws -> String {
        if let days = period.days, days.first > today {
            return "The period has not begun: today is \(today)."
        }
        if let shared = firstSharedDay, let days = period.days, days.end <= shared {
            return "Not shared: this session can't read days before \(shared)."
        }
        let name = TypeText.name(type)
        let within = query(type, period)
        if try store.extent(of: within) != nil {
            let excluded = try store.exclusions().filter { $0.type == type }
            if !excluded.isEmpty {
                let names = excluded.map { PrintableText.name($0.excluded.source.name) }
                return "Only sources that are excluded from totals recorded \(name): "
                    + WordList.joined(names) + ". The tool sources says why."
            }
            return "The recorded data of \(name) has no value that can be counted."
        }
        let everything = SampleQuery(type, visibility: scope.visibilityOfPermittedTypes)
        guard let extent = try store.extent(of: everything) else {
            return "Not measured: there is no data of \(name)"
                + (firstSharedDay.map { " from \($0) on." } ?? ".")
        }
        let days = calendar.of(type)
        return "Not measured: nothing was recorded of \(name) in this period. There is data from "
            + "\(days.day(extent.first)) to \(days.day(extent.last))."
    }

    /// The first day that may be read; nil for all.
    var firstSharedDay: CivilDate? { scope.earliest.map { calendar.civilDate($0) } }

    /// Returns what a reader of an answer must know about its limits; empty if nothing.
    func limits(_ period: AssistantPeriod) -> [String] {
        guard let shared = firstSharedDay else { return [] }
        if let days = period.days, days.first >= shared { return [] }
        return ["Days before \(shared) are not shared with this session and not included."]
    }
}

extension AssistantTools {
    /// Returns a type by the name that a person uses for it.
    ///
    /// - Throws: ``ToolFailure`` for an unknown name, or for a type that isn't shared.
    func type(named name: String, in store: SampleStore) throws -> SampleType {
        guard let type = Catalogue.type(called: name) ?? (try? store.type(named: name)) else {
            let near = Catalogue.suggestion(for: name)
            throw ToolFailure(
                "Unknown type “\(name.excerpt(60))”. "
                    + (near.map { "Did you mean \($0)?" } ?? "The tool types lists the types."))
        }
        guard scope.allows(type.identifier) else {
            let shared = (scope.types ?? []).sorted().prefix(10)
                .map { Catalogue.type(identifier: $0)?.name ?? $0.excerpt(60) }
            throw ToolFailure(
                "\(type.name) is not shared with this session. It can read "
                    + WordList.joined(shared) + ((scope.types?.count ?? 0) > 10 ? ", …" : "") + ".")
        }
        return type
    }
}

/// Joins names for a sentence.
enum WordList {
    /// Returns "Watch", "Watch and iPhone" or "Watch, iPhone and Scale".
    static func joined(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
