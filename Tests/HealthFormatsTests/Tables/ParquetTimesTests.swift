import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthFormats

@Suite struct ParquetTimesTests {
    @Test(
        "days are those of the calendar, in any order of time",
        arguments: ["Europe/Berlin", "Pacific/Apia", "America/New_York", "UTC", "Asia/Gaza"])
    func days(zone: String) throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let calendar = CalendarBuckets(timeZone: try #require(TimeZone(identifier: zone)))
        var times = ParquetTimes(calendar)
        for _ in 0..<2_000 {
            let time = Double.random(in: -1e9...1e9, using: &random)
            // Around the start of the day, where a remembered day would be wrong.
            let start = calendar.start(of: .day, at: time)
            for moment in [time, start, start.nextDown, start + 1] {
                #expect(
                    times.day(moment) == ParquetTimes.date(calendar.civilDate(moment)),
                    "seed \(seed), time \(moment)")
            }
        }
    }

    @Test("dates count from 1970, instants in microseconds of UTC, both in the years 1 to 9999")
    func values() {
        #expect(ParquetTimes.date(CivilDate(1970, 1, 1)) == .date(0))
        #expect(ParquetTimes.date(CivilDate(2024, 3, 10)) == .date(19_792))
        #expect(ParquetTimes.date(CivilDate(0, 1, 1)) == .null)
        #expect(ParquetTimes.timestamp(0.25) == .timestamp(978_307_200_250_000))
        let seconds = Date(timeIntervalSince1970: 1_710_061_500).timeIntervalSinceReferenceDate
        #expect(ParquetTimes.timestamp(seconds) == .timestamp(1_710_061_500_000_000))
        for time in [Double.nan, .infinity, -1e300, Sample.undeterminedEnd * 100] {
            #expect(ParquetTimes.timestamp(time) == .null)
            var times = ParquetTimes(CalendarBuckets(timeZone: .gmt))
            #expect(times.day(time) == .null)
        }
    }

    @Test("a column has the same name in all files that refer to the same thing")
    func columns() {
        for table in ExportTable.allCases {
            for columns in [table.columns(.all), table.columns(.lean)] {
                let names = columns.map(\.name)
                #expect(Set(names).count == names.count)
                #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
            }
        }
        #expect(ExportTable.samples.columns(.lean).count == 7)
    }

    @Test("every table and column is documented")
    func documented() throws {
        let page = try String(
            contentsOf: ProjectFiles.tests.deletingLastPathComponent()
                .appendingPathComponent("Documentation/ExportSchema.md"), encoding: .utf8)
        for table in ExportTable.allCases {
            #expect(page.contains("`\(table.rawValue).parquet`"), "\(table)")
            for column in table.columns(.all) {
                #expect(page.contains("`\(column.name)`"), "\(table) \(column.name)")
            }
        }
    }
}
