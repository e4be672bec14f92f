import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// Collects the findings of the Data quality page by examining a store.
struct DataQualityCheck {
    private(set) var findings: [DataQualityPage.Finding] = []
    let store: SampleStore
    let calendar: CalendarBuckets
    let now: Double
    private var activities: [SourceActivity] = []
    /// The display name of each type examined so far, and the number of its days that were
    /// examined.
    private var examined: [(words: String, days: Int)] = []

    /// The days on which a source wrote samples of a type, for finding sources that stopped.
    private struct SourceActivity {
        var type: SampleType
        var source: Source
        var isExcluded: Bool
        /// The start of each examined day with samples, in ascending order.
        var days: [Double]
    }

    init(_ store: SampleStore, _ calendar: CalendarBuckets, now: Double) {
        self.store = store
        self.calendar = calendar
        self.now = now
    }

    func notes(days: Int) -> [String] {
        let short = examined.filter { $0.days < days }
        let note = "Checked \(counted(days, "day", "days")) up to the newest sample."
        if short.isEmpty { return [note] }
        return [note]
            + short.map {
                "Checked only the last \(counted($0.days, "day", "days")) of \($0.words), because "
                    + "of the large number of samples."
            }
    }

    mutating func check(_ activity: TypeActivity) throws {
        examined.append((TypeText.name(activity.type), activity.edges.count - 1))
        for part in activity.parts {
            activities.append(
                SourceActivity(
                    type: activity.type, source: part.source,
                    isExcluded: part.participation == .excluded,
                    days: part.days.filter { $0.samples > 0 }.map { activity.edges[$0.day] }))
        }
        checkWritingDates(activity)
        checkOverlaps(activity)
        if let limits = DataQualityLimits.of(activity.type) {
            if activity.type.aggregation == .cumulative {
                try checkAmounts(activity, limits)
            } else {
                checkReadings(activity, limits)
            }
        }
        if activity.type.name == "bodyMass" { checkJumps(activity) }
        if activity.type.name == "sleepAnalysis" { try checkSleep(activity) }
    }

    // MARK: - Clocks

    private static let year2000 = -31_622_400.0

    mutating func checkClocks(_ types: [SampleType]) throws {
        for type in types {
            let words = TypeText.name(type)
            if let future = try store.starts(of: type, from: now.nextUp, to: .infinity) {
                add(
                    .clockJump,
                    "\(counted(future.samples, "sample", "samples")) of \(words) "
                        + "\(future.samples == 1 ? "starts" : "start") in the future, the first on "
                        + "\(day(future.first)).",
                    since: future.first, type, count: future.samples,
                    advice: "Set the clock of the device that saved them, and delete them there.",
                    command: samplesCommand(type, from: future.first))
            }
            if let old = try store.starts(of: type, from: -.infinity, to: DataQualityCheck.year2000)
            {
                add(
                    .clockJump,
                    "\(counted(old.samples, "sample", "samples")) of \(words) "
                        + "\(old.samples == 1 ? "starts" : "start") before the year 2000, the "
                        + "first on \(day(old.first)).",
                    since: old.first, type, count: old.samples,
                    advice: "The device's clock was probably not set. Delete them on the device.",
                    command: "openhealth samples \(type.name) --to 2000-01-01")
            }
        }
    }

    private mutating func checkWritingDates(_ activity: TypeActivity) {
        for part in activity.parts {
            let early = part.days.filter { $0.writtenEarly > 0 }
            guard let first = early.first else { continue }
            let count = early.reduce(0) { $0 + $1.writtenEarly }
            add(
                .clockJump,
                "\(name(part.source)) saved \(counted(count, "sample", "samples")) of "
                    + "\(TypeText.name(activity.type)) more than a day before "
                    + "\(count == 1 ? "its start" : "their start").",
                since: activity.edges[first.day], activity.type, part.source, count: count,
                advice: "Its clock was probably wrong. Check the samples of that day.",
                command: samplesCommand(activity.type, from: activity.edges[first.day]))
        }
    }

    // MARK: - Trackers

    /// The minimum number of days with the same recorded time for a finding about two sources.
    private static let minimumOverlapDays = 7

    private mutating func checkOverlaps(_ activity: TypeActivity) {
        guard activity.type.aggregation == .cumulative else { return }
        for overlap in activity.overlaps
        where overlap.days.count >= DataQualityCheck.minimumOverlapDays {
            let pair = [activity.parts[overlap.first], activity.parts[overlap.second]]
            guard pair.allSatisfy({ $0.participation == .included }), let last = overlap.days.last,
                let first = overlap.days.first
            else { continue }
            let (preferred, other) = (name(pair[0].source), name(pair[1].source))
            add(
                .twoTrackers,
                "\(preferred) and \(other) recorded the same \(TypeText.name(activity.type)) on "
                    + "\(counted(overlap.days.count, "day", "days")), most recently on "
                    + "\(day(activity.edges[last])).",
                since: activity.edges[first], activity.type, pair[1].source,
                count: overlap.days.count,
                advice:
                    "Nothing is counted twice, because \(preferred) takes precedence. If \(other) "
                    + "is more accurate, change the order.",
                command: "openhealth sources order \(activity.type.name) "
                    + ShellWord.quoted(pair[1].source.bundleIdentifier) + " "
                    + ShellWord.quoted(pair[0].source.bundleIdentifier),
                link: why(activity.type, activity.edges[last]))
        }
    }

