import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The notes on the days of a chart's points: marks above the points, and a column of the table.
///
/// The texts are cut, because a month or a group of points can have many notes. The pages of the
/// days have the whole texts.
struct NotedPoints {
    /// The maximum number of points with notes. Only the latest are marked.
    private static let maximumPoints = 200
    /// The maximum number of notes of a point.
    private static let maximumNotes = 3
    /// The maximum number of characters of each note.
    private static let maximumLength = 80

    /// The notes of each point as one text, by the point's index.
    private let texts: [Int: String]

    /// - Parameters:
    ///   - notes: The notes in order of day.
    ///   - points: The points in order of time.
    ///   - step: The length of the points. Points shorter than a day have no notes.
    ///   - calendar: Determines the days of the points.
    init(
        _ notes: [DayNote], of points: [HealthSeries.Point], _ step: CalendarStep,
        _ calendar: Calendar
    ) {
        guard step != .hour, !notes.isEmpty else {
            texts = [:]
            return
        }
        var texts: [Int: String] = [:]
        var rest = notes[...]
        for (index, point) in points.enumerated() where point.start < point.end {
            let days = calendar.days(of: DateInterval(start: point.start, end: point.end))
            rest = rest.drop { $0.day < days.lowerBound }
            let own = rest.prefix { $0.day <= days.upperBound }
            if !own.isEmpty { texts[index] = Self.text(own, in: days) }
        }
        let first = texts.keys.sorted().suffix(Self.maximumPoints).first ?? 0
        self.texts = texts.filter { $0.key >= first }
    }

    var isEmpty: Bool { texts.isEmpty }

    /// Returns the notes of a point as one text; nil for none.
    func text(at index: Int) -> String? { texts[index] }

    /// Returns the notes as one text: "Ran a fever" of a day, "Sat 9 Mar 2024: Ran a fever; …" of more
    /// days.
    private static func text(
        _ notes: ArraySlice<DayNote>, in days: ClosedRange<CivilDate>
    ) -> String {
        var parts = notes.prefix(maximumNotes).map { note in
            let text = cut(note.text)
            return days.lowerBound == days.upperBound
                ? text : "\(PageDateText.short(note.day)): \(text)"
        }
        if notes.count > maximumNotes { parts.append("\(notes.count - maximumNotes) more") }
        return parts.joined(separator: "; ")
    }

    /// Returns a text on one line, cut after some characters.
    private static func cut(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let scalars = line.unicodeScalars
        if scalars.count <= maximumLength { return line }
        return String(scalars.prefix(maximumLength)) + "…"
    }
}

// The parts of the chart.
extension NotedPoints {
    /// The radius of a mark in CSS pixels.
    private static let radius = 4.0
    /// The distance of a mark from its point in CSS pixels.
    private static let distance = 10.0

    /// Returns a mark for each point with notes: above the point, and for a point without a value
    /// at the foot of the drawing. A mark leads to the page of its point.
    func marks(
        _ points: [HealthSeries.Point], _ plot: SVGSeries.Plot,
        _ address: (HealthSeries.Point) -> HTML?
    ) -> HTML {
        points.enumerated().compactMap { index, point -> HTML? in
            guard let text = texts[index] else { return nil }
            let value = (point.maximum ?? point.value).flatMap { $0.isFinite ? $0 : nil }
            let top = value.map { plot.y($0) } ?? plot.top + plot.height
            let x = (plot.time.x(point.start) + plot.time.x(point.end)) / 2
            let mark: HTML = """
                <circle class="noted" cx="\(length: x)%" \
                cy="\(length: max(Self.radius + 1, top - Self.distance))" \
                r="\(length: Self.radius)"><title>\(plain: text)</title></circle>
                """
            return address(point).map { address -> HTML in
                "<a href=\"\(address)\" tabindex=\"-1\" aria-hidden=\"true\">\(mark)</a>"
            } ?? mark
        }.joined(.empty)
    }

    /// The legend's entry for marks.
    static let key: HTML = """
        <span class="key"><svg class="patch" width="12" height="12" aria-hidden="true">\
        <circle class="noted" cx="6" cy="6" r="4"/></svg>with a note</span>
        """

    /// The column of the table; none without notes.
    var columns: [ChartFigure.Column] {
        isEmpty ? [] : [ChartFigure.Column(title: "note", isNumber: false)]
    }

    /// Returns the rows of the points with a cell for the notes; unchanged without notes.
    func adding(to rows: [ChartFigure.Row]) -> [ChartFigure.Row] {
        if isEmpty { return rows }
        return rows.enumerated().map { index, row in
            var row = row
            row.cells.append(texts[index].map { "\(name: $0)" } ?? .empty)
            return row
        }
    }
}
