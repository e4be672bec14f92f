import HealthDashboard

/// One day's amount as a bar: what each source counted in its colour, and grey-hatched behind it what
/// was recorded twice.
struct SVGShares {
    let total: DayTotal

    var figure: HTML {
        let unit = ChartUnit(total.metric, largest: total.value ?? 0)
        let whole = total.shares.reduce(0) { $0 + $1.counted } + total.recordedTwice
        guard whole > 0, whole.isFinite else { return .empty }
        var drawing = HTML.empty
        var x = 0.0
        for share in total.shares where share.counted > 0 {
            let width = share.counted / whole * 100
            drawing += HTML.bar(SourceColour.fill(share.rank), x: x, width: width, y: 1, height: 30)
            x += width
        }
        if total.recordedTwice > 0 {
            drawing += HTML.bar("aside", x: x, width: max(0, 100 - x), y: 1, height: 30)
        }
        return ChartFigure(
            title: "Where \(total.metric.words) came from", description: description(unit),
            drawing: drawing, height: 32, legend: legend(unit), head: "Source",
            columns: [
                .init(title: "counted"), .init(title: "set aside"), .init(title: "recorded"),
            ],
            rows: rows(unit)
        ).html
    }

    private func legend(_ unit: ChartUnit) -> HTML {
        var legend = HTML.empty
        for share in total.shares {
            legend += """
                <span class="key">\(SourceColour.patch(SourceColour.fill(share.rank)))\
                \(name: share.source) <b>\(unit.text(share.counted))</b></span>
                """
        }
        if total.recordedTwice > 0 {
            legend += """
                <span class="key">\(SourceColour.patch("aside"))set aside \
                <b>\(unit.text(total.recordedTwice))</b></span>
                """
        }
        return "<div class=\"legend\">\(legend)</div>"
    }

    private func description(_ unit: ChartUnit) -> String {
        let parts = total.shares.map { "\($0.source) \(unit.text($0.counted))" }
        return "\(unit.amount(total.value ?? 0)) counted once: "
            + parts.joined(separator: ", ")
            + "; \(unit.text(total.recordedTwice)) more were recorded twice and set aside."
    }

    private func rows(_ unit: ChartUnit) -> [ChartFigure.Row] {
        var rows = total.shares.map { share in
            ChartFigure.Row(
                head: share.source,
                cells: [
                    "\(unit.text(share.counted))", "\(unit.text(share.setAside))",
                    "\(unit.text(share.counted + share.setAside))",
                ])
        }
        let value = total.value ?? 0
        rows.append(
            ChartFigure.Row(
                head: "Together",
                cells: [
                    "\(unit.text(value))", "\(unit.text(total.recordedTwice))",
                    "\(unit.text(value + total.recordedTwice))",
                ]))
        return rows
    }
}
