package import HealthDashboard
package import HealthEngine

/// A summary of a period for a doctor, on one to three printed pages:
/// `/report?from=2026-07-01&to=2026-09-30`.
///
/// It states what was recorded, without a judgement. A section without data in the period is left
/// out.
package struct ReportPage: Page, Hashable {
    /// The URL path of the page.
    package static let path = "/report"
    /// The title of the page.
    package static let title = "Report"

    /// When the numbers were read, and whether they are current.
    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    /// The first day of the period.
    package var first: CivilDate
    /// The last day of the period, inclusive.
    package var last: CivilDate
    /// What the person wrote for the doctor, in lines; nil for nothing. It is not stored.
    package var words: String?
    /// The sections with data in the period, in the order of ``Kind``.
    package var sections: [Section]
    /// The program that made the report, with its version.
    package var program = "OpenHealthKit \(ProgramVersion.text)"
    /// The period in words.
    package var sentence: String

    /// The subjects of sections, in the order of the report.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case restingHeartRate, bloodPressure, weight, sleep, activity, glucose
        case electrocardiograms, medications
    }

    /// What was recorded about one subject.
    package struct Section: Hashable, Sendable, Codable {
        /// The subject.
        package var kind: Kind
        /// The quantities, such as systolic and diastolic pressure; empty for electrocardiograms
        /// and medications.
        package var measures: [Measure] = []
        /// The pairs of a blood pressure; nil for other subjects.
        package var pressures: Pressures?
        /// The readings of glucose; nil for other subjects.
        package var glucose: Glucose?
        /// The electrocardiograms by classification, or the doses by medication, the most frequent
        /// first.
        package var counts: [Count] = []
        /// The number of days with data; for sleep, of nights.
        package var days: Int
        /// The runs of at least seven days without data, the earliest first. Empty for
        /// electrocardiograms, which are recorded on occasion.
        package var gaps: [Gap] = []
        /// The names of the sources, the highest priority first.
        package var sources: [String] = []
        /// The values over time; nil for electrocardiograms and medications.
        package var chart: Chart?
    }

    /// A quantity in the period, and its typical range.
    package struct Measure: Hashable, Sendable, Codable {
        /// The metric, which determines the unit of all values.
        package var metric: Metric
        /// The average: of readings for blood pressure and glucose, else of days.
        package var average: Double
        /// The lowest value of a reading, or for amounts and sleep of a day.
        package var lowest: Double
        /// The highest value of a reading, or for amounts and sleep of a day.
        package var highest: Double
        /// The first day with data, and its value.
        package var first: DayValue
        /// The last day with data, and its value.
        package var last: DayValue
        /// The number of days with data.
        package var days: Int
        /// The 10th to the 90th percentile of the period's days; nil with fewer than seven.
        package var typicalRange: TypicalRange?
        /// The same for as many days before the period.
        package var typicalRangeBefore: TypicalRange?
    }

    /// The value of one day: a sum of amounts, an average of readings, or seconds asleep.
    package struct DayValue: Hashable, Sendable, Codable {
        /// The day.
        package var day: CivilDate
        /// The value, in the metric's unit.
        package var value: Double
    }

    /// The pairs of systolic and diastolic pressure.
    package struct Pressures: Hashable, Sendable, Codable {
        /// The average of the pairs in a part of the day.
        package struct Part: Hashable, Sendable, Codable {
            /// The number of pairs.
            package var pairs: Int
            /// The average systolic pressure, in mmHg.
            package var systolic: Double
            /// The average diastolic pressure, in mmHg.
            package var diastolic: Double
        }

        /// The number of pairs in the period.
        package var pairs: Int
        /// The pairs from 4:00 to 12:00 on local clocks; nil if there are none.
        package var morning: Part?
        /// The pairs from 16:00 to 24:00 on local clocks; nil if there are none.
        package var evening: Part?
    }

    /// The number of glucose readings in the range of 70 to 180 mg/dL, both included.
    package struct Glucose: Hashable, Sendable, Codable {
        /// The number of readings.
        package var readings: Int
        /// The number of readings below the range.
        package var below: Int
        /// The number of readings in the range.
        package var inRange: Int
        /// The number of readings above the range.
        package var above: Int
    }

    /// The number of electrocardiograms with a classification, or of doses of a medication.
    package struct Count: Hashable, Sendable, Codable {
        /// The classification or medication as recorded; nil if it is not known.
        package var name: String?
        /// The number.
        package var count: Int
        /// The number of doses that were logged as taken; nil for electrocardiograms.
        package var taken: Int?
        /// The number of doses that were logged as skipped; nil for electrocardiograms.
        package var skipped: Int?
    }

    /// Days without data.
    package struct Gap: Hashable, Sendable, Codable {
        /// The first day without data.
        package var first: CivilDate
        /// The last day without data.
        package var last: CivilDate
    }

    /// Values over time.
    package struct Chart: Hashable, Sendable, Codable {
        /// The metric, which determines the unit.
        package var metric: Metric
        /// The number of days that each point covers.
        package var daysPerPoint: Int
        /// The points in order: the average of the days with data, and the lowest and highest
        /// value. For blood pressure, the systolic average with the diastolic one as the minimum.
        package var points: [HealthSeries.Point]
    }
}

extension ReportPage {
    /// The number of days of the period.
    var dayCount: Int { max(1, last.dayNumber - first.dayNumber + 1) }
}
