import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension ReportPage.Kind {
    /// The heading of the section.
    package var title: String {
        switch self {
        case .restingHeartRate: "Resting heart rate"
        case .bloodPressure: "Blood pressure"
        case .weight: "Weight"
        case .sleep: "Sleep"
        case .activity: "Activity"
        case .glucose: "Glucose"
        case .electrocardiograms: "Electrocardiograms"
        case .medications: "Medications"
        }
    }
}

extension ReportPage {
    /// How the numbers were computed, and what the report isn't; one sentence or more in each
    /// element.
    package var method: [String] {
        let calendar = Calendar.ofPage(in: timeZone)
        return [
            "Amounts and sleep are without double counting: where sources overlap, only the one "
                + "with the highest priority counts. Readings are averaged over all included "
                + "sources. A day that isn’t over doesn’t count for amounts.",
            "Typical range: the 10th to the 90th percentile of the values of days or nights. A day "
                + "without data is not a day of zero.",
            "Days begin at midnight in \(timeZone). Made by \(program), "
                + "\(PageDateText.moment(freshness.asOf, calendar)).",
            "This report lists what apps and devices recorded. It is not a diagnosis.",
        ]
    }

    /// The heading of the person's words.
    package static let wordsTitle = "In the person’s own words"
    /// The maximum number of gaps, sources, and counts that are named, so that the report fits
    /// three pages.
    private static let (maximumGaps, maximumSources, maximumCounts) = (4, 4, 12)

    /// Returns the lines of a section.
    ///
    /// - Parameter section: A section of this report.
    /// - Returns: The lines in order.
    package func facts(of section: Section) -> [ReportFact] {
        var facts: [ReportFact]
        switch section.kind {
        case .restingHeartRate: facts = section.measures.flatMap(averageFacts)
        case .bloodPressure: facts = pressureFacts(section)
        case .weight: facts = section.measures.flatMap(weightFacts)
        case .sleep: facts = section.measures.flatMap(sleepFacts)
        case .activity: facts = section.measures.flatMap(amountFacts)
        case .glucose: facts = section.measures.flatMap { glucoseFacts(section, $0) }
        case .electrocardiograms, .medications: facts = countFacts(section)
        }
        // Steps and exercise have their own numbers of days.
        if section.kind != .activity {
            let label = section.kind == .sleep ? "Nights known" : "Days with data"
            facts.append(ReportFact(label, daysText(section.days)))
        }
        if section.kind != .electrocardiograms { facts.append(gapFact(section.gaps)) }
        facts.append(sourceFact(section.sources))
        return facts
    }

    /// "81 of 90".
    private func daysText(_ days: Int) -> String {
        "\(NumberText.grouped(Double(days))) of \(NumberText.grouped(Double(dayCount)))"
    }

    /// "3–12 May 2026, 14–20 Jun 2026"; the longest ones if there are many.
    private func gapFact(_ gaps: [Gap]) -> ReportFact {
        func length(_ gap: Gap) -> Int { gap.last.dayNumber - gap.first.dayNumber }
        let longest = gaps.sorted { length($0) > length($1) }.prefix(Self.maximumGaps)
        let named = longest.sorted { $0.first < $1.first }
            .map { DateText.span($0.first, $0.last) }.joined(separator: ", ")
        let more = gaps.count - longest.count
        return ReportFact(
            "Gaps of 7 days or more",
            gaps.isEmpty ? "none" : named + (more > 0 ? " and \(more) more" : ""))
    }

    private func sourceFact(_ sources: [String]) -> ReportFact {
        var value: [ReportFact.Part] = []
        for source in sources.prefix(Self.maximumSources) {
            if !value.isEmpty { value.append(.text(", ")) }
            value.append(.name(source))
        }
        let more = sources.count - Self.maximumSources
        if more > 0 { value.append(.text(" and \(more) more")) }
        return ReportFact(.text("Sources"), value.isEmpty ? [.text("unknown")] : value)
    }

    /// The number of electrocardiograms or doses by name.
    private func countFacts(_ section: Section) -> [ReportFact] {
        let total = section.counts.reduce(0) { $0 + $1.count }
        let isDoses = section.kind == .medications
        var facts = [
            ReportFact(
                "Recorded",
                isDoses
                    ? counted(total, "dose", "doses")
                    : counted(total, "ECG", "ECGs")
                        + ", as classified by the device or app that recorded them")
        ]
        for count in section.counts.prefix(Self.maximumCounts) {
            let label =
                count.name.map { ReportFact.Part.name($0) }
                ?? .text(isDoses ? "Medication not named" : "Classification not readable")
            facts.append(ReportFact(label, [.text(isDoses ? doses(count) : "\(count.count)")]))
        }
        let more = section.counts.count - Self.maximumCounts
        if more > 0 { facts.append(ReportFact("And", "\(more) more, with fewer")) }
        return facts
    }

    /// "58 doses: 55 taken, 3 skipped".
    private func doses(_ count: Count) -> String {
        let statuses = [(count.taken, "taken"), (count.skipped, "skipped")]
            .compactMap { number, words -> String? in
                guard let number, number > 0 else { return nil }
                return "\(NumberText.grouped(Double(number))) \(words)"
            }
        return counted(count.count, "dose", "doses")
            + (statuses.isEmpty ? "" : ": " + statuses.joined(separator: ", "))
    }
}

