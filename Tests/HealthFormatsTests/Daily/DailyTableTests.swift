import Foundation
import HealthCalendar
import HealthEngine
import Testing

@testable import HealthFormats

@Suite struct DailyTableTests {
    private let day = CivilDate(2024, 3, 10)

    @Test("what wasn't measured is empty, and zero is zero")
    func empty() {
        var table = DailyTable(CalendarBuckets(timeZone: .gmt))
        table.set(0, "a", on: day)
        table.set(nil, "b", on: day)
        table.set(.nan, "c", on: day)
        table.set(1.5, "b", on: day.advanced(by: 2))
        #expect(table.columns == ["a", "b"])
        #expect(table.days == [day, day.advanced(by: 2)])
        #expect(table.csvHeader == "day,zone,a,b\n")
        #expect(table.csvRow(day) == "2024-03-10,GMT,0.0,\n")
        #expect(table.csvRow(day.advanced(by: 2)) == "2024-03-12,GMT,,1.5\n")
        #expect(table.days(with: "a") == 1 && table.days(with: "z") == 0)
    }

    @Test("numbers of one day are added")
    func added() {
        var table = DailyTable(CalendarBuckets(timeZone: .gmt))
        table.add(1, "workouts_count", on: day)
        table.add(1, "workouts_count", on: day)
        #expect(table.csvRow(day) == "2024-03-10,GMT,2.0\n")
    }

    @Test("names of columns need no quotes in SQL")
    func names() throws {
        let heartRate = try #require(Catalogue.type(named: "heartRate"))
        let name = DailyTable.column(heartRate, "average", unit: "count/min")
        #expect(name == "heartRate_average_count_per_min")
        for type in Catalogue.types {
            let name = DailyTable.column(type, "maximum", unit: type.canonicalUnit ?? "")
            #expect(name.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
    }
}
