import Foundation
import HealthEngine
import HealthTesting
import Testing

@Suite struct HeartRateVariabilityTests {
    private func beats(_ times: [Double], gapsAt gaps: Set<Int> = []) -> [Heartbeat] {
        times.enumerated().map { index, time in
            var beat = Heartbeat(bpm: .nan, time: "", offset: time)
            beat.precededByGap = gaps.contains(index)
            return beat
        }
    }

    @Test("intervals of 800, 810 and 790 ms have an SDNN of 10 ms and an RMSSD of √250 ms")
    func known() throws {
        let variability = HeartRateVariability(beats([0, 0.8, 1.61, 2.4]))
        #expect(variability.intervalCount == 3 && variability.differenceCount == 2)
        #expect(abs(try #require(variability.sdnn) - 10) < 1e-9)
        #expect(abs(try #require(variability.rmssd) - 250.0.squareRoot()) < 1e-9)
    }

    @Test("an interval across a gap counts neither in the deviation nor in differences")
    func gap() throws {
        let variability = HeartRateVariability(
            beats([0, 0.8, 1.61, 5, 5.79, 6.59], gapsAt: [3]))
        #expect(variability.intervalCount == 4 && variability.differenceCount == 2)
        // Intervals of 800, 810, 790 and 800 ms; differences of 10 and 10 ms.
        #expect(abs(try #require(variability.sdnn) - (200.0 / 3).squareRoot()) < 1e-9)
        #expect(abs(try #require(variability.rmssd) - 10) < 1e-9)
    }

    @Test("beats without a time, or not later than the one before, end a run")
    func disorder() {
        var unreadable = beats([0, 0.8, 1.6, 2.4, 3.2])
        unreadable[2].offset = nil
        #expect(HeartRateVariability(unreadable).intervalCount == 2)
        #expect(HeartRateVariability(unreadable).differenceCount == 0)
        unreadable[2].offset = .nan
        #expect(HeartRateVariability(unreadable).intervalCount == 2)
        #expect(HeartRateVariability(beats([0, 0.8, 0.8, 1.6])).intervalCount == 2)
        #expect(HeartRateVariability(beats([0, 0.8, 0.8, 1.6])).differenceCount == 0)
    }

    @Test("too few beats have no variability")
    func few() {
        for times in [[], [1], [1, 2]] as [[Double]] {
            let variability = HeartRateVariability(beats(times))
            #expect(variability.sdnn == nil && variability.rmssd == nil)
        }
        let pair = HeartRateVariability(beats([0, 1, 2.1]))
        #expect(pair.sdnn != nil && pair.rmssd != nil)
    }

    /// Computes both measures with exact fractions, from runs of beats between gaps.
    private static let program = """
        import json, math, sys
        from fractions import Fraction

        runs = []
        for time, gap in json.loads(sys.argv[1]):
            if gap or not runs:
                runs.append([])
            runs[-1].append(Fraction(time))
        runs = [[b - a for a, b in zip(run, run[1:])] for run in runs]
        intervals = [interval * 1000 for run in runs for interval in run]
        mean = sum(intervals) / len(intervals)
        variance = sum((i - mean) ** 2 for i in intervals) / (len(intervals) - 1)
        differences = [(b - a) * 1000 for run in runs for a, b in zip(run, run[1:])]
        square = sum(d * d for d in differences) / len(differences)
        print(len(intervals), len(differences), math.sqrt(variance), math.sqrt(square))
        """

    @Test("a program with exact fractions computes the same", .comparedWithPython)
    func python() throws {
        var random = SeededRandom(seed: TestTier.seed(20))
        for _ in 0..<5 {
            var time = 0.0
            var series: [Heartbeat] = []
            for index in 0..<Int.random(in: 40...300, using: &random) {
                let isAfterGap = index > 0 && Int.random(in: 0..<12, using: &random) == 0
                time += Double.random(in: 0.45...1.3, using: &random) + (isAfterGap ? 3 : 0)
                var beat = Heartbeat(bpm: .nan, time: "", offset: time)
                beat.precededByGap = isAfterGap
                series.append(beat)
            }
            let list = series.map { "[\($0.offset ?? 0),\($0.precededByGap)]" }
            let output = try Python.run(Self.program, ["[\(list.joined(separator: ","))]"])
            let parts = output.split(separator: " ").compactMap { Double($0) }
            try #require(parts.count == 4)
            let variability = HeartRateVariability(series)
            #expect(Double(variability.intervalCount) == parts[0])
            #expect(Double(variability.differenceCount) == parts[1])
            #expect(abs(try #require(variability.sdnn) / parts[2] - 1) < 1e-9)
            #expect(abs(try #require(variability.rmssd) / parts[3] - 1) < 1e-9)
        }
    }
}
