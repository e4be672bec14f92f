import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// What the page of a type shows besides its chart: pairs of blood pressure, time in range and the course of
/// a day for glucose, and the recorded values of categories such as symptoms and the cycle.
struct TypeDetails {
    let store: SampleStore
    let type: SampleType
    let days: ClosedRange<CivilDate>
    let calendar: Calendar

    /// The number of samples from which on categories aren't listed by value.
    private static let maximumSamples = 5_000
    private static let pressures: Set<String> = [
        "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
    ]

    /// The sections; empty for a type without any, and if they can't be read.
    var html: HTML {
        do {
            switch type.name {
            case let name where Self.pressures.contains(name): return try pressureSection
            case "bloodGlucose": return try glucoseSection
            default: return type.kind == .category ? try valueSection : .empty
            }
        } catch {
            return "<p class=\"small\">The details can’t be read.</p>"
        }
    }

    // MARK: - Blood pressure

    private var pressureSection: HTML {
        get throws {
            guard let section = try ReportReading(store, days, calendar)?.pressures(),
                let pressures = section.pressures, section.measures.count == 2
            else { return .empty }
            let (upper, lower) = (section.measures[0], section.measures[1])
            func row(_ name: HTML, _ pairs: Int, _ systolic: Double, _ diastolic: Double) -> HTML {
                """
                <tr><th scope="row">\(name)</th><td class="n">\(NumberText.grouped(systolic))</td>\
                <td class="n">\(NumberText.grouped(diastolic))</td><td class="n">\(pairs)</td></tr>

                """
            }
            let parts: [(HTML, ReportPage.Pressures.Part?)] = [
                ("Morning, 4:00 to 12:00", pressures.morning),
                ("Evening, 16:00 to 24:00", pressures.evening),
            ]
            let times = parts.compactMap { name, part in
                part.map { row(name, $0.pairs, $0.systolic, $0.diastolic) }
            }
            return """
                <section class="card d-heart"><h2>Pairs</h2><div class="scroll"><table><thead><tr>\
                <th scope="col">Average</th><th scope="col" class="n">systolic mmHg</th>\
                <th scope="col" class="n">diastolic mmHg</th><th scope="col" class="n">pairs</th></tr>\
                </thead><tbody>\(row("All", pressures.pairs, upper.average, lower.average))\(times)\
                </tbody></table></div><p class="small">Lowest \(NumberText.grouped(upper.lowest))/\
                \(NumberText.grouped(lower.lowest)), highest \(NumberText.grouped(upper.highest))/\
                \(NumberText.grouped(lower.highest)). A pair that two apps recorded counts once.</p>\
                </section>

                """
        }
    }

    // MARK: - Glucose

    private var glucoseSection: HTML {
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

    // MARK: - Categories

    private var valueSection: HTML {
        get throws {
            guard let enumeration = type.valueEnumeration,
                let range = calendar.interval(of: days), type.identifier != Metric.sleep.identifier
            else { return .empty }
            let query = SampleQuery(
                type, from: range.start.timeIntervalSinceReferenceDate,
                to: range.end.timeIntervalSinceReferenceDate)
            let samples = try store.samples(query, limit: Self.maximumSamples).samples
            guard !samples.isEmpty, samples.count < Self.maximumSamples else { return .empty }
            let byValue = Dictionary(grouping: samples) { Int(clamping: $0.value) }
            let rows = byValue.sorted { $0.key < $1.key }.map { value, samples -> HTML in
                let name = Catalogue.value(value, of: enumeration)?.name
                let days = Set(samples.map { calendar.civilDate(of: $0) }).count
                return """
                    <tr><th scope="row">\(name.map { TypeText.split($0).capitalizedFirst } ?? "Value \(value)")\
                    </th><td class="n">\(samples.count)</td><td class="n">\(days)</td></tr>

                    """
            }
            return """
                <section class="card"><h2>Recorded values</h2><div class="scroll"><table><thead><tr>\
                <th scope="col">Value</th><th scope="col" class="n">samples</th>\
                <th scope="col" class="n">days</th></tr></thead><tbody>\(rows)</tbody></table></div>\
                </section>

                """
        }
    }
}

extension Calendar {
    fileprivate func civilDate(of sample: Sample) -> CivilDate {
        civilDate(of: Date(timeIntervalSinceReferenceDate: sample.start))
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
