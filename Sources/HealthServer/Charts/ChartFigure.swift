/// The HTML around a drawing: a title, a text description for accessibility, a line for the value
/// under the pointer, and a collapsible table of the data.
struct ChartFigure {
    /// The height of the drawing in points.
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
        /// The position in percent of the drawing's width.
        var x: Double?
        var head: String
        var cells: [HTML]
    }

    /// The space above the data for the unit, and below it for the time labels, in points.
    static let above = 24.0
    static let below = 24.0

    var title: String
    var description: String
    var drawing: HTML
    var height: Double
    /// The value labels at the right and their width in points.
    var axis: HTML?
    var axisWidth = 56
    var legend = HTML.empty
    var head: String
    var columns: [Column]
    var rows: [Row]
    /// The attributes that the script needs to turn a selected range into an address.
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
        return "<tr\(place)><th scope=\"row\">\(row.head)</th>\(cells)</tr>\n"
    }
}

extension HTML {
    /// A drawing that scales in width only, for shapes with many points. Its coordinates are 1000
    /// wide.
    static func stretched(height: Double, top: Double, _ content: HTML) -> HTML {
        """
        <svg x="0" y="\(length: top)" width="100%" height="\(length: height)" \
        viewBox="0 0 1000 \(length: height)" preserveAspectRatio="none">\(content)</svg>
        """
    }

    /// A rectangle, horizontally in percent of the width and vertically in points.
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
        for tick in ticks {
            let x = self.x(tick.time)
            drawing += """
                <line class="grid" x1="\(length: x)%" x2="\(length: x)%" y1="\(length: top)" \
                y2="\(length: bottom + 6)"/>
                """
            // An hour's label is centred under its line; a day's label starts at it. The last label
            // may extend below the value labels.
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
    /// The horizontal grid lines, with a stronger baseline.
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

/// Colours of sources by rank. Sources from rank 7 on share a colour.
enum SourceColour {
    /// Returns the fill class of a rank, "s1" to "s7".
    static func fill(_ rank: Int) -> HTML { "s\(min(max(rank, 1), 7))" }

    /// A legend entry: the source's colour and its name.
    static func key(_ rank: Int, _ name: String) -> HTML {
        """
        <span class="key">\(patch(fill(rank)))\(name: name)</span>
        """
    }

    /// A legend patch with the fill of a shape, including hatching.
    static func patch(_ kind: HTML, width: Int = 12) -> HTML {
        """
        <svg class="patch" width="\(width)" height="12" aria-hidden="true">\
        <rect class="\(kind)" x="0.5" y="0.5" width="\(width - 1)" height="11"/></svg>
        """
    }

    /// The legend patch of the typical range. It is wide because a small square resembles a
    /// checkbox.
    static var usual: HTML { patch("usual-key", width: 24) }

    static func legend(_ sources: [(rank: Int, name: String)]) -> HTML {
        sources.isEmpty
            ? .empty
            : "<div class=\"legend\">\(sources.map { key($0.rank, $0.name) })</div>"
    }
}