    mutating func checkDayTotals() throws {
        for (type, excluded) in try store.exclusions()
        where excluded.reason == SampleStore.dayTotalsReason {
            let own = activities.first { $0.type == type && $0.source == excluded.source }
            let words = TypeText.name(type)
            add(
                .dayTotals,
                "\(name(excluded.source)) is excluded: it writes daily totals of \(words), which "
                    + "would fill the gaps of other sources.",
                since: own?.days.first, type, excluded.source, count: own?.days.count ?? 0,
                advice:
                    "No action is needed, unless it is your only tracker. "
                    + DataQualityPage.including,
                command: "openhealth sources include \(type.name) "
                    + ShellWord.quoted(excluded.source.bundleIdentifier))
        }
    }

    /// Finds sources that stopped writing a type. A source is regular if it wrote on at least 14
    /// days of the 28 that end with its last one. It has stopped if the newest sample of the store
    /// is later by at least a week, and by three times the source's longest gap in those 28 days.
    ///
    /// - Parameter newest: The start of the store's newest sample.
    mutating func checkInactiveSources(newest: Double) {
        let activities = activities.filter { !$0.isExcluded }
        for source in Set(activities.map(\.source)).sorted(by: { $0.name < $1.name }) {
            let own = activities.filter { $0.source == source }
            let inactive = own.filter { DataQualityCheck.isInactive($0, newest) }
            guard let last = inactive.compactMap(\.days.last).max() else { continue }
            let latest = own.compactMap(\.days.last).max() ?? last
            let isEntirelyInactive = latest - last < 3 * DataQualityCheck.dayLength
            let words = inactive.map { TypeText.name($0.type) }.sorted()
            let days = Int(clamping: ((newest - last) / DataQualityCheck.dayLength).rounded(.down))
            let listed =
                words.prefix(3).joined(separator: ", ")
                + (words.count > 3 ? " and \(words.count - 3) more" : "")
            add(
                .inactiveSource,
                isEntirelyInactive
                    ? "\(name(source)) recorded \(listed) regularly until \(day(last)), but "
                        + "nothing in the \(counted(days, "day", "days")) since."
                    : "\(name(source)) still records data, but no \(listed) since \(day(last)) "
                        + "(\(counted(days, "day", "days"))).",
                since: last, inactive.count == 1 ? inactive[0].type : nil, source, count: days,
                advice: "If you still use it, check that it is charged, paired and allowed to "
                    + "write to Health.",
                command: inactive.first.map { "openhealth sources \($0.type.name)" })
        }
    }

    /// 24 hours in seconds. Silences and ranges are measured in elapsed time, not in calendar days.
    static let dayLength = 86_400.0

    /// The minimum time without samples, in seconds, after which a source has stopped.
    private static let minimumInactiveDays = 7 * dayLength

    private static func isInactive(_ activity: SourceActivity, _ newest: Double) -> Bool {
        guard let last = activity.days.last else { return false }
        let month = activity.days.filter { $0 > last - 28 * DataQualityCheck.dayLength }
        guard month.count >= 14 else { return false }
        let longestGap =
            zip(month, month.dropFirst()).map { $1 - $0 }.max() ?? DataQualityCheck.dayLength
        return newest - last >= max(DataQualityCheck.minimumInactiveDays, 3 * longestGap)
    }

    // MARK: - Imports

    mutating func checkImports() throws {
        for summary in try store.imports() {
            let ledger = ImportCounts(summary.ledger)
            guard ledger.quarantined > 0 else { continue }
            let reasons = (ledger.quarantineReasons ?? [:])
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
                .map { "\($0.key) (\(NumberText.grouped(Double($0.value))))" }
            add(
                .quarantined,
                "\(counted(ledger.quarantined, "element", "elements")) of "
                    + "\(PrintableText.text(summary.file)) could not be imported"
                    + (reasons.isEmpty ? "." : ": " + reasons.joined(separator: ", ") + "."),
                since: summary.importedAt, nil, nil, count: ledger.quarantined,
                advice: "They are kept as text. A newer export may contain them undamaged.",
                command: nil, link: DataPage.path)
        }
    }

    // MARK: - Text

    mutating func add(
        _ kind: DataQualityPage.Kind, _ sentence: String, since: Double?, _ type: SampleType?,
        _ source: Source? = nil, count: Int, advice: String, command: String?,
        link: String? = nil
    ) {
        findings.append(
            DataQualityPage.Finding(
                kind: kind, sentence: sentence,
                since: since.flatMap { CivilDate(calendar.day($0)) },
                type: type.map(TypeText.name), source: source.map(name), count: count,
                advice: advice, command: command, link: link))
    }

    func name(_ source: Source) -> String { PrintableText.text(source.name) }

    /// Formats a day, as in "10 March 2024".
    func day(_ time: Double) -> String { DateText.long(calendar.day(time)) }

    func samplesCommand(_ type: SampleType, from time: Double) -> String {
        "openhealth samples \(type.name) --from \(calendar.day(time))"
    }

    /// Returns the address of the page that explains a day's amount; nil for types that aren't
    /// summed.
    func why(_ type: SampleType, _ time: Double) -> String? {
        guard type.aggregation == .cumulative else { return nil }
        return "\(WhyPage.path)?metric=\(type.name)&day=\(calendar.day(time))"
    }
}
