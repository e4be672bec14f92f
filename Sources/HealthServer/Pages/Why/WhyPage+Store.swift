package import Foundation
package import HealthCalendar
package import HealthDashboard
package import HealthEngine
package import HealthStorage

extension WhyPage {
    /// Explains a day's amount.
    ///
    /// ```swift
    /// let page = try WhyPage(
    ///     store, type: "stepCount", day: CivilDate("2024-03-10"), in: berlin, now: .now)
    /// page.merged                                     // the same as in `openhealth stats`
    /// let other = try WhyPage(
    ///     store, type: "stepCount", day: page.day, order: page.sources[1].raised ?? [],
    ///     in: berlin, now: .now)
    /// other.preview?.differenceText                   // "+312"; nothing is saved
    /// ```
    /// - Parameters:
    ///   - store: The store to read.
    ///   - name: The type as a short name ("stepCount") or an identifier; nil for steps, or the
    ///     first summed type with data if there are no steps.
    ///   - day: The day; nil for the day on which the type's latest sample ends, at most today.
    ///   - order: Names or bundle identifiers, as in ``SourceOrderProposal/order``; empty for the
    ///     saved order.
    ///   - excluded: Names or bundle identifiers of sources to exclude.
    ///   - included: Names or bundle identifiers of excluded sources to include.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time, for the default day and the page's freshness.
    /// - Throws: ``StoreError`` if the type is unknown or isn't summed, or a name matches no source
    ///   or several. ``PageError`` if a source is both excluded and included, or the day is outside
    ///   the calendar. `CalendarError` if the time zone skipped the day.
    /// - Complexity: O(*n* log *n*) in the samples of the day.
    package init(
        _ store: SampleStore, type name: String? = nil, day: CivilDate? = nil,
        order: [String] = [], excluding excluded: [String] = [],
        including included: [String] = [], in calendar: CalendarBuckets, now: Date
    ) throws {
        let type = try WhyPage.type(name, store)
        let moment = now.timeIntervalSinceReferenceDate
        let (day, start, end) = try WhyPage.day(day, of: type, store, calendar, moment)
        guard let metric = Metric(type) else {
            throw StoreError(.notSummed(type: type.name))
        }
        var rules = StatisticsRules()
        rules.horizon = moment
        let query = SampleQuery(type, from: start, to: end)
        let saved = try store.explanation(of: query, rules: rules)
        var shown = saved
        let changes = try Changes(
            Proposal(order: order, excluded: excluded, included: included), of: type, in: store)
        let proposal = try changes.proposal.storeProposal()
        if !changes.proposal.isEmpty {
            shown = try store.explanation(of: query, rules: rules, applying: proposal)
        }
        let sums = RoundedSums(shown)
        let identifiers = shown.parts.map(\.source.bundleIdentifier)
        self.init(
            freshness: Freshness(asOf: now, isCurrent: true),
            timeZone: calendar.calendar.timeZone.identifier, sentence: "", metric: metric,
            name: type.name, day: day,
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: start),
                end: Date(timeIntervalSinceReferenceDate: end)),
            unit: sums.unit.symbol, sources: WhyPage.sourceRows(shown, sums, changes),
            merged: shown.merged,
            mergedText: sums.text(sums.merged), duplicateText: sums.text(sums.naive - sums.merged),
            naive: shown.naive, naiveText: sums.text(sums.naive),
            excluded: shown.excluded.map { WhyPage.excluded($0, shown, sums, changes) },
            skipped: shown.skipped.unconvertible.values.reduce(shown.skipped.malformed, +),
            order: identifiers)
        self.proposal = changes.proposal
        if !changes.proposal.isEmpty {
            preview = WhyPage.preview(
                saved, sums, commands: try SourceOrderCommand(type, proposal, store).lines())
        }
        appleTotal = try store.totalsInPlace(query, over: [start, end], rules: rules).first
            .map { try AppleTotal($0, of: type, in: nil) }
        sentence = WhyPage.sentence(shown, sums, day.description, preview)
        if let appleTotal {
            let isEmpty = shown.parts.isEmpty && shown.excluded.isEmpty
            sentence =
                WhyPage.sentence(appleTotal, sums, type, day.description)
                + (isEmpty ? " No samples of that day are stored." : " Recorded: " + sentence)
        }
    }

    /// Returns the sentence that says that the day is answered by Apple's total: "1,300 steps on 10
    /// March 2024: Apple's total from iPhone, provisional."
    private static func sentence(
        _ total: AppleTotal, _ sums: RoundedSums, _ type: SampleType, _ day: String
    ) -> String {
        let unit = ReadableUnit(sums.unit.symbol, largest: total.value)
        let amount = TypeText.amount(unit.text(total.value), unit.symbol, of: type)
        return "\(amount) on \(DateText.long(day)): Apple's total from \(total.device)"
            + (total.isProvisional ? ", provisional." : ".")
    }

    private static func type(_ name: String?, _ store: SampleStore) throws -> SampleType {
        if let name { return try store.type(named: name) }
        let steps = try store.type(named: "stepCount")
        if try store.latestEnd(of: steps) != nil { return steps }
        return try store.presentTypes().first { $0.aggregation == .cumulative }
            ?? store.typesWithReceivedTotals().first ?? steps
    }

    private static func day(
        _ day: CivilDate?, of type: SampleType, _ store: SampleStore, _ calendar: CalendarBuckets,
        _ now: Double
    ) throws -> (CivilDate, start: Double, end: Double) {
        let start: Double
        if let day {
            start = try calendar.time(day.description)
        } else {
            let last = try store.latestEnd(of: type) ?? now
            start = calendar.start(of: .day, at: min(now, last.nextDown))
        }
        guard let date = CivilDate(calendar.day(start)) else {
            throw PageError.badRequest("The day is outside the calendar.")
        }
        return (date, calendar.start(of: .day, at: start), calendar.end(of: .day, at: start))
    }

    private static func sourceRows(
        _ explanation: Explanation, _ sums: RoundedSums, _ changes: Changes
    ) -> [SourceRow] {
        let identifiers = explanation.parts.map(\.source.bundleIdentifier)
        let moved = Set(changes.proposal.order)
        let known = changes.ranking.filter { moved.contains($0) || identifiers.contains($0) }
        func orderBySwapping(_ a: Int, _ b: Int) -> [String]? {
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
            let duplicate = sums.duplicate[index]
            let spans = ChartSpans(from: explanation.start, to: explanation.end)
            return SourceRow(
                source: PrintableText.text(part.source.name),
                bundleIdentifier: part.source.bundleIdentifier, rank: part.rank,
                samples: part.samples, contributed: part.contributed, duplicate: part.duplicate,
                contributedText: sums.text(contributed), duplicateText: sums.text(duplicate),
                recordedText: sums.text(contributed + duplicate),
                recorded: spans.joined(
                    explanation.recorded[index].map { ($0.start, $0.end, 0) }
                ).map { Span(start: $0.start, end: $0.end) },
                counted: spans.joined(
                    (counted[part.source] ?? []).map { ($0.start, $0.end, $0.value) }),
                raised: orderBySwapping(index - 1, index),
                lowered: orderBySwapping(index, index + 1))
        }
    }

    private static func excluded(
        _ part: Explanation.Part, _ explanation: Explanation, _ sums: RoundedSums,
        _ changes: Changes
    ) -> Excluded {
        let recorded = part.contributed + part.duplicate
        let isExcludedByProposal = changes.proposal.excluded.contains(part.source.bundleIdentifier)
        return Excluded(
            source: PrintableText.text(part.source.name),
            bundleIdentifier: part.source.bundleIdentifier, samples: part.samples,
            recorded: recorded, recordedText: sums.unit.text(recorded),
            reason: isExcludedByProposal
                ? "excluded in this preview" : ExclusionReasonText.why(part.exclusionReason ?? ""),
            command: isExcludedByProposal
                ? nil
                : "openhealth sources include \(explanation.type.name) "
                    + ShellWord.quoted(part.source.bundleIdentifier))
    }

    private static func preview(
        _ saved: Explanation, _ sums: RoundedSums, commands: [String]
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
        _ explanation: Explanation, _ sums: RoundedSums, _ day: String, _ preview: Preview?
    ) -> String {
        let (words, day) = (TypeText.name(explanation.type), DateText.long(day))
        if explanation.parts.isEmpty {
            if explanation.excluded.isEmpty {
                return "No \(words) on \(day): nothing was recorded on that day."
            }
            let sources =
                explanation.excluded.count == 1
                ? "the only source is excluded" : "all sources are excluded"
            return "No \(words) on \(day)\(previewComparison(preview)): \(sources)."
        }
        let amount = TypeText.amount(
            sums.text(sums.merged), sums.unit.symbol, of: explanation.type)
        let parts = sums.parts(of: explanation) { PrintableText.name($0) }
        return "\(amount) on \(day)\(previewComparison(preview))."
            + (parts.isEmpty ? "" : " \(parts).")
    }

    /// Returns the comparison with the saved setting for the sentence; empty if the page isn't a
    /// preview.
    private static func previewComparison(_ preview: Preview?) -> String {
        preview.map { " with this preview (saved: \($0.savedText))" } ?? ""
    }
}

