import Foundation
import HealthEngine

/// What each source recorded. It determines the contributions of sources to a night.
struct SleepAttribution {
    private struct Recording {
        var everything: SleepIntervalSet
        var asleep: SleepIntervalSet
        var inBed: SleepIntervalSet
        var doubted: SleepIntervalSet
    }

    private let sources: [String]
    private let recordings: [Recording]
    /// All time in bed, from all sources.
    private let beds: SleepIntervalSet
    private let longestRecord: Double

    init(_ admission: SleepRecordFilter, sources: [String], rules: SleepNights.Rules) {
        self.sources = sources
        longestRecord = rules.longestRecord
        let believed = Dictionary(grouping: admission.believed, by: \.source)
        let doubted = Dictionary(grouping: admission.doubted, by: \.source)
        beds = SleepIntervalSet(admission.believed.filter { $0.stage == .inBed })
        recordings = sources.indices.map { source in
            let long = doubted[source] ?? []
            let all = (believed[source] ?? []) + long
            return Recording(
                everything: SleepIntervalSet(all),
                asleep: SleepIntervalSet(all.filter(\.stage.isAsleep)),
                inBed: SleepIntervalSet(all.filter { $0.stage == .inBed }),
                doubted: SleepIntervalSet(long))
        }
    }

    /// Returns the night of a day, from the sleeps and times in bed that belong to the day. The one
    /// with the most sleep is the night; without any sleep it is the longest time in bed. The first
    /// of equal ones is used; nil if there are none.
    func night(_ day: CivilDate, _ episodes: [SleepEpisode]) -> SleepNight? {
        let main = episodes.enumerated().max { a, b in
            let (left, right) = (a.element, b.element)
            if left.asleep != right.asleep { return left.asleep < right.asleep }
            let (short, long) = (left.end - left.start, right.end - right.start)
            if left.asleep == 0, short != long { return short < long }
            return a.offset > b.offset
        }
        guard let main else { return nil }
        let naps = episodes.enumerated().filter {
            $0.offset != main.offset && $0.element.asleep > 0
        }
        return SleepNight(
            morning: day,
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: main.element.start),
                end: Date(timeIntervalSinceReferenceDate: main.element.end)),
            mergedIntervals: mergedIntervals(main.element),
            naps: naps.map { mergedIntervals($0.element) },
            parts: parts(of: main.element), inBed: inBed(main.element))
    }

    /// Returns the seconds in bed: recorded time in bed, and sleep outside of it; nil without any
    /// record of time in bed.
    private func inBed(_ rest: SleepEpisode) -> Double? {
        guard beds.touches(rest.start, rest.end) else { return nil }
        return rest.pieces.reduce(beds.covered(rest.start, rest.end)) { sum, piece in
            guard piece.stage.isAsleep else { return sum }
            return sum + piece.end - piece.start - beds.covered(piece.start, piece.end)
        }
    }

    private func mergedIntervals(_ rest: SleepEpisode) -> [SleepNight.MergedInterval] {
        rest.pieces.map { piece in
            SleepNight.MergedInterval(
                start: Date(timeIntervalSinceReferenceDate: piece.start),
                end: Date(timeIntervalSinceReferenceDate: piece.end), stage: piece.stage,
                source: sources[piece.source])
        }
    }

    private func parts(of rest: SleepEpisode) -> [SleepNight.Part] {
        let present = sources.indices.filter {
            recordings[$0].everything.touches(rest.start, rest.end)
        }
        return present.enumerated().map { rank, source in
            let counted = rest.pieces.reduce(0) { sum, piece in
                let isIts = piece.source == source && piece.stage.isAsleep
                return sum + (isIts ? piece.end - piece.start : 0)
            }
            let recorded = recordings[source].asleep.length(touching: rest.start, rest.end)
            return SleepNight.Part(
                source: sources[source], rank: rank + 1, recorded: recorded, counted: counted,
                reason: recorded > 0
                    ? reason(of: source, in: rest, recorded: recorded, counted: counted)
                    : reasonOfBed(source, in: rest))
        }
    }

    private func reason(
        of source: Int, in rest: SleepEpisode, recorded: Double, counted: Double
    ) -> String? {
        // Differences of less than a millisecond are rounding errors.
        guard recorded - counted > 0.001 else { return nil }
        let ownRecording = recordings[source]
        let doubt =
            "it is one sample of \(NumberText.hours(longestRecord)) hours or more, and shorter "
            + "samples take precedence"
        let isDoubted = ownRecording.doubted.touches(rest.start, rest.end)
        if isDoubted, counted == 0 { return doubt }
        var reasons = isDoubted ? [doubt] : []
        let others = rest.pieces.filter { piece in
            piece.source != source && piece.stage != .inBed
                && ownRecording.asleep.touches(piece.start, piece.end)
        }
        reasons += recording(others)
        let isContradicted = rest.pieces.contains { piece in
            piece.source == source && piece.stage == .awake
                && ownRecording.asleep.touches(piece.start, piece.end)
        }
        if isContradicted { reasons.append("it also recorded awake time") }
        return reasons.isEmpty ? "part of another sleep period" : reasons.joined(separator: "; ")
    }

    /// Returns why other sources are counted during a source's time in bed; nil if none is.
    private func reasonOfBed(_ source: Int, in rest: SleepEpisode) -> String? {
        let hidden = rest.pieces.filter { piece in
            piece.source != source && recordings[source].inBed.touches(piece.start, piece.end)
        }
        if hidden.contains(where: { $0.stage != .inBed }) {
            return "only time in bed; other sources recorded stages"
        }
        return recording(hidden).first
    }

    /// Returns one text with the sources of overlapping intervals: "Watch recorded at the same
    /// time", "Watch and Ring recorded at the same time"; empty without intervals.
    private func recording(_ pieces: [SleepSegment]) -> [String] {
        let names = Set(pieces.map(\.source)).sorted().map { sources[$0] }
        guard let last = names.last else { return [] }
        if names.count == 1 { return ["\(last) recorded at the same time"] }
        return [
            names.dropLast().joined(separator: ", ") + " and \(last) recorded at the same time"
        ]
    }
}
