import Foundation
import HealthDashboard
import HealthEngine
import HealthTesting
import Testing

/// `SleepNights` compared with the same rules computed tick by tick.
@Suite struct SleepAgreementTests {
    /// 2024-01-01T00:00:00Z.
    private let base = 725_760_000.0
    private let names = ["Watch", "Ring", "App", "Phone"]

    private func rules() throws -> SleepNights.Rules {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        return SleepNights.Rules(calendar: calendar)
    }

    private func date(_ tick: Int, _ step: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: base + Double(tick) * step)
    }

    /// Returns a difference; nil if there is none.
    private func disagreement(
        _ records: [SleepRecord], sources: [String], _ rules: SleepNights.Rules, step: Double,
        count: Int
    ) -> String? {
        let result = SleepNights(records, sources: sources, rules: rules)
        let slow = ReferenceNights(
            records, sources: sources, rules: rules, base: base, step: step, count: count)
        let nights = result.nights.map { night in
            ReferenceNights.Night(
                morning: night.morning, mergedIntervals: night.mergedIntervals, naps: night.naps,
                parts: night.parts.map { part in
                    [
                        sources.firstIndex(of: part.source) ?? -1,
                        Int((part.recorded / step).rounded()),
                        Int((part.counted / step).rounded()),
                    ]
                }, inBed: night.inBed.map { Int(($0 / step).rounded()) })
        }
        if nights != slow.nights { return "\(nights)\nis not\n\(slow.nights)" }
        let asleepTicks = slow.ticks.filter { $0?.stage.isAsleep ?? false }.count
        return difference(result.nights, asleep: Double(asleepTicks) * step)
    }

    /// Returns a violated invariant of a person's nights; nil if there is none.
    private func difference(_ nights: [SleepNight], asleep total: Double) -> String? {
        var last = Date.distantPast
        for rest in nights.flatMap({ [$0.mergedIntervals] + $0.naps }).sorted(by: earlier) {
            for mergedInterval in rest {
                if mergedInterval.start < last || mergedInterval.end <= mergedInterval.start {
                    return "overlap"
                }
                last = mergedInterval.end
            }
        }
        let naps = nights.flatMap(\.naps).joined().filter(\.stage.isAsleep)
        let sum =
            nights.reduce(0) { $0 + ($1.asleep ?? 0) }
            + naps.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
        if abs(sum - total) > 1e-3 { return "asleep \(sum), and the union is \(total)" }
        for night in nights {
            let counted = night.parts.reduce(0) { $0 + $1.counted }
            if abs(counted - (night.asleep ?? 0)) > 1e-6 { return "parts add up to \(counted)" }
            if night.parts.map(\.rank) != Array(1...max(1, night.parts.count)) { return "ranks" }
            for part in night.parts where part.recorded > 0 || part.reason == nil {
                if part.counted > part.recorded + 1e-6 { return "more than recorded" }
                if (part.reason == nil) != (part.recorded - part.counted < 1e-3) {
                    return "\(part) without its reason, or with one too many"
                }
            }
            if night.interval.start != night.mergedIntervals.first?.start { return "interval" }
            if night.interval.end != night.mergedIntervals.last?.end { return "interval" }
        }
        return nil
    }

    private func earlier(_ a: [SleepNight.MergedInterval], _ b: [SleepNight.MergedInterval]) -> Bool
    {
        (a.first?.start ?? .distantPast) < (b.first?.start ?? .distantPast)
    }

    @Test(
        "random records of four trackers agree with the reference",
        arguments: 0..<(TestTier.current == .quick ? 60 : 400))
    func randomWorlds(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let step = 900.0
        let count = 96 * Int.random(in: 2...5, using: &random)
        var rules = try rules()
        rules.cut = Int.random(in: -1...24, using: &random)
        rules.longestWaking = 900 * Double(Int.random(in: 0...10, using: &random))
        rules.longestRecord = 3600 * Double(Int.random(in: 4...14, using: &random))
        rules.horizon = date(Int.random(in: 0...count, using: &random), step)
        let sources = Array(names.prefix(Int.random(in: 1...4, using: &random)))
        let records = (0..<Int.random(in: 1...40, using: &random)).map { _ in
            record(of: sources.count, within: count, step, &random)
        }
        let difference = disagreement(records, sources: sources, rules, step: step, count: count)
        if let difference { Issue.record("seed \(seed): \(difference)") }
    }

    private func record(
        of sources: Int, within count: Int, _ step: Double, _ random: inout SeededRandom
    ) -> SleepRecord {
        let start = Int.random(in: 0..<count, using: &random)
        let longest = [2, 8, 40, 120].randomElement(using: &random) ?? 8
        let end = min(count, start + Int.random(in: -1...longest, using: &random))
        var record = SleepRecord(
            start: date(start, step), end: date(end, step),
            stage: SleepStage.allCases.randomElement(using: &random),
            source: Int.random(in: 0..<sources, using: &random))
        switch Int.random(in: 0..<30, using: &random) {
        case 0: record.end = .distantFuture
        case 1: record.stage = nil
        case 2: record.source = sources
        case 3...12: record.saved = date(Int.random(in: 0...3, using: &random), step)
        default: break
        }
        return record
    }

    @Test("all combinations of two records, and many of three, agree with the reference")
    func smallWorlds() throws {
        let step = 2700.0
        var rules = try rules()
        rules.cut = 2
        rules.longestRecord = 4 * step
        let sources = Array(names.prefix(2))
        var places: [SleepRecord] = []
        for start in 0..<5 {
            for end in start + 1...5 {
                for stage in [SleepStage.inBed, .awake, .rem, .asleep] {
                    for source in 0..<2 {
                        places.append(
                            SleepRecord(
                                start: date(start, step), end: date(end, step), stage: stage,
                                source: source))
                    }
                }
            }
        }
        var worlds = 0
        func check(_ records: [SleepRecord]) {
            worlds += 1
            let difference = disagreement(records, sources: sources, rules, step: step, count: 6)
            if let difference { Issue.record("\(records): \(difference)") }
        }
        check([])
        var triple = 0
        for a in places.indices {
            for b in a..<places.count {
                check([places[a], places[b]])
                for c in b..<places.count {
                    triple += 1
                    if triple % 61 == 0 { check([places[a], places[b], places[c]]) }
                }
            }
        }
        #expect(worlds > 10_000)
    }

    @Test("times outside the calendar's range are counted as malformed, and nothing traps")
    func impossibleTimes() throws {
        let moments = [
            -Double.infinity, -1e300, Date.distantPast.timeIntervalSinceReferenceDate - 1, base,
            Date.distantFuture.timeIntervalSinceReferenceDate + 1, 1e300, .infinity, .nan,
        ].map(Date.init(timeIntervalSinceReferenceDate:))
        for horizon in moments {
            var rules = try rules()
            rules.horizon = horizon
            for start in moments {
                for end in moments + [.distantFuture] {
                    var record = SleepRecord(start: start, end: end, stage: .core, source: 0)
                    record.saved = horizon
                    let result = SleepNights([record], sources: ["Watch"], rules: rules)
                    #expect(result.nights.isEmpty)
                    #expect(result.skipped != SleepNights.Skipped())
                }
            }
        }
        var rules = try rules()
        rules.longestWaking = .nan
        rules.longestRecord = -.infinity
        rules.cut = .max
        let record = SleepRecord(
            start: .distantPast, end: .distantPast.addingTimeInterval(60), stage: .core, source: 0)
        #expect(SleepNights([record], sources: ["Watch"], rules: rules).nights.count == 1)
    }
}
