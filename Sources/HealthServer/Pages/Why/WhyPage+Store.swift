public import Foundation
import HealthDashboard
public import HealthEngine
public import HealthStorage

extension WhyPage {
    /// Explains a day of a store.
    ///
    /// ```swift
    /// let page = try WhyPage(store, type: "stepCount", day: CivilDate("2024-03-10"), in: berlin, now: .now)
    /// page.merged                                     // what `openhealth stats` says of the day
    /// let other = try WhyPage(store, type: "stepCount", day: page.day, order: page.lanes[1].raised ?? [],
    ///     in: berlin, now: .now)
    /// other.preview?.differenceText                   // "+312"; nothing is saved
    /// ```
    /// - Parameters:
    ///   - type: As `metric=` has it, "stepCount" or a whole identifier; nil for steps, or the first
    ///     summed type with data.
    ///   - day: nil for the last day with data that has begun.
    ///   - order: Names or bundle identifiers, as ``SourceArrangement/order`` takes them; empty for
    ///     the order in force.
    ///   - excluded: Sources that are not to count, likewise.
    ///   - included: Sources that are to count though they are left out.
    ///   - calendar: Where days begin.
    /// - Throws: ``StoreError`` if the type is unknown or isn't summed, a name fits no source or
    ///   several, a source is both left out and taken in, or the calendar's zone skipped the day.
    /// - Complexity: O(samples of the day × log).
    public init(
        _ store: SampleStore, type name: String? = nil, day: CivilDate? = nil,
        order: [String] = [], leavingOut excluded: [String] = [],
        takingIn included: [String] = [], in calendar: CalendarBuckets, now: Date
    ) throws {
        let type = try WhyPage.type(name, store)
        let moment = now.timeIntervalSinceReferenceDate
        let (day, start, end) = try WhyPage.day(day, of: type, store, calendar, moment)
        guard let metric = Metric(type) else {
            throw StoreError(.invalidArgument, "\(type.name) has no values to explain.")
        }
        var rules = StatisticsRules()
        rules.horizon = moment
        let question = SampleQuestion(type, from: start, to: end)
        let saved = try store.explanation(of: question, rules: rules)
        var shown = saved
        let changes = try Changes(
            Arrangement(order: order, excluded: excluded, included: included), of: type, in: store)
        let arrangement = try changes.arrangement.stored()
        if !changes.arrangement.isEmpty {
            shown = try store.explanation(of: question, rules: rules, arranged: arrangement)
        }
        let sums = WholeSums(shown)
        let identifiers = shown.parts.map(\.source.bundleIdentifier)
        self.init(
            freshness: Freshness(asOf: now, isCurrent: true),
            timeZone: calendar.calendar.timeZone.identifier, sentence: "", metric: metric,
            name: type.name, day: day,
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: start),
                end: Date(timeIntervalSinceReferenceDate: end)),
            unit: sums.unit.symbol, lanes: WhyPage.lanes(shown, sums, changes),
            merged: shown.merged,
            mergedText: sums.text(sums.merged), setAsideText: sums.text(sums.naive - sums.merged),
            naive: shown.naive, naiveText: sums.text(sums.naive),
            excluded: shown.excluded.map { WhyPage.excluded($0, shown, sums, changes) },
            skipped: shown.skipped.unconvertible.values.reduce(shown.skipped.malformed, +),
            order: identifiers)
        self.arrangement = changes.arrangement
        if !changes.arrangement.isEmpty {
            preview = WhyPage.preview(
                saved, sums, commands: try SourceOrderCommand(type, arrangement, store).lines())
        }
        sentence = WhyPage.sentence(shown, sums, day.description, preview)
    }

    private static func type(_ name: String?, _ store: SampleStore) throws -> SampleType {
        if let name { return try store.type(named: name) }
        let steps = try store.type(named: "stepCount")
        if try store.extent(of: SampleQuestion(steps)) != nil { return steps }
        return try store.presentTypes().first { $0.aggregation == .cumulative } ?? steps
    }

    private static func day(
        _ day: CivilDate?, of type: SampleType, _ store: SampleStore, _ calendar: CalendarBuckets,
        _ now: Double
    ) throws -> (CivilDate, start: Double, end: Double) {
        let start: Double
        if let day {
            start = try calendar.time(day.description)
        } else {
            let last = try store.extent(of: SampleQuestion(type))?.last ?? now
            start = calendar.start(of: .day, at: min(now, last.nextDown))
        }
        let edges = try calendar.edges(from: start, to: start.nextUp, by: .day)
        guard edges.count > 1, let date = CivilDate(calendar.day(start)) else {
            throw StoreError(.invalidArgument, "That is no day that could be explained.")
        }
        return (date, edges[0], edges[1])
    }

    private static func lanes(
        _ explanation: Explanation, _ sums: WholeSums, _ changes: Changes
    ) -> [Lane] {
        let identifiers = explanation.parts.map(\.source.bundleIdentifier)
        let moved = Set(changes.arrangement.order)
        let known = changes.ranking.filter { moved.contains($0) || identifiers.contains($0) }
        func exchanged(_ a: Int, _ b: Int) -> [String]? {
            guard identifiers.indices.contains(a), identifiers.indices.contains(b),
                let first = known.firstIndex(of: identifiers[a]),
                let second = known.firstIndex(of: identifiers[b])
            else { return nil }
            var order = known
            order.swapAt(first, second)
            return order
        }
        let counted = Dictionary(grouping: explanation.segments, by: \.source)
        return explanation.parts.enumerated().map { index, part in
            let contributed = sums.contributed[index]
            let setAside = sums.setAside[index]
            let spans = DrawnSpans(from: explanation.start, to: explanation.end)
            return Lane(
                source: PrintableText.text(part.source.name),
                bundleIdentifier: part.source.bundleIdentifier, rank: part.rank,
                samples: part.samples, contributed: part.contributed, setAside: part.setAside,
                contributedText: sums.text(contributed), setAsideText: sums.text(setAside),
                recordedText: sums.text(contributed + setAside),
                recorded: spans.joined(
                    explanation.recorded[index].map { ($0.start, $0.end, 0) }
                ).map { Span(start: $0.start, end: $0.end) },
                counted: spans.joined(
                    (counted[part.source] ?? []).map { ($0.start, $0.end, $0.value) }),
                raised: exchanged(index - 1, index), lowered: exchanged(index, index + 1))
        }
    }

    private static func excluded(
        _ part: Explanation.Part, _ explanation: Explanation, _ sums: WholeSums,
        _ changes: Changes
    ) -> Excluded {
        let recorded = part.contributed + part.setAside
        let isTried = changes.arrangement.excluded.contains(part.source.bundleIdentifier)
        return Excluded(
            source: PrintableText.text(part.source.name),
            bundleIdentifier: part.source.bundleIdentifier, samples: part.samples,
            recorded: recorded, recordedText: sums.unit.text(recorded),
            reason: isTried
                ? "left out in this preview" : ExclusionWords.why(part.exclusionReason ?? ""),
            command: isTried
                ? nil
                : "openhealth sources include \(explanation.type.name) "
                    + ShellWord.quoted(part.source.bundleIdentifier))
    }

    private static func preview(
        _ saved: Explanation, _ sums: WholeSums, commands: [String]
    ) -> Preview {
        let before = sums.unit.scaled(saved.merged).rounded()
        let difference = sums.merged - before
        return Preview(
            saved: saved.merged, savedText: sums.text(before),
            differenceText: difference == 0
                ? "no change" : (difference > 0 ? "+" : "") + sums.text(difference),
            commands: commands)
    }

    private static func sentence(
        _ explanation: Explanation, _ sums: WholeSums, _ day: String, _ preview: Preview?
    ) -> String {
        let (words, day) = (TypeWords.words(explanation.type), DayWords.long(day))
        if explanation.parts.isEmpty {
            if explanation.excluded.isEmpty {
                return "No \(words) on \(day): nothing was recorded that day."
            }
            let sources =
                explanation.excluded.count == 1
                ? "the only source is set aside" : "all sources are set aside"
            return "Nothing counts for \(words) on \(day): \(sources)" + otherwise(preview)
        }
        let amount = TypeWords.amount(
            sums.text(sums.merged), sums.unit.symbol, of: explanation.type)
        let counting = explanation.parts.indices
            .filter { explanation.parts[$0].contributed != 0 }
            .map { index in
                PrintableText.name(explanation.parts[index].source.name) + " "
                    + sums.text(sums.contributed[index])
            }
        let more = sums.naive - sums.merged
        let twice = more > 0 ? "; \(sums.text(more)) more were recorded twice" : ""
        let text = "\(amount) on \(day), counted once (\(counting.joined(separator: ", "))\(twice))"
        return text + otherwise(preview)
    }

    private static func otherwise(_ preview: Preview?) -> String {
        preview.map { ", if this were saved; as it is saved \($0.savedText)." } ?? "."
    }
}

/// Spans as fine as a chart of a day can show them.
private struct DrawnSpans {
    private static let most = 600
    private let resolution: Double

    init(from start: Double, to end: Double) {
        resolution = (end - start) / Double(DrawnSpans.most)
    }

    /// The spans; where there are too many, those that a mark's width would not part are one.
    func joined(_ spans: [(Double, Double, Double)]) -> [WhyPage.Counted] {
        var joined: [(start: Double, end: Double, value: Double)] = []
        let isDense = spans.count > DrawnSpans.most
        for span in spans {
            if isDense, let last = joined.last, span.0 - last.end < resolution {
                joined[joined.count - 1].end = max(last.end, span.1)
                joined[joined.count - 1].value += span.2
            } else {
                joined.append((span.0, span.1, span.2))
            }
        }
        return joined.map {
            WhyPage.Counted(
                start: Date(timeIntervalSinceReferenceDate: $0.start),
                end: Date(timeIntervalSinceReferenceDate: $0.end), value: $0.value)
        }
    }
}