// The lines of quantities.
extension ReportPage {
    private var daysBefore: String { "The \(counted(dayCount, "day", "days")) before" }

    /// The typical range of the period, and that of the days before.
    private func rangeFacts(_ measure: Measure) -> [ReportFact] {
        let numbers = ReportNumbers(measure)
        let days = measure.metric == .sleep ? "nights" : "days"
        func text(_ range: TypicalRange?) -> String {
            range.map { "\(numbers.range($0.low, $0.high)) (of \($0.days) \(days))" }
                ?? "not known: fewer than 7 \(days) with data"
        }
        return [
            ReportFact("Typical range", text(measure.typicalRange)),
            ReportFact(daysBefore, text(measure.typicalRangeBefore)),
        ]
    }

    private func averageFacts(_ measure: Measure) -> [ReportFact] {
        let numbers = ReportNumbers(measure)
        return [
            ReportFact("Average", numbers.amount(measure.average)),
            ReportFact("Lowest to highest", numbers.range(measure.lowest, measure.highest)),
        ] + rangeFacts(measure)
    }

    private func weightFacts(_ measure: Measure) -> [ReportFact] {
        let numbers = ReportNumbers(measure)
        func text(_ value: DayValue) -> String {
            "\(numbers.amount(value.value)), \(DateText.short(value.day))"
        }
        return [
            ReportFact("First", text(measure.first)), ReportFact("Last", text(measure.last)),
            ReportFact("Change", numbers.change(measure.last.value - measure.first.value)),
            ReportFact("Lowest to highest", numbers.range(measure.lowest, measure.highest)),
        ] + rangeFacts(measure)
    }

    private func sleepFacts(_ measure: Measure) -> [ReportFact] {
        let numbers = ReportNumbers(measure)
        return [
            ReportFact("Average a night", numbers.amount(measure.average)),
            ReportFact("Shortest to longest", numbers.range(measure.lowest, measure.highest)),
        ] + rangeFacts(measure)
    }

    /// The lines of steps or exercise, with their own number of days.
    private func amountFacts(_ measure: Measure) -> [ReportFact] {
        let numbers = ReportNumbers(measure)
        let average = ReportFact(
            "\(measure.metric.title) a day",
            "\(numbers.amount(measure.average)) on average, "
                + numbers.span(measure.lowest, measure.highest))
        return [average] + rangeFacts(measure)
            + [ReportFact("Days with data", daysText(measure.days))]
    }

    private func glucoseFacts(_ section: Section, _ measure: Measure) -> [ReportFact] {
        var facts = averageFacts(measure)
        guard let glucose = section.glucose, glucose.readings > 0 else { return facts }
        let counts = [glucose.below, glucose.inRange, glucose.above]
        let shares = NumberText.apportioned(
            counts.map { Double($0) / Double(glucose.readings) * 100 }, to: 100
        ).map { NumberText.grouped($0) + " %" }
        let perDay = NumberText.grouped(
            Double(glucose.readings) / Double(max(1, section.days)), digits: 1)
        facts += [
            ReportFact(
                "Time in range",
                "\(shares[1]) of readings from 70 to 180 mg/dL (3.9 to 10.0 mmol/L); "
                    + "\(shares[0]) below, \(shares[2]) above"),
            ReportFact(
                "Readings",
                "\(NumberText.grouped(Double(glucose.readings))), \(perDay) a day with data"),
        ]
        return facts
    }

    private func pressureFacts(_ section: Section) -> [ReportFact] {
        guard section.measures.count == 2, let pressures = section.pressures else { return [] }
        let (upper, lower) = (section.measures[0], section.measures[1])
        let (first, second) = (ReportNumbers(upper), ReportNumbers(lower))
        func text(_ systolic: Double, _ diastolic: Double, _ pairs: Int) -> String {
            "\(first.number(systolic))/\(second.amount(diastolic)), "
                + counted(pairs, "pair", "pairs")
        }
        func text(of part: Pressures.Part?) -> String {
            part.map { text($0.systolic, $0.diastolic, $0.pairs) } ?? "no pairs"
        }
        func ranges(_ upper: TypicalRange?, _ lower: TypicalRange?) -> String {
            guard let upper, let lower else { return "not known: fewer than 7 days with data" }
            return "\(first.span(upper.low, upper.high))/\(second.range(lower.low, lower.high)) "
                + "(of \(upper.days) days)"
        }
        return [
            ReportFact("Average", text(upper.average, lower.average, pressures.pairs)),
            ReportFact("Systolic", first.range(upper.lowest, upper.highest)),
            ReportFact("Diastolic", second.range(lower.lowest, lower.highest)),
            ReportFact("Morning, 4:00 to 12:00", text(of: pressures.morning)),
            ReportFact("Evening, 16:00 to 24:00", text(of: pressures.evening)),
            ReportFact("Typical range", ranges(upper.typicalRange, lower.typicalRange)),
            ReportFact(
                daysBefore, ranges(upper.typicalRangeBefore, lower.typicalRangeBefore)),
        ]
    }
}
