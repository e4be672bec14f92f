public import Foundation
import HealthDashboard
import HealthEngine
public import HealthStorage

extension CheckUpPage {
    /// How far back a check-up looks.
    public struct Range: Hashable, Sendable {
        /// Days before the store's newest sample.
        public var days: Int
        /// Samples of a type, the newest ones; days further back are left out.
        public var samplesPerType: Int

        public init(days: Int, samplesPerType: Int) {
            self.days = days
            self.samplesPerType = samplesPerType
        }

        /// Quick for a store of any size.
        public static let usual = Range(days: 400, samplesPerType: 30_000)
        public static let everything = Range(days: 40_000, samplesPerType: .max / 2)
    }

    /// Looks a store over.
    ///
    /// Days count back from the store's newest sample, not from today: a store whose last export is
    /// old is no store of silent sources.
    ///
    /// - Parameter calendar: Where days begin.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(samples in the range).
    public init(
        _ store: SampleStore, range: Range = .usual, in calendar: CalendarBuckets, now: Date
    ) throws {
        let moment = now.timeIntervalSinceReferenceDate
        let types = try store.presentTypes().filter { $0.kind != .activitySummary }
        let newest = try types.compactMap { type in
            try store.start(ofNewest: 0, of: type, from: -.infinity, to: moment)
        }.max()
        self.init(
            freshness: Freshness(asOf: now, isCurrent: true),
            timeZone: calendar.calendar.timeZone.identifier, sentence: "", findings: [],
            examined: nil)
        var checkUp = CheckUp(store, calendar, now: moment)
        try checkUp.checkClocks(types)
        try checkUp.checkImports()
        if let newest {
            let end = calendar.start(of: .day, at: newest)
            let oldest = try store.starts(of: types)?.lowerBound
            let from = calendar.start(
                of: .day, at: max(oldest ?? newest, newest - Double(range.days) * 86_400))
            let edges = try calendar.edges(from: from, to: end.nextUp, by: .day)
            let asked = try types.filter { $0.kind == .quantity || $0.kind == .category }
                .map { ($0, try CheckUpPage.edges(edges, of: $0, range, store)) }
            for activity in try store.activity(of: asked) { try checkUp.check(activity) }
            checkUp.checkSilence(newest: newest)
            examined = DateInterval(
                start: Date(timeIntervalSinceReferenceDate: from),
                end: Date(timeIntervalSinceReferenceDate: edges.last ?? end))
            notes = checkUp.notes(days: edges.count - 1)
        }
        try checkUp.checkDayTotals()
        let kinds = Kind.allCases
        findings = checkUp.findings.sorted { a, b in
            let (x, y) = (kinds.firstIndex(of: a.kind) ?? 0, kinds.firstIndex(of: b.kind) ?? 0)
            if x != y { return x < y }
            let never = CivilDate(1, 1, 1)
            return (b.since ?? never, a.sentence) < (a.since ?? never, b.sentence)
        }
        sentence = CheckUpPage.sentence(findings, examined)
    }

    /// The borders from the first whole day among a type's newest samples on.
    private static func edges(
        _ edges: [Double], of type: SampleType, _ range: Range, _ store: SampleStore
    ) throws -> [Double] {
        guard let first = edges.first, let last = edges.last,
            let start = try store.start(
                ofNewest: range.samplesPerType, of: type, from: first, to: last)
        else { return edges }
        let kept = edges.firstIndex { $0 >= start } ?? edges.count - 2
        return Array(edges[min(kept, max(0, edges.count - 2))...])
    }

    private static func sentence(_ findings: [Finding], _ examined: DateInterval?) -> String {
        if findings.isEmpty {
            return examined == nil
                ? "There is nothing to check yet: the store holds no samples."
                : "Nothing looks wrong."
        }
        let kinds = Kind.allCases.compactMap { kind -> String? in
            let count = findings.filter { $0.kind == kind }.count
            return count == 0 ? nil : counted(count, kind.words.one, kind.words.many)
        }
        let head =
            findings.count == 1 ? "One thing to look at" : "\(findings.count) things to look at"
        return head + ": " + kinds.joined(separator: ", ") + "."
    }
}

extension CheckUpPage.Kind {
    fileprivate var words: (one: String, many: String) {
        switch self {
        case .silentSource: ("silent source", "silent sources")
        case .dayTotals: ("source of day totals", "sources of day totals")
        case .impossibleValue: ("impossible value", "impossible values")
        case .twoTrackers: ("pair of trackers at once", "pairs of trackers at once")
        case .clockJump: ("clock jump", "clock jumps")
        case .quarantined: ("import with elements left out", "imports with elements left out")
        }
    }
}
