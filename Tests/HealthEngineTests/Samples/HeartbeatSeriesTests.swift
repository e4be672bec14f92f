import HealthEngine
import Testing

@Suite("heartbeats of exports and of devices as series")
struct HeartbeatSeriesTests {
    private func beat(_ bpm: Double, _ offset: Double?) -> Heartbeat {
        Heartbeat(bpm: bpm, time: "", offset: offset)
    }

    private func text(_ beats: [Heartbeat]) -> [String] {
        beats.map { "\($0.offset ?? -1)\($0.precededByGap ? " after a gap" : "")" }
    }

    @Test("a gap precedes a beat whose exported rate doesn't fit the time since the one before")
    func gaps() {
        let beats = [beat(61, 0.98), beat(61, 1.96), beat(60, 2.97), beat(62, 6), beat(61, 6.98)]
        #expect(
            text(beats.exportedSeries) == ["0.98", "1.96", "2.97", "6.0 after a gap", "6.98"])
        // 60 / 61.5 is 0.976 s, and hundredths of seconds are rounded twice.
        #expect(!([beat(61, 1), beat(61, 1.961)].exportedSeries[1].precededByGap))
        #expect([beat(61, 1), beat(61, 1.95)].exportedSeries[1].precededByGap)
        #expect([beat(61, 1), beat(61, 2.01)].exportedSeries[1].precededByGap)
        #expect([beat(61, 1), beat(.nan, 2)].exportedSeries[1].precededByGap)
    }

    @Test("times continue after a quarter of an hour; unreadable and earlier ones are left out")
    func times() {
        let wrapped = [beat(60, 869), beat(60, -30), beat(60, -29)]
        #expect(text(wrapped.exportedSeries) == ["869.0", "870.0", "871.0"])
        let unreadable = [beat(60, 1), beat(60, nil), beat(60, 2), beat(60, 1.5), beat(60, 3)]
        #expect(
            text(unreadable.exportedSeries) == ["1.0", "2.0 after a gap", "3.0 after a gap"])
        #expect([Heartbeat]().exportedSeries.isEmpty)
    }

    @Test("a beat that a device sent without a time is placed by its rate")
    func placed() {
        let beats = [beat(60, nil), beat(120, nil), beat(.nan, nil), beat(.nan, 4), beat(0, nil)]
        #expect(text(beats.timedSeries) == ["1.0", "1.5", "4.0 after a gap"])
    }
}
