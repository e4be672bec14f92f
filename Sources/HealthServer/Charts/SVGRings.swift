import HealthDashboard

/// A drawing of the three activity rings of a day, with Move outermost. Each ring shows the share
/// of its goal, at most the whole ring.
struct SVGRings {
    let rings: ActivityRings

    private var parts: [(name: String, ring: ActivityRings.Ring, unit: String)] {
        [
            ("Move", rings.move, rings.isMoveTime ? "min" : "kcal"),
            ("Exercise", rings.exercise, "min"), ("Stand", rings.stand, "hours"),
        ]
    }

    var figure: HTML {
        var (circles, words) = (HTML.empty, HTML.empty)
        for (index, part) in parts.enumerated() {
            let radius = 64.0 - Double(index) * 16
            circles += """
                <circle class="ring-rest" cx="72" cy="72" r="\(length: radius)"/>
                """
            if let share = part.ring.share, share > 0, share.isFinite {
                circles += """
                    <circle class="ring ring\(index + 1)" cx="72" cy="72" r="\(length: radius)" \
                    pathLength="100" stroke-dasharray="\(length: min(share, 1) * 100) 100" \
                    transform="rotate(-90 72 72)"/>
                    """
            }
            words += """
                <li><span>\(part.name)</span> <b>\(NumberText.grouped(part.ring.value))</b> \
                \(goal(part.ring))\(part.unit)</li>
                """
        }
        return """
            <figure class="chart rings"><svg width="144" height="144" role="img">\
            <title>Activity rings</title><desc>\(description)</desc>\(circles)</svg>\
            <ul class="ring-words">\(words)</ul></figure>

            """
    }

    private func goal(_ ring: ActivityRings.Ring) -> String {
        ring.goal.map { "of \(NumberText.grouped($0)) " } ?? ""
    }

    private var description: String {
        parts.map { part in
            let share =
                part.ring.share.map { ", \(NumberText.grouped($0 * 100)) % of the goal" } ?? ""
            return "\(part.name) \(NumberText.grouped(part.ring.value)) \(part.unit)\(share)"
        }.joined(separator: "; ") + "."
    }
}
