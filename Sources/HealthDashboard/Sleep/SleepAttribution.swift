import Foundation
import HealthEngine

/// The records of each source, from which a night and the contribution of each source are computed.
struct SleepAttribution {
    private struct Recording {
        var everything: SleepIntervalSet
        var asleep: SleepIntervalSet
        var inBed: SleepIntervalSet
        var implausible: SleepIntervalSet
    }

    private let sources: [String]
    private let recordings: [Recording]
    /// All time in bed, from all sources.
    private let beds: SleepIntervalSet
    private let longestRecord: Double

    init(_ filter: SleepRecordFilter, sources: [String], rules: SleepNights.Rules) {
        self.sources = sources
        longestRecord = rules.longestRecord
        let accepted = Dictionary(grouping: filter.accepted, by: \.source)
        let implausible = Dictionary(grouping: filter.implausible, by: \.source)
        beds = SleepIntervalSet(filter.accepted.filter { $0.stage == .inBed })
        recordings = sources.indices.map { source in
            let long = implausible[source] ?? []
            let all = (accepted[source] ?? []) + long
            return Recording(
                everything: SleepIntervalSet(all),
                asleep: SleepIntervalSet(all.filter(\.stage.isAsleep)),
                inBed: SleepIntervalSet(all.filter { $0.stage == .inBed }),
                implausible: SleepIntervalSet(long))
        }
    }

    /// Returns the night of a day, from the sleeps and times in bed that belong to the day. The
    /// sleep with the most time asleep is the night; without any sleep, the longest time in bed is.
    /// The first of equal ones is used. Nil if there are none.
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

    /// Returns the seconds in bed: recorded time in bed, and sleep outside of it. Nil if no source
    /// recorded time in bed during the episode.
    private func inBed(_ episode: SleepEpisode) -> Double? {
        guard beds.touches(episode.start, episode.end) else { return nil }
        return episode.segments.reduce(beds.covered(episode.start, episode.end)) { sum, segment in
            guard segment.stage.isAsleep else { return sum }
            return sum + segment.end - segment.start - beds.covered(segment.start, segment.end)
        }
    }

    private func mergedIntervals(_ episode: SleepEpisode) -> [SleepNight.MergedInterval] {
        episode.segments.map { segment in
            SleepNight.MergedInterval(
                start: Date(timeIntervalSinceReferenceDate: segment.start),
                end: Date(timeIntervalSinceReferenceDate: segment.end), stage: segment.stage,
                source: sources[segment.source])
        }
    }

    private func parts(of episode: SleepEpisode) -> [SleepNight.Part] {
        let present = sources.indices.filter {
            recordings[$0].everything.touches(episode.start, episode.end)
        }
        return present.enumerated().map { rank, source in
            let counted = episode.segments.reduce(0) { sum, segment in
                let isIts = segment.source == source && segment.stage.isAsleep
                return sum + (isIts ? segment.end - segment.start : 0)
            }
            let recorded = recordings[source].asleep.length(touching: episode.start, episode.end)
            return SleepNight.Part(
                source: sources[source], rank: rank + 1, recorded: recorded, counted: counted,
                reason: recorded > 0
                    ? reason(of: source, in: episode, recorded: recorded, counted: counted)
                    : inBedReason(source, in: episode))
        }
    }

    private func reason(
        of source: Int, in episode: SleepEpisode, recorded: Double, counted: Double
    ) -> String? {
        // Differences of less than a millisecond are rounding errors.
        guard recorded - counted > 0.001 else { return nil }
        let ownRecording = recordings[source]
        let implausibleReason =
            "it is one sample of \(NumberText.hours(longestRecord)) hours or more, and shorter "
            + "samples take precedence"
        let isImplausible = ownRecording.implausible.touches(episode.start, episode.end)
        if isImplausible, counted == 0 { return implausibleReason }
        var reasons = isImplausible ? [implausibleReason] : []
        let others = episode.segments.filter { segment in
            segment.source != source && segment.stage != .inBed
                && ownRecording.asleep.touches(segment.start, segment.end)
        }
        reasons += recording(others)
        let isContradicted = episode.segments.contains { segment in
            segment.source == source && segment.stage == .awake
                && ownRecording.asleep.touches(segment.start, segment.end)
        }
        if isContradicted { reasons.append("it also recorded awake time") }
        return reasons.isEmpty ? "part of another sleep period" : reasons.joined(separator: "; ")
    }

    /// Returns why other sources are counted during a source's time in bed; nil if no other source
    /// is.
    private func inBedReason(_ source: Int, in episode: SleepEpisode) -> String? {
        let hidden = episode.segments.filter { segment in
            segment.source != source && recordings[source].inBed.touches(segment.start, segment.end)
        }
        if hidden.contains(where: { $0.stage != .inBed }) {
            return "only time in bed; other sources recorded stages"
        }
        return recording(hidden).first
    }

    /// Returns one text that names the sources of the intervals: "Watch recorded at the same time",
    /// "Watch and Ring recorded at the same time". The array is empty without intervals.
    private func recording(_ segments: [SleepSegment]) -> [String] {
        let names = Set(segments.map(\.source)).sorted().map { sources[$0] }
        guard let last = names.last else { return [] }
        if names.count == 1 { return ["\(last) recorded at the same time"] }
        return [
            names.dropLast().joined(separator: ", ") + " and \(last) recorded at the same time"
        ]
    }
}
