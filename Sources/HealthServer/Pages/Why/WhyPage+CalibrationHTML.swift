import HealthDashboard
import HealthEngine

extension WhyPage {
    /// The form for the amounts in the Health app, and the result.
    func calibrationSection(_ frame: PageFrame) -> HTML {
        let result: HTML? = calibration.map(resultSection)
        return PageFrame.section("Different number in the Health app?", "\(result)\(form(frame))")
    }

    /// The form. It needs no script and saves nothing.
    private func form(_ frame: PageFrame) -> HTML {
        // At least three rows, with an empty one at the end unless the maximum is reached.
        let blank = max(1, 3 - calibrationForm.rows.count)
        let rows =
            calibrationForm.rows
            + Array(repeating: CalibrationForm.Row(day: "", amount: ""), count: blank)
        let all: HTML? = calibrationForm.problem.map {
            "<p class=\"problem\" role=\"alert\">\($0)</p>"
        }
        let terminal: HTML? =
            frame.audience == .person
            ? nil
            : """

            <details><summary>In a terminal</summary><code>openhealth sources calibrate \(name) \
            \(day.description)=NUMBER\(commandOptions)</code></details>
            """
        return """
            <form action="\(Self.path)" method="get">\
            <p>Enter the numbers in the Health app for a few days, ideally days on which two \
            devices recorded. The comparison finds the order and choice of sources that gives \
            these numbers. It saves nothing.</p>\(all)\
            \(hidden([.init("metric", name), .init("day", day.description)] + fields(proposal)))\
            \(rows.prefix(CalibrationForm.maximumRows).enumerated().map { row($0.element, $0.offset + 1) })\
            <button type="submit">Compare</button></form>\(terminal)
            """
    }

    private func row(_ row: CalibrationForm.Row, _ number: Int) -> HTML {
        // A date field would discard text that isn't a valid date, so such text gets a text field.
        let kind = row.day.isEmpty || CivilDate(row.day) != nil ? "date" : "text"
        let mark: HTML? = row.problem.map { _ in
            " aria-invalid=\"true\" aria-describedby=\"problem-\(number)\""
        }
        let problem: HTML? = row.problem.map {
            "<p class=\"problem\" id=\"problem-\(number)\">\($0)</p>"
        }
        return """
            <div class="typed"><label>Day \(number)<br/>\
            <input type="\(kind)" name="on" value="\(row.day)"\(mark)/></label>\
            <label>\(amountLabel)<br/><input type="text" inputmode="decimal" name="shows" \
            value="\(row.amount)" size="10" autocomplete="off"\(mark)/></label>\(problem)</div>

            """
    }

    private var amountLabel: String {
        metric.unit == "count"
            ? "\(metric.displayName.capitalizedFirst) in the app"
            : "\(metric.displayName.capitalizedFirst) in the app, \(metric.unit)"
    }

    private func resultSection(_ calibration: CalibrationResult) -> HTML {
        let rows = calibration.days.map { each -> HTML in
            """
            <tr><th scope="row">\(PageDateText.short(each.day))</th>\
            <td class="n">\(each.shownText)</td>\
            <td class="n">\(each.currentText)</td><td class="n">\(each.currentOffText)</td>\
            <td class="n">\(each.bestText)</td><td class="n">\(each.bestOffText)</td></tr>

            """
        }
        let heads = ["Health app", "current", "off by", "best", "off by"]
            .map { head -> HTML in "<th scope=\"col\" class=\"n\">\(head)</th>" }
        let notes = calibration.notes.map { note -> HTML in "<p class=\"small\">\(name: note)</p>" }
        let look: HTML? = calibration.proposal.map { found in
            found == proposal
                ? "<p>The preview above uses this setting. It is not saved yet.</p>"
                : "<p><a class=\"act\" href=\"\(address(found))\">Preview this day with this setting</a></p>"
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
