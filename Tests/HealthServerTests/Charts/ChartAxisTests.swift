import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct ChartAxisTests {
    @Test("ranges from an hour to half a century have three to five ticks")
    func countOfTicks() {
        let calendar = PageExamples.calendar
        for hours in [1, 2, 5, 8, 12, 18, 24, 36, 48] {
            let range = DateInterval(
                start: PageExamples.time(PageExamples.day, 1, 7), duration: Double(hours) * 3600)
            let ticks = ChartTimeAxis(range, calendar: calendar).ticks
            #expect((3...6).contains(ticks.count), "\(hours) hours: \(ticks.map(\.label))")
        }
        for days in [
            3, 7, 10, 14, 21, 30, 31, 45, 60, 75, 84, 91, 120, 180, 365, 366, 500, 731, 1826, 3652,
            18_262,
        ] {
            for offset in [0, 9, 25, 200] {
                let first = CivilDate(dayNumber: PageExamples.day.dayNumber - offset)
                let range = DateInterval(
                    start: calendar.midnight(first),
                    end: calendar.midnight(CivilDate(dayNumber: first.dayNumber + days)))
                let ticks = ChartTimeAxis(range, calendar: calendar).ticks
                #expect((3...6).contains(ticks.count), "\(days) days: \(ticks.map(\.label))")
            }
        }
    }

    @Test(
        "ticks stand at local midnights over both changes of the clock",
        arguments: [CivilDate(2024, 3, 31), CivilDate(2024, 10, 27)])
    func daylightSaving(change: CivilDate) {
        let calendar = PageExamples.calendar
        let range = DateInterval(
            start: calendar.midnight(CivilDate(dayNumber: change.dayNumber - 3)),
            end: calendar.midnight(CivilDate(dayNumber: change.dayNumber + 5)))
        let ticks = ChartTimeAxis(range, calendar: calendar).ticks
        #expect(ticks.count >= 3)
        for tick in ticks { #expect(PageDateText.clock(tick.time, calendar) == "00:00") }
    }

    @Test("the hour that the clock leaves out has no tick, the one it repeats has one")
    func hoursOfChange() {
        let calendar = PageExamples.calendar
        func labels(_ day: CivilDate) -> [String] {
            let range = DateInterval(
                start: calendar.midnight(day),
                end: calendar.midnight(day).addingTimeInterval(4 * 3600))
            return ChartTimeAxis(range, calendar: calendar).ticks.map(\.label)
        }
        #expect(labels(CivilDate(2024, 3, 31)) == ["00:00", "01:00", "03:00", "04:00", "05:00"])
        #expect(labels(CivilDate(2024, 10, 27)) == ["00:00", "01:00", "02:00", "03:00"])
    }

    @Test("hours of a clock of twelve are short")
    func twelveHours() {
        let range = DateInterval(
            start: PageExamples.calendar.midnight(PageExamples.day), duration: 86_400)
        let labels = PageSettings.$current.withValue(PageSettings(clock: .hours12)) {
            ChartTimeAxis(range, calendar: PageExamples.calendar).ticks.map(\.label)
        }
        #expect(labels == ["12am", "6am", "12pm", "6pm", "12am"])
    }

    @Test("the value axis has three to five round ticks around its data")
    func valueTicks() {
        for (low, high) in [
            (0.0, 1.0), (0, 14_100), (48, 121), (72.1, 73.4), (0.2, 0.9), (-5, 7), (97, 97), (0, 0),
            (1e-7, 2e-7), (3, 9_999_999),
        ] {
            for start in [ChartValueAxis.Start.zero, .data] {
                let axis = ChartValueAxis([low, high], from: start)
                #expect((3...5).contains(axis.ticks.count), "\(low) to \(high): \(axis.ticks)")
                #expect(axis.low <= low && axis.high >= high, "\(low) to \(high)")
                if start == .zero { #expect(axis.ticks.contains(0)) }
            }
        }
    }

    @Test("values that are not numbers don't move the axis")
    func notNumbers() {
        let axis = ChartValueAxis([.nan, 4, .infinity, 8, -.greatestFiniteMagnitude], from: .zero)
        #expect(axis.low == 0 && axis.high < 20)
    }
}
