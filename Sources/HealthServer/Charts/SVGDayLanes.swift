import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// A chart of days with one row for each value, for what is recorded as one of a few values a day, such as
/// the severity of a symptom. A day can be in several rows. Of more than ``maximumDays`` days there is a
/// mark for each month, as high as its share of days.
struct SVGDayLanes {
    /// The days of a value.
    struct Lane: Hashable {
        /// The name of the value: "Moderate".
        var name: String
        /// Whether the value states that there is nothing: "Not present".
        var isAbsence = false
        var days: Set<CivilDate>
    }

    let title: String
    /// The rows from top to bottom.
    let lanes: [Lane]
    let days: ClosedRange<CivilDate>
    let calendar: Calendar
    /// The address that the mark of a day or a month leads to.
    let address: (CivilDate, SummaryPage.Period) -> HTML

    private static let rowHeight = 32.0
    /// The maximum number of days with a mark of their own.
    static let maximumDays = 100
    /// The maximum number of months; more would be narrower than a pixel on a phone.
    private static let maximumMonths = 240

    /// A day or a month.
    private struct Bucket {
        var days: ClosedRange<CivilDate>

        var count: Int { days.upperBound.dayNumber - days.lowerBound.dayNumber + 1 }

        func count(in lane: Lane) -> Int { lane.days.count { days.contains($0) } }
    }

    private var period: SummaryPage.Period { dayCount > Self.maximumDays ? .month : .day }
    private var dayCount: Int { days.upperBound.dayNumber - days.lowerBound.dayNumber + 1 }

    private var buckets: [Bucket] {
        var (found, first) = ([Bucket](), days.lowerBound)
        while first <= days.upperBound {
            let next =
                period == .day
                ? first.advanced(by: 1)
                : CivilDate(first.year, first.month, 1).advanced(by: 1, .month)
            found.append(Bucket(days: first...min(days.upperBound, next.advanced(by: -1))))
            first = next
        }
        return found
    }

    /// The chart; empty without rows and for too many days.
    var figure: HTML {
        guard !lanes.isEmpty, dayCount <= Self.maximumMonths * 28,
            let range = calendar.interval(of: days)
        else { return .empty }
        let buckets = buckets
        let time = ChartTimeAxis(range, calendar: calendar)
        let height = Double(lanes.count) * Self.rowHeight
        var (drawing, names) = (HTML.empty, HTML.empty)
        for (index, lane) in lanes.enumerated() {
            let y = Double(index) * Self.rowHeight
            drawing += """
                <line class="grid" x1="0" x2="100%" y1="\(length: y + Self.rowHeight)" \
                y2="\(length: y + Self.rowHeight)"/>
                """
            names += "<text class=\"lane\" x=\"8\" y=\"\(length: y + 21)\">\(lane.name)</text>"
        }
        drawing += time.drawing(top: 0, height: height)
        for (index, lane) in lanes.enumerated() {
            drawing += marks(lane, buckets, y: Double(index) * Self.rowHeight + 6, time)
        }
        return ChartFigure(
            title: title, description: description, drawing: drawing,
            height: height + ChartFigure.bottomMargin, axis: names,
            axisWidth: 8 + 8 * (lanes.map(\.name.count).max() ?? 0),
            head: period == .day ? "Day" : "Month",
            columns: [.init(title: "value", isNumber: false)], rows: rows(buckets, time)
        ).html
    }

    private func span(of bucket: Bucket) -> (start: Date, end: Date) {
        (
            calendar.midnight(bucket.days.lowerBound),
            calendar.midnight(bucket.days.upperBound.advanced(by: 1))
        )
    }

    private func marks(_ lane: Lane, _ buckets: [Bucket], y: Double, _ time: ChartTimeAxis) -> HTML
    {
        buckets.compactMap { bucket -> HTML? in
            let count = bucket.count(in: lane)
            if count == 0 { return nil }
            let (start, end) = span(of: bucket)
            let (left, right) = (time.x(start), time.x(end))
            let whole = Self.rowHeight - 12
            let height = max(2, whole * Double(count) / Double(bucket.count))
            let bar = HTML.bar(
                lane.isAbsence ? "usual-key" : "pair", x: left + (right - left) * 0.1,
                width: (right - left) * 0.8, y: y + whole - height, height: height)
            let address = address(bucket.days.lowerBound, period)
            return "<a href=\"\(address)\" tabindex=\"-1\" aria-hidden=\"true\">\(bar)</a>"
        }.joined(.empty)
    }

    /// "Severe on 2 days, mild on 5 days."
    private var description: String {
        let parts = lanes.enumerated().map { index, lane in
            let name = index == 0 ? lane.name : lane.name.lowercased()
            return "\(name) on \(counted(lane.days.filter(days.contains).count, "day", "days"))"
        }
        return parts.joined(separator: ", ") + "."
    }

    private func rows(_ buckets: [Bucket], _ time: ChartTimeAxis) -> [ChartFigure.Row] {
        buckets.compactMap { bucket in
            let (start, end) = span(of: bucket)
            let found = lanes.compactMap { lane -> String? in
                let count = bucket.count(in: lane)
                if count == 0 { return nil }
                return period == .day
                    ? lane.name : "\(lane.name) on \(counted(count, "day", "days"))"
            }
            if found.isEmpty { return nil }
            let first = bucket.days.lowerBound
            return ChartFigure.Row(
                x: (time.x(start) + time.x(end)) / 2,
                head: period == .day
                    ? PageDateText.short(first) : DateText.month(first.description),
                address: address(first, period), cells: ["\(found.joined(separator: ", "))"])
        }
    }
}
