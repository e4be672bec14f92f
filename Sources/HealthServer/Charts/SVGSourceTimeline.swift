import Foundation
import HealthDashboard
import HealthEngine

/// A day's timeline with one row for each source, by rank. Counted intervals have the source's
/// colour, duplicates are hatched. The last row shows the merged timeline. The rounded amounts at
/// the right add up to the total.
struct SVGSourceTimeline {
    private static let rowHeight = 48.0
    private static let headerHeight = 24.0
    /// Intervals that are closer together than this fraction of the day are drawn as one.
    private static let minimumGap = 1 / 2000.0

    let page: WhyPage
    let calendar: Calendar

    var figure: HTML {
        let time = ChartTimeAxis(page.interval, calendar: calendar)
        let height = Self.headerHeight + Double(page.sources.count + 1) * Self.rowHeight
        var drawing = time.drawing(top: Self.headerHeight, height: height - Self.headerHeight)
        var sums: HTML = """
            <text class="unit" x="50%" dx="-4" y="14" text-anchor="end">counted</text>\
            <text class="unit" x="100%" y="14" text-anchor="end">duplicates</text>
            """
        var merged = HTML.empty
        for (index, row) in page.sources.enumerated() {
            let y = Self.headerHeight + Double(index) * Self.rowHeight
            drawing += head("\(row.rank)\u{2002}", row.source, y)
            drawing += spans(row.recorded.map { ($0.start, $0.end) }, "aside", y, time)
            let counted = row.counted.map { ($0.start, $0.end) }
            drawing += spans(counted, SourceColour.fill(row.rank), y, time)
            merged += spans(
                counted, SourceColour.fill(row.rank),
                height - Self.rowHeight, time)
            sums += numbers(row.contributedText, row.duplicateText, y)
        }
        let y = height - Self.rowHeight
        drawing += """
            <line class="base" x1="0" x2="100%" y1="\(length: y)" y2="\(length: y)"/>\
            <text class="lane" x="0" y="\(length: y + 15)">Merged</text>\(merged)
            """
        sums += """
            <line class="base" x1="0" x2="100%" y1="\(length: y)" y2="\(length: y)"/>\
            \(numbers(page.mergedText, page.duplicateText, y))
            """
        return figure(drawing, sums, height: height + ChartFigure.bottomMargin, time)
    }

    private func figure(
        _ drawing: HTML, _ sums: HTML, height: Double, _ time: ChartTimeAxis
    ) -> HTML {
        """
        <figure class="chart lanes">\(legend)
        <div class="plot-row"><svg class="plot" width="100%" height="\(length: height)" role="img">\
        <title>Why this number</title><desc>\(description)</desc>\(drawing)</svg>\
        <svg class="sums" width="152" height="\(length: height)" aria-hidden="true">\(sums)</svg></div>
        <output class="readout"></output>
        <details><summary>Show as table</summary>\(table(time))</details>
        </figure>

        """
    }

    private var legend: HTML {
        """
        <div class="legend">\(page.sources.map { SourceColour.key($0.rank, $0.source) })\
        <span class="key">\(SourceColour.swatch("aside"))duplicate of a source above</span>\
        </div>
        """
    }

    private func head(_ rank: String, _ source: String, _ y: Double) -> HTML {
        """
        <text class="lane" x="0" y="\(length: y + 15)">\(rank)\(plain: source)</text>
        """
    }

    private func numbers(_ counted: String, _ duplicate: String, _ y: Double) -> HTML {
        """
        <text class="sum" x="50%" dx="-4" y="\(length: y + 36)" text-anchor="end">\(counted)</text>\
        <text class="sum-aside" x="100%" y="\(length: y + 36)" text-anchor="end">\(duplicate)</text>
        """
    }

    private func spans(
        _ spans: [(start: Date, end: Date)], _ kind: HTML, _ y: Double, _ time: ChartTimeAxis
    ) -> HTML {
        var drawing = HTML.empty
        for span in Self.coalesced(spans, within: page.interval) {
            let x = time.x(span.start)
            drawing += HTML.bar(
                kind, x: x, width: max(0.15, time.x(span.end) - x), y: y + 20, height: 20)
        }
        return drawing
    }

    /// Clips intervals to a range, sorts them by start, and joins those with a gap too small to be
    /// seen.
    static func coalesced(
        _ spans: [(start: Date, end: Date)], within range: DateInterval
    ) -> [(start: Date, end: Date)] {
        let gap = range.duration * minimumGap
        var joined: [(start: Date, end: Date)] = []
        for span in spans.sorted(by: { $0.start < $1.start })
        where span.end >= range.start && span.start <= range.end {
            let (start, end) = (max(span.start, range.start), min(span.end, range.end))
            if let last = joined.last, start.timeIntervalSince(last.end) < gap {
                joined[joined.count - 1].end = max(last.end, end)
            } else {
                joined.append((start, end))
            }
        }
        return joined
    }

    private var description: String {
        let rows = page.sources.map {
            "\($0.source) \($0.contributedText) counted and \($0.duplicateText) duplicates"
        }
        return rows.joined(separator: "; ")
            + "; total \(page.mergedText) without double counting."
    }

    /// A table of the merged timeline: the first 600 counted intervals, with their sources.
    private func table(_ time: ChartTimeAxis) -> HTML {
        let unit = ChartUnit(
            page.metric, largest: page.sources.flatMap(\.counted).map(\.value).max() ?? 0)
        let counted = page.sources.flatMap { row in row.counted.map { (row, $0) } }
            .sorted { $0.1.start < $1.1.start }
        let rows = counted.prefix(SVGSeries.maximumMarks).map { row, span -> HTML in
            """
            <tr data-x="\(length: (time.x(span.start) + time.x(span.end)) / 2)"><th scope="row">\
            \(PageDateText.clock(span.start, calendar))–\(PageDateText.clock(span.end, calendar))</th>\
            <td class="n">\(unit.text(span.value))</td><td>\(name: row.source)</td></tr>

            """
        }
        let rest = counted.count - rows.count
        let more: HTML? = rest > 0 ? "<p>and \(rest) more in the page's JSON.</p>" : nil
        return """
            <div class="scroll"><table><caption>Counted intervals</caption><thead><tr>\
            <th scope="col">Time</th><th scope="col">\
            \(page.unit == "count" ? page.metric.displayName : page.unit)</th>\
            <th scope="col">source</th></tr></thead><tbody>\(rows)</tbody></table></div>\(more)
            """
    }
}
