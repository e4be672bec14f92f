import Foundation
import HealthCalendar
import HealthEngine
import Testing

@testable import HealthDashboard

@Suite struct SleepRegularityTests {
    private let calendar = Calendar.gregorian(in: .gmt)

    /// A night that begins a number of minutes after 22:00 and lasts some minutes.
    private func night(
        _ day: Int, from minutes: Double = 0, lasting length: Double = 480,
        _ stage: SleepStage = .asleep, in calendar: Calendar? = nil
    ) -> SleepNight {
        let morning = CivilDate(2024, 3, 1).advanced(by: day)
        let evening = (calendar ?? self.calendar).midnight(morning.advanced(by: -1))
        let start = evening + 22 * 3600 + minutes * 60
        let end = start + length * 60
        return SleepNight(
            morning: morning, interval: DateInterval(start: start, end: end),
            mergedIntervals: [.init(start: start, end: end, stage: stage, source: "Watch")],
            naps: [], parts: [])
    }

    @Test("equal nights have 100")
    func equal() {
        #expect(SleepRegularity.index(of: (0..<6).map { night($0) }, calendar) == 100)
    }

    @Test("a shift of an hour each day differs in two of 24 hours")
    func shifted() throws {
        let nights = (0..<6).map { night($0, from: Double($0) * 60) }
        let index = try #require(SleepRegularity.index(of: nights, calendar))
        #expect(abs(index - (200 * 22.0 / 24 - 100)) < 1e-9)
    }

    @Test("nights that weren't recorded aren't nights without sleep")
    func gaps() {
        let days = [0, 1, 2, 3, 4, 6, 7, 8]
        #expect(SleepRegularity.index(of: days.map { night($0) }, calendar) == 100)
        // Six nights with a gap have four pairs, which are too few.
        #expect(SleepRegularity.index(of: [0, 1, 2, 4, 5, 6].map { night($0) }, calendar) == nil)
        let awake = (0..<6).map { night($0, .inBed) }
        #expect(SleepRegularity.index(of: awake, calendar) == nil)
        #expect(SleepRegularity.index(of: [], calendar) == nil)
    }

    @Test("a change of clocks is no irregular night if the clock on the wall is the same")
    func clocks() throws {
        let berlin = Calendar.gregorian(in: try #require(TimeZone(identifier: "Europe/Berlin")))
        // Clocks changed in the night to 31 March 2024.
        let nights = (27..<33).map { day in
            var night = night(day, in: berlin)
            let morning = berlin.midnight(night.morning) + 6 * 3600
            if night.morning == CivilDate(2024, 4, 1) { night.mergedIntervals[0].start -= 3600 }
            if night.morning == CivilDate(2024, 3, 31) {
                night.mergedIntervals[0].end = morning - 3600
            } else {
                night.mergedIntervals[0].end = morning
            }
            return night
        }
        let index = try #require(SleepRegularity.index(of: nights, berlin))
        #expect(index == 100)
    }

    @Test("intervals that are days away count for nothing, and never trap")
    func hostile() {
        var far = (0..<6).map { night($0) }
        far[2].mergedIntervals.append(
            .init(start: .distantPast, end: .distantFuture, stage: .deep, source: "App"))
        #expect(SleepRegularity.index(of: far, calendar) == 100)
    }
}
