/// The hatchings that charts fill shapes with, referred to by their `id`.
enum ChartPatterns {
    static let definitions: HTML = """
        <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/>\
        <path class="hatch-line" d="M1.5 0v6"/></pattern>\
        <pattern id="hatch-now" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect class="now-ground" width="6" height="6"/>\
        <path class="now-line" d="M1.5 0v6"/></pattern></defs>
        """
}