/// Joins a source's intervals for a chart of a day, which can't show more than 600 of them.
private struct ChartSpans {
    private static let maximumCount = 600
    private let resolution: Double

    init(from start: Double, to end: Double) {
        resolution = (end - start) / Double(ChartSpans.maximumCount)
    }

    /// Returns the intervals with the sums of their values. If there are more than 600, those with
    /// gaps of less than a 600th of the day are joined.
    func joined(_ spans: [(Double, Double, Double)]) -> [WhyPage.Counted] {
        var joined: [(start: Double, end: Double, value: Double)] = []
        let isDense = spans.count > ChartSpans.maximumCount
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

/// An explanation's amounts, rounded so that they still add up. Each is a whole number of units of
/// the last displayed digit, as a double because a sum may exceed any integer type.
package struct RoundedSums {
    package var unit: ReadableUnit
    package var naive: Double
    package var merged: Double
    /// The contributed amount of each of the explanation's parts, in their order.
    package var contributed: [Double]
    /// The duplicate amount of each part, in the same order.
    package var duplicate: [Double]

    package init(_ explanation: Explanation) {
        let unit = ReadableUnit(explanation.unit, largest: explanation.naive)
        self.unit = unit
        naive = unit.scaled(explanation.naive).rounded()
        merged = unit.scaled(explanation.merged).rounded()
        contributed = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.contributed) }, to: merged)
        duplicate = NumberText.apportioned(
            explanation.parts.map { unit.scaled($0.duplicate) }, to: naive - merged)
    }

    package func text(_ value: Double) -> String { unit.text(scaled: value) }

    /// Returns the sources that contributed, and the duplicates: "Watch 8,733 · iPhone 27 · 12,039
    /// duplicates removed". Empty if there are none.
    ///
    /// - Parameters:
    ///   - explanation: The explanation that the sums were made from.
    ///   - name: Converts a source's name for output.
    /// - Returns: The text, with the sources by rank.
    package func parts(of explanation: Explanation, name: (String) -> String) -> String {
        let symbol = unit.symbol == "count" ? "" : " " + unit.symbol
        var parts: [String] = []
        for (index, part) in explanation.parts.enumerated() where part.contributed != 0 {
            parts.append("\(name(part.source.name)) \(text(contributed[index]))\(symbol)")
        }
        let more = naive - merged
        if more > 0 {
            parts.append(
                symbol.isEmpty
                    ? "\(text(more)) duplicates removed"
                    : "\(text(more))\(symbol) of duplicates removed")
        }
        return parts.joined(separator: " · ")
    }
}

/// The reason for an exclusion in words.
package enum ExclusionReasonText {
    /// Returns "it writes daily totals" for a source that an import excluded, else "you excluded
    /// it".
    package static func why(_ reason: String) -> String {
        reason == SampleStore.dayTotalsReason ? "it writes daily totals" : "you excluded it"
    }
}
