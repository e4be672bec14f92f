import HealthDashboard

/// A day's amount as a stacked bar: the amount that each source contributed, then the duplicates,
/// hatched.
struct SVGShares {
    let total: DayTotal

    var figure: HTML {
        let unit = ChartUnit(total.metric, largest: total.recorded ?? 0)
        let whole = total.shares.reduce(0) { $0 + $1.counted } + total.duplicates
        guard whole > 0, whole.isFinite else { return .empty }
        let shown = RoundedShares(total, unit)
        var drawing = HTML.empty
        var x = 0.0
        for share in total.shares where share.counted > 0 {
            let width = min(100, share.counted / whole * 100)
            drawing += HTML.bar(SourceColour.fill(share.rank), x: x, width: width, y: 1, height: 30)
            x += width
        }
        if total.duplicates > 0 {
            drawing += HTML.bar("aside", x: x, width: max(0, 100 - x), y: 1, height: 30)
        }
        return ChartFigure(
            title: "\(total.metric.displayName.capitalizedFirst) by source",
            description: description(shown),
            drawing: drawing, height: 32, legend: legend(shown), head: "Source",
            columns: [
                .init(title: "counted"), .init(title: "duplicates"), .init(title: "recorded"),
            ],
            rows: rows(shown)
        ).html
    }

    private func legend(_ shown: RoundedShares) -> HTML {
        var legend = HTML.empty
        for (share, counted) in zip(total.shares, shown.counted) {
            legend += """
                <span class="key">\(SourceColour.swatch(SourceColour.fill(share.rank)))\
                \(name: share.source) <b>\(shown.text(counted))</b></span>
                """
        }
        if total.duplicates > 0 {
            legend += """
                <span class="key">\(SourceColour.swatch("aside"))duplicates removed \
                <b>\(shown.text(shown.duplicates))</b></span>
                """
        }
        return "<div class=\"legend\">\(legend)</div>"
    }

    private func description(_ shown: RoundedShares) -> String {
        let parts = zip(total.shares, shown.counted).map { "\($0.source) \(shown.text($1))" }
        return "\(shown.text(shown.value)) \(shown.unit.symbol) without double counting: "
            + parts.joined(separator: ", ")
            + "; \(shown.text(shown.duplicates)) duplicates removed."
    }

    private func rows(_ shown: RoundedShares) -> [ChartFigure.Row] {
        func row(_ head: String, _ counted: Double, _ aside: Double) -> ChartFigure.Row {
            ChartFigure.Row(
                head: head,
                cells: [counted, aside, counted + aside].map { "\(shown.text($0))" })
        }
        return total.shares.indices.map {
            row(total.shares[$0].source, shown.counted[$0], shown.duplicate[$0])
        } + [row("Total", shown.value, shown.duplicates)]
    }
}

/// A day's shares in units of the last displayed digit, rounded so that they add up.
private struct RoundedShares {
    let unit: ChartUnit
    let value: Double
    let duplicates: Double
    /// The counted amount of each of the day's shares, in their order.
    let counted: [Double]
    /// The duplicate amount of each share, in the same order.
    let duplicate: [Double]

    init(_ total: DayTotal, _ unit: ChartUnit) {
        func scaled(_ value: Double) -> Double {
            (0..<unit.digits).reduce(value * unit.factor) { value, _ in value * 10 }
        }
        self.unit = unit
        value = scaled(total.recorded ?? 0).rounded()
        duplicates = scaled((total.recorded ?? 0) + total.duplicates).rounded() - value
        counted = NumberText.apportioned(total.shares.map { scaled($0.counted) }, to: value)
        duplicate = NumberText.apportioned(
            total.shares.map { scaled($0.duplicate) }, to: duplicates)
    }

    func text(_ value: Double) -> String { NumberText.grouped(scaled: value, digits: unit.digits) }
}
