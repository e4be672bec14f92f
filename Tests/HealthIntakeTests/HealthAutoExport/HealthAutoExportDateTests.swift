import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

/// A text of a date, and the instant that it means.
private struct DateCase: Sendable, CustomTestStringConvertible {
    let json: String
    let instant: Double

    init(_ json: String, _ instant: Double) {
        self.json = json
        self.instant = instant
    }

    var testDescription: String { json }
}

@Suite struct HealthAutoExportDateTests {
    private static let morning = AppExport.utc(2024, 9, 20, 21, 57)
    private static let evening = AppExport.utc(2024, 9, 21, 9, 57)

    private static let cases = [
        DateCase(#""2021-12-24 00:04:00 +0800""#, AppExport.utc(2021, 12, 23, 16, 4)),
        DateCase(#""2024-09-21 7:57:00 am +1000""#, morning),
        DateCase(#""2024-09-21 07:57:00 AM +1000""#, morning),
        DateCase(#""2024-09-21 7:57:00\u202Fam +1000""#, morning),
        DateCase(#""2024-09-21 7:57:00\u00A0a.m. +10:00""#, morning),
        DateCase(#""2024-09-21 7:57:00\u2009A.M. +1000""#, morning),
        DateCase(#""2024-09-21  7:57  AM +1000""#, morning),
        DateCase(#""2024-09-21 07:57 +1000""#, morning),
        DateCase(#""2024-09-21 07:57:00.250 +1000""#, morning + 0.25),
        DateCase(#""2024-09-21 7:57:00 pm +1000""#, evening),
        DateCase(#""2024-09-21 7:57:00 上午 +1000""#, morning),
        DateCase(#""2024-09-21 7:57:00 下午 +1000""#, evening),
        DateCase(#""2024-09-21 7:57:00 오후 +1000""#, evening),
        DateCase(#""2024-09-21 7:57:00 午前 +1000""#, morning),
        DateCase(#""2024-09-21 7:57:00 م +1000""#, evening),
        DateCase(#""2024-09-21 7:57:00 π.μ. +1000""#, morning),
        DateCase(#""٢٠٢٤-٠٩-٢١ ٠٧:٥٧:٠٠ +1000""#, morning),
        DateCase(#""2024-09-21 12:00:00 am +0000""#, AppExport.utc(2024, 9, 21)),
        DateCase(#""2024-09-21 12:00:00 pm +0000""#, AppExport.utc(2024, 9, 21, 12)),
        DateCase(#""2024-09-21""#, AppExport.utc(2024, 9, 21)),
        DateCase(#""2024-09-21T07:57:00Z""#, AppExport.utc(2024, 9, 21, 7, 57)),
        DateCase(#""2024-09-21T07:57:00+10:00""#, morning),
        // Unix seconds. As seconds since 2001 they would be in the year 2055.
        DateCase("1726869420", morning),
        DateCase(#""1726869420""#, morning),
        DateCase("1726869420.5", morning + 0.5),
    ]

    @Test("dates are read in every form", arguments: cases)
    fileprivate func forms(date: DateCase) throws {
        let read = try AppExport.metric("height", "cm", #"{"date":\#(date.json),"qty":178}"#)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(read.samples.first?.start == date.instant)
        #expect(read.samples.first?.end == date.instant)
        #expect(read.samples.first?.value == 178)
        #expect(read.samples.first?.unit == "cm")
    }

    @Test(
        "a record without a readable date is rejected, and the others are read",
        arguments: [
            #""yesterday""#, "\"\"", "null", "true", "[]", "{}", #""2024-13-01 00:00:00 +0000""#,
            #""2023-02-29""#, #""2024-09-21 24:30:00 +0000""#, #""2024-09-21 13:00:00 pm +0000""#,
            #""2024-09-21 07:57:61 +0000""#, #""NaN""#, "1e400", "-1e400", #""inf""#,
            // It isn't stated whether this counts from 1970 or 2001.
            "748562220", #""748562220""#, "0",
        ])
    func invalid(date: String) throws {
        let read = try AppExport.metric(
            "height", "cm",
            #"{"date":\#(date),"qty":1},{"date":"2024-09-21T07:57:01Z","qty":178}"#)
        #expect(read.counts == [1, 0, 0, 1])
        #expect(read.rejections.first?.reason == .date)
        #expect(read.rejections.first?.field == "date")
        #expect(read.rejections.first?.index == 0)
        #expect(read.samples.first?.value == 178)
        #expect(read.samples.first?.index == 1)
    }

    @Test("a record without a date member is rejected")
    func missing() throws {
        let read = try AppExport.metric("height", "cm", #"{"qty":1}"#)
        #expect(read.rejections.map(\.reason) == [.date])
        #expect(
            read.rejections.map(\.json) == [
                #"{"name":"height","units":"cm","data":[{"qty":1}]}"#
            ])
    }

    @Test("an end is honoured, and one that is invalid or before the start is rejected")
    func ends() throws {
        let start = #""date":"2026-03-01 22:00:00 +0000","qty":35.5"#
        let read = try AppExport.metric(
            "apple_sleeping_wrist_temperature", "degC",
            #"""
            {\#(start),"end":"2026-03-01 23:30:00 +0000"},
            {\#(start),"endDate":"2026-03-01 23:45:00 +0000"},
            {\#(start),"end":"2026-03-01 21:59:59 +0000"},{\#(start),"end":"late"},
            {\#(start),"end":7},{\#(start),"end":null}
            """#)
        #expect(
            read.samples.map(\.end) == [
                AppExport.utc(2026, 3, 1, 23, 30), AppExport.utc(2026, 3, 1, 23, 45),
                AppExport.utc(2026, 3, 1, 22),
            ])
        #expect(read.samples.map(\.identity) == [.content, .content, .point])
        #expect(read.samples.map(\.value) == [35.5, 35.5, 35.5])
        #expect(read.rejections.map(\.reason) == [.endBeforeStart, .date, .date])
        #expect(read.rejections.map(\.field) == ["end", "end", "end"])
        #expect(read.rejections.map(\.index) == [2, 3, 4])
    }
}
