/// The HTML around a drawing: a title and a description for screen readers, a legend, value labels,
/// a line for the value under the pointer, and a collapsible table of the data.
struct ChartFigure {
    /// The height of the drawing area in CSS pixels.
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

    /// A row of the table and its position in the drawing.
    struct Row {
        /// The position in percent of the drawing's width, at which the script shows the row; nil
        /// for none.
        var x: Double?
        var head: String
        /// The page of the row; nil for none.
        var address: HTML?
        var cells: [HTML]
    }

    /// The space above the drawing area for the unit, in CSS pixels.
    static let topMargin = 24.0
    /// The space below the drawing area for the time labels, in CSS pixels.
    static let bottomMargin = 24.0

    var title: String
    var description: String
    var drawing: HTML
    var height: Double
    /// The value labels to the right of the drawing; nil for none.
    var axis: HTML?
    /// The width of the value labels in CSS pixels.
    var axisWidth = 56
    var legend = HTML.empty
    var head: String
    var columns: [Column]
    var rows: [Row]
    /// Attributes with which the script turns a range selected with the mouse into an address.
    var attributes = HTML.empty

    var html: HTML {
        """
        <figure class="chart">\(legend)
        <div class="plot-row"><svg class="plot" width="100%" height="\(length: height)" role="img"\
        \(attributes)><title>\(title)</title><desc>\(description)</desc>\(drawing)</svg>\(axisColumn)</div>
        <output class="readout"></output>
        <details><summary>Show as table</summary>\(table)</details>
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
        let head: HTML =
            row.address.map { "<a href=\"\($0)\">\(row.head)</a>" } ?? "\(row.head)"
        return "<tr\(place)><th scope=\"row\">\(head)</th>\(cells)</tr>\n"
    }
}

extension HTML {
    /// A drawing that scales only in width, for shapes with many points. Its x coordinates are from
    /// 0 to 1000, its y coordinates are CSS pixels.
    static func stretched(height: Double, top: Double, _ content: HTML) -> HTML {
        """
        <svg x="0" y="\(length: top)" width="100%" height="\(length: height)" \
        viewBox="0 0 1000 \(length: height)" preserveAspectRatio="none">\(content)</svg>
        """
    }

    /// A rectangle. Horizontal lengths are in percent of the drawing's width, vertical ones in CSS
    /// pixels.
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
    /// The tick lines with their labels below.
    func drawing(top: Double, height: Double) -> HTML {
        let bottom = top + height
        var drawing = HTML.empty
        for (index, tick) in ticks.enumerated() {
            let x = self.x(tick.time)
            drawing += """
                <line class="grid" x1="\(length: x)%" x2="\(length: x)%" y1="\(length: top)" \
                y2="\(length: bottom + 6)"/>
                """
            // An hour's label is centred under its line, and near the left edge starts at it. A
            // day's label starts at its line. The last label may extend into the space below the
            // value labels.
            let isHour = tick.isTime
            // Narrow charts leave out every second time.
            let second = isHour && ticks.count > 3 && index % 2 == 1 ? " second" : ""
            let kind = (isHour && x > 4 ? "tick under" : "tick") + second
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
    /// The horizontal grid lines, with a stronger line at the low end of the axis.
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

    /// The value labels, with the unit above them.
    func labels(top: Double, height: Double, unit: ChartUnit) -> HTML {
        var labels: HTML =
            "<text class=\"unit\" x=\"100%\" y=\"12\" text-anchor=\"end\">\(unit.symbol)</text>"
        for tick in ticks {
            labels += """
                <text class="tick" x="8" y="\(length: top + y(tick, height: height) + 4)">\
                \(unit.tick(tick, step: step))</text>
                """
        }
        return labels
    }
}

/// The colours of sources by rank. Sources from rank 7 on share one colour.
enum SourceColour {
    /// Returns the CSS class that fills a shape with a rank's colour: "s1" to "s7".
    static func fill(_ rank: Int) -> HTML { "s\(min(max(rank, 1), 7))" }

    /// A legend entry: the source's colour and its name.
    static func key(_ rank: Int, _ name: String) -> HTML {
        """
        <span class="key">\(swatch(fill(rank)))\(name: name)</span>
        """
    }

    /// A small rectangle for a legend, with the fill of a CSS class, which may be hatching.
    static func swatch(_ kind: HTML, width: Int = 12) -> HTML {
        """
        <svg class="patch" width="\(width)" height="12" aria-hidden="true">\
        <rect class="\(kind)" x="0.5" y="0.5" width="\(width - 1)" height="11"/></svg>
        """
    }

    /// The legend's rectangle for the typical range. It is wide because a small square resembles a
    /// checkbox.
    static var typicalRange: HTML { swatch("usual-key", width: 24) }

    static func legend(_ sources: [(rank: Int, name: String)]) -> HTML {
        sources.isEmpty
            ? .empty
            : "<div class=\"legend\">\(sources.map { key($0.rank, $0.name) })</div>"
    }
}
