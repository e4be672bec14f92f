import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension TypeDetails {
    /// The time in range and the hours of the day; empty without readings.
    var glucoseSection: HTML {
        get throws {
            guard let reading = ReportReading(store, days, calendar) else { return .empty }
            var course = GlucoseCourse(calendar)
            try reading.forEachGlucose { course.add($0, at: $1) }
            guard course.readings > 0, let metric = Metric(type) else { return .empty }
            let share = { (count: Int) -> String in
                NumberText.grouped(Double(count) / Double(course.readings) * 100)
            }
            let figure = SVGSeries(
                series: course.series(of: metric, on: days.upperBound), calendar: calendar,
                pointLabels: .clock
            ).figure
            return """
                <section class="card d-vitals"><h2>Time in range</h2><p>\(share(course.inRange)) % of \
                \(counted(course.readings, "reading", "readings")) from 70 to 180 mg/dL; \
                \(share(course.below)) % below, \(share(course.above)) % above.</p>\
                <p class="small">Shares of readings, which for a sensor are shares of time. 70 to 180 \
                mg/dL is the range of the consensus on time in range (Battelino and others, 2019).</p>\
                <h3>Hours of the day: average, lowest and highest of all days</h3>\(figure)</section>

                """
        }
    }
}

/// Readings of glucose by hour of the day, and by range.
private struct GlucoseCourse {
    private let calendar: Calendar
    private var sums = [Double](repeating: 0, count: 24)
    private var counts = [Int](repeating: 0, count: 24)
    private var lowest = [Double](repeating: .infinity, count: 24)
    private var highest = [Double](repeating: -.infinity, count: 24)
    private(set) var below = 0, inRange = 0, above = 0

    var readings: Int { below + inRange + above }

    init(_ calendar: Calendar) { self.calendar = calendar }

    mutating func add(_ value: Double, at time: Double) {
        let date = Date(timeIntervalSinceReferenceDate: time)
        let hour = min(max(calendar.localTime(at: date).secondOfDay / 3600, 0), 23)
        sums[hour] += value
        counts[hour] += 1
        lowest[hour] = min(lowest[hour], value)
        highest[hour] = max(highest[hour], value)
        let range = ReportReading.glucoseRange
        if value < range.lowerBound {
            below += 1
        } else if value > range.upperBound {
            above += 1
        } else {
            inRange += 1
        }
    }

    /// The hours as points of a day, whose clock labels they need.
    func series(of metric: Metric, on day: CivilDate) -> HealthSeries {
        let start = calendar.midnight(day)
        let points = (0..<24).map { hour in
            HealthSeries.Point(
                start: start + Double(hour) * 3600, end: start + Double(hour + 1) * 3600,
                value: counts[hour] > 0 ? sums[hour] / Double(counts[hour]) : nil,
                minimum: counts[hour] > 0 ? lowest[hour] : nil,
                maximum: counts[hour] > 0 ? highest[hour] : nil)
        }
        return HealthSeries(metric: metric, step: .hour, points: points)
    }
}
