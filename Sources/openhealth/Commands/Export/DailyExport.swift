import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthFormats
import HealthStorage

/// The rows of `export --daily`: what `stats --by day`, the nights and `workouts` report.
struct DailyExport {
    private let store: SampleStore
    private let selection: ExportSelection
    private let calendar: CalendarBuckets
    private(set) var table: DailyTable

    init(_ store: SampleStore, _ selection: ExportSelection, _ calendar: CalendarBuckets) {
        (self.store, self.selection, self.calendar) = (store, selection, calendar)
        table = DailyTable(calendar)
    }

    /// Adds the values of all types that have data.
    mutating func addTypes(check: () throws -> Void) throws {
        var rules = StatisticsRules()
        rules.horizon = Date().timeIntervalSinceReferenceDate
        let wanted = Set(selection.types.map(\.identifier))
        for type in try store.types().map(\.type).sorted(by: { $0.name < $1.name }) {
            guard wanted.isEmpty || wanted.contains(type.identifier),
                type.aggregation != nil || type.kind == .category,
                type.identifier != Metric.sleep.identifier
            else { continue }
            try check()
            try add(type, rules)
        }
    }

    private mutating func add(_ type: SampleType, _ rules: StatisticsRules) throws {
        let query = SampleQuery(type, from: selection.from, to: selection.to)
        let result = try StatsResult(
            reading: store, query, by: .each(.day), unit: nil, rules: rules, calendar: calendar)
        for bucket in result.buckets {
            let day = calendar.civilDate(bucket.start)
            func set(_ value: Double?, _ statistic: String?) {
                let name = DailyTable.column(type, statistic, unit: result.unit)
                table.set(value, name, on: day)
            }
            switch bucket.values {
            case .sum(let values): set(values.sum, nil)
            case .readings(let values):
                set(values.average, "average")
                set(values.minimum, "minimum")
                set(values.maximum, "maximum")
            case .times(let values): add(values, type, on: day)
            }
        }
    }

    /// Adds the number of samples of each category value, and its minutes if it has any.
    private mutating func add(
        _ values: CategoryStatistics.Values, _ type: SampleType, on day: CivilDate
    ) {
        for (value, count) in values.counts.sorted(by: { $0.key < $1.key }) {
            let name = ValueName.name(value, of: type)
            let statistic = name == "notApplicable" ? nil : name
            table.set(
                Double(count), DailyTable.column(type, statistic, unit: "count"), on: day)
            guard let seconds = values.seconds[value], seconds > 0 else { continue }
            table.set(
                seconds / 60, DailyTable.column(type, statistic, unit: "min"), on: day)
        }
    }

    /// Adds the nights. A night is on its day, as in `stats sleepAnalysis`.
    mutating func add(_ nights: [SleepNight]) {
        for night in nights {
            func set(_ seconds: Double?, _ name: String) {
                table.set(seconds.map { $0 / 60 }, "sleep_\(name)_min", on: night.morning)
            }
            set(night.asleep, "asleep")
            set(night.inBed, "inBed")
            for stage in SleepStage.allCases where stage != .inBed {
                let seconds = night.seconds(stage)
                let name = stage == .asleep ? "unspecified" : stage.rawValue
                set(seconds > 0 ? seconds : nil, name)
            }
            set(night.naps.isEmpty ? nil : night.napped, "naps")
        }
    }

    /// Adds the number and the minutes of workouts by the day of their start.
    mutating func addWorkouts() throws {
        let rows = try WorkoutList.rows(
            store, from: selection.from, to: selection.to, earliest: selection.from)
        for row in rows {
            let day = calendar.civilDate(row.start)
            table.add(1, "workouts_count", on: day)
            table.add(row.duration / 60, "workouts_min", on: day)
        }
    }
}
