/// A colour is a source, by its rank; from the seventh on sources share one, with their names beside.
enum SourceColour {
    /// The class that fills a shape: "s1" to "s7".
    static func fill(_ rank: Int) -> HTML { "s\(min(max(rank, 1), 7))" }

    /// A patch of the source's colour with its name.
    static func key(_ rank: Int, _ name: String) -> HTML {
        """
        <span class="key">\(patch(fill(rank)))\(name: name)</span>
        """
    }

    /// A patch as the shapes have it, hatching too.
    static func patch(_ kind: HTML, width: Int = 12) -> HTML {
        """
        <svg class="patch" width="\(width)" height="12" aria-hidden="true">\
        <rect class="\(kind)" x="0.5" y="0.5" width="\(width - 1)" height="11"/></svg>
        """
    }

    /// A stretch of the usual range: wide, since a small square would pass for a box to tick.
    static var usual: HTML { patch("usual-key", width: 24) }

    static func legend(_ sources: [(rank: Int, name: String)]) -> HTML {
        sources.isEmpty
            ? .empty
            : "<div class=\"legend\">\(sources.map { key($0.rank, $0.name) })</div>"
    }
}
