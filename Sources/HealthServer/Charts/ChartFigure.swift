/// What surrounds every drawing: its name and one sentence for those who don't see it, the line that
/// values are read out in, and the same data as a table behind a disclosure.
struct ChartFigure {
    /// How high the drawing is, in points; also the class that gives it room.
    enum Height: Double {
        case small = 72
        case regular = 176
        case large = 264
    }

    /// A column of the table.
    struct Column {
        var title: String
        var isNumber = true
    }

    /// A row of the table, and where in the drawing it stands.
    struct Row {
        /// Per cent of the drawing's width.
        var x: Double?
        var head: String
        var cells: [HTML]
    }

    /// Room above the data for the unit, and below it for the ticks of time.
    static let above = 24.0
    static let below = 24.0

    var title: String
    var description: String
    var drawing: HTML
    var height: Double
    /// Numbers at the right, at the same heights as the drawing, and their room.
    var axis: HTML?
    var axisWidth = 56
    var legend = HTML.empty
    var head: String
    var columns: [Column]
    var rows: [Row]
    /// What the script needs to turn a stretch of the drawing into an address.
    var attributes = HTML.empty

    var html: HTML {
        """
        <figure class="chart">\(legend)
        <div class="plot-row"><svg class="plot" width="100%" height="\(length: height)" role="img"\
        \(attributes)><title>\(title)</title><desc>\(description)</desc>\(drawing)</svg>\(axisColumn)</div>
        <output class="readout"></output>
        <details><summary>As a table</summary>\(table)</details>
        </figure>

        """
    }

    private var axisColumn: HTML? {
        axis.map {
            """
            <svg class="axis" width="\(axisWidth)" height="\(length: height)" aria-hidden="true">\($0)</svg>
            """
        }
    }

    private var table: HTML {
        let heads = columns.map { column -> HTML in "<th scope=\"col\">\(column.title)</th>" }
        return """
            <div class="scroll"><table><caption>\(title)</caption>\
            <thead><tr><th scope="col">\(head)</th>\(heads)</tr></thead><tbody>
            \(rows.map(row))</tbody></table></div>
            """
    }

    private func row(_ row: Row) -> HTML {
        let place = row.x.map { x -> HTML in " data-x=\"\(length: x)\"" }
        let cells = zip(row.cells, columns).map { cell, column -> HTML in
            column.isNumber ? "<td class=\"n\">\(cell)</td>" : "<td>\(cell)</td>"
        }
        return "<tr\(place)><th scope=\"row\">\(row.head)</th>\(cells)</tr>\n"
    }
}

extension HTML {
    /// A drawing that stretches in width only: shapes of many points, 1000 wide.
    static func stretched(height: Double, top: Double, _ content: HTML) -> HTML {
        """
        <svg x="0" y="\(length: top)" width="100%" height="\(length: height)" \
        viewBox="0 0 1000 \(length: height)" preserveAspectRatio="none">\(content)</svg>
        """
    }

    /// A rectangle in per cent of the width and in points of the height.
    static func bar(
        _ kind: HTML, x: Double, width: Double, y: Double, height: Double
    ) -> HTML {
        """
        <rect class="\(kind)" x="\(length: x)%" y="\(length: y)" width="\(length: width)%" \
        height="\(length: height)"/>
        """
    }
}

extension ChartTimeAxis {
    /// Borders as hairlines with their words below.
    func drawing(top: Double, height: Double) -> HTML {
        let bottom = top + height
        var drawing = HTML.empty
        for tick in ticks {
            let x = self.x(tick.time)
            drawing += """
                <line class="grid" x1="\(length: x)%" x2="\(length: x)%" y1="\(length: top)" \
                y2="\(length: bottom + 6)"/>
                """
            // An hour stands under its line, a day begins at it. Words of the last border may stand
            // below the numbers at the right.
            let isHour = tick.label.contains(":")
            let kind = isHour && x > 4 ? "tick under" : "tick"
            let shift = x < 1 ? (isHour ? -8 : 0) : isHour ? 0 : 4
            drawing += """
                <text class="\(kind)" x="\(length: x)%" dx="\(shift)" \
                y="\(length: bottom + 18)">\(tick.label)</text>
                """
        }
        return drawing
    }
}

extension ChartValueAxis {
    /// Level hairlines, the lowest one stronger.
    func grid(top: Double, height: Double) -> HTML {
        var grid = HTML.empty
        for tick in ticks {
            let y = top + self.y(tick, height: height)
            grid += """
                <line class="\(tick == low ? "base" : "grid")" x1="0" x2="100%" y1="\(length: y)" \
                y2="\(length: y)"/>
                """
        }
        return grid
    }

    /// The numbers, with the unit once above them.
    func words(top: Double, height: Double, unit: ChartUnit) -> HTML {
        var words: HTML =
            "<text class=\"unit\" x=\"100%\" y=\"12\" text-anchor=\"end\">\(unit.symbol)</text>"
        for tick in ticks {
            words += """
                <text class="tick" x="8" y="\(length: top + y(tick, height: height) + 4)">\
                \(unit.tick(tick, step: step))</text>
                """
        }
        return words
    }
}
