import HealthDashboard
import HealthEngine

extension WhyPage {
    /// How to find the order that gives what a person's Health app shows, and what was found.
    var calibrationSection: HTML {
        PageFrame.section("Another number in the Health app?", calibration.map(found) ?? advice)
    }

    private var advice: HTML {
        """
        <p>This command finds the order of sources that gives what your Health app shows; name a few \
        days, each with its number.</p>\
        <p><code class="command">openhealth sources calibrate \(name) \(day.description)=NUMBER</code></p>
        """
    }

    private func found(_ calibration: Calibrated) -> HTML {
        let rows = calibration.days.map { each -> HTML in
            """
            <tr><th scope="row">\(DateWords.short(each.day))</th>\
            <td class="n">\(each.shownText)</td>\
            <td class="n">\(each.currentText)</td><td class="n">\(each.currentOffText)</td>\
            <td class="n">\(each.bestText)</td><td class="n">\(each.bestOffText)</td></tr>

            """
        }
        let heads = ["your app", "order in force", "off by", "order found", "off by"]
            .map { head -> HTML in "<th scope=\"col\" class=\"n\">\(head)</th>" }
        let notes = calibration.notes.map { note -> HTML in "<p class=\"small\">\(name: note)</p>" }
        let look: HTML? = calibration.order.map {
            "<p><a href=\"\(address(day, order: $0))\">Look at the day with the order found</a></p>"
        }
        let commands = calibration.commands.map { command -> HTML in
            "<p><code class=\"command\">\(command)</code></p>"
        }
        return """
            <p class="what">\(name: calibration.sentence)</p>\
            <div class="scroll"><table><thead><tr><th scope="col">Day</th>\(heads)</tr></thead>\
            <tbody>\(rows)</tbody></table></div>\(notes)\(look)\(commands)
            """
    }
}
