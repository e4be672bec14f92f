import Foundation
import HealthEngine

/// What each source recorded, to say of a night what became of it.
struct SleepLedger {
    private struct Account {
        var everything: SleepSpans
        var asleep: SleepSpans
        var inBed: SleepSpans
        var doubted: SleepSpans
    }

    private let sources: [String]
    private let accounts: [Account]
    /// All time in bed, whichever source recorded it.
    private let beds: SleepSpans
    private let longestRecord: Double

    init(_ admission: SleepAdmission, sources: [String], rules: SleepNights.Rules) {
        self.sources = sources
        longestRecord = rules.longestRecord
        let believed = Dictionary(grouping: admission.believed, by: \.source)
        let doubted = Dictionary(grouping: admission.doubted, by: \.source)
        beds = SleepSpans(admission.believed.filter { $0.stage == .inBed })
        accounts = sources.indices.map { source in
            let long = doubted[source] ?? []
            let all = (believed[source] ?? []) + long
            return Account(
                everything: SleepSpans(all), asleep: SleepSpans(all.filter(\.stage.isAsleep)),
                inBed: SleepSpans(all.filter { $0.stage == .inBed }), doubted: SleepSpans(long))
        }
    }

    /// The night of a day: the rest with the most sleep, the first of equal ones; without any sleep
    /// the longest time in bed.
    func night(_ day: CivilDate, _ rests: [SleepRest]) -> SleepNight? {
        let main = rests.enumerated().max { a, b in
            let (left, right) = (a.element, b.element)
            if left.asleep != right.asleep { return left.asleep < right.asleep }
            let (short, long) = (left.end - left.start, right.end - right.start)
            if left.asleep == 0, short != long { return short < long }
            return a.offset > b.offset
        }
        guard let main else { return nil }
        let naps = rests.enumerated().filter { $0.offset != main.offset && $0.element.asleep > 0 }
        return SleepNight(
            morning: day,
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: main.element.start),
                end: Date(timeIntervalSinceReferenceDate: main.element.end)),
            stretches: stretches(main.element), naps: naps.map { stretches($0.element) },
            parts: parts(of: main.element), inBed: inBed(main.element))
    }

    /// Seconds recorded as in bed, and sleep outside them; nil without any record of a bed.
    private func inBed(_ rest: SleepRest) -> Double? {
        guard beds.touches(rest.start, rest.end) else { return nil }
        return rest.pieces.reduce(beds.covered(rest.start, rest.end)) { sum, piece in
            guard piece.stage.isAsleep else { return sum }
            return sum + piece.end - piece.start - beds.covered(piece.start, piece.end)
        }
    }

    private func stretches(_ rest: SleepRest) -> [SleepNight.Stretch] {
        rest.pieces.map { piece in
            SleepNight.Stretch(
                start: Date(timeIntervalSinceReferenceDate: piece.start),
                end: Date(timeIntervalSinceReferenceDate: piece.end), stage: piece.stage,
                source: sources[piece.source])
        }
    }

    private func parts(of rest: SleepRest) -> [SleepNight.Part] {
        let present = sources.indices.filter {
            accounts[$0].everything.touches(rest.start, rest.end)
        }
        return present.enumerated().map { rank, source in
            let counted = rest.pieces.reduce(0) { sum, piece in
                let isIts = piece.source == source && piece.stage.isAsleep
                return sum + (isIts ? piece.end - piece.start : 0)
            }
            let recorded = accounts[source].asleep.length(touching: rest.start, rest.end)
            return SleepNight.Part(
                source: sources[source], rank: rank + 1, recorded: recorded, counted: counted,
                reason: recorded > 0
                    ? reason(of: source, in: rest, recorded: recorded, counted: counted)
                    : reasonOfBed(source, in: rest))
        }
    }

    private func reason(
        of source: Int, in rest: SleepRest, recorded: Double, counted: Double
    ) -> String? {
        // Less than a millisecond is arithmetic.
        guard recorded - counted > 0.001 else { return nil }
        let account = accounts[source]
        let doubt =
            "one sample of \(NumberText.hours(longestRecord)) hours or more, "
            + "and shorter ones know better"
        let isDoubted = account.doubted.touches(rest.start, rest.end)
        if isDoubted, counted == 0 { return doubt }
        var reasons = isDoubted ? [doubt] : []
        let others = rest.pieces.filter { piece in
            piece.source != source && piece.stage != .inBed
                && account.asleep.touches(piece.start, piece.end)
        }
        reasons += recording(others)
        let isContradicted = rest.pieces.contains { piece in
            piece.source == source && piece.stage == .awake
                && account.asleep.touches(piece.start, piece.end)
        }
        if isContradicted { reasons.append("it recorded being awake as well") }
        return reasons.isEmpty ? "belongs to another sleep" : reasons.joined(separator: "; ")
    }

    /// Why the time in bed of a source without sleep is not all shown.
    private func reasonOfBed(_ source: Int, in rest: SleepRest) -> String? {
        let hidden = rest.pieces.filter { piece in
            piece.source != source && accounts[source].inBed.touches(piece.start, piece.end)
        }
        if hidden.contains(where: { $0.stage != .inBed }) {
            return "in bed, and others know the stages"
        }
        return recording(hidden).first
    }

    /// "Watch was recording", "Watch and Ring were recording"; nothing without pieces.
    private func recording(_ pieces: [SleepPiece]) -> [String] {
        let names = Set(pieces.map(\.source)).sorted().map { sources[$0] }
        guard let last = names.last else { return [] }
        if names.count == 1 { return ["\(last) was recording"] }
        return [names.dropLast().joined(separator: ", ") + " and \(last) were recording"]
    }
}
