import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

extension WorkoutsPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        var main = HTML.empty
        if let detail {
            main += detailCards(detail, calendar)
        } else if before == nil {
            main += weeksCard(calendar)
        }
        if workouts.isEmpty, detail == nil, total ?? 0 == 0 {
            main += """
                <p>No data: either no workout was recorded or reading was not allowed; the system \
                doesn’t say which.</p>
                """
        } else {
            main += listCard(calendar)
        }
        if detail == nil, before == nil { main += recordsCard(calendar) }
        return frame.document(self, calendar: calendar, main)
    }

    /// A section in the colour of activities; empty if its content is.
    static func section(_ title: HTML, _ content: HTML) -> HTML {
        content.isEmpty
            ? .empty
            : "<section class=\"card d-activity\"><h2>\(title)</h2>\n\(content)</section>\n"
    }

    /// Returns the address of the list for a filter.
    func address(_ filter: WorkoutFilter, before: Date? = nil) -> HTML {
        var fields: [HTML] = []
        if let activity = filter.activity { fields.append("activity=\(query: activity)") }
        if let from = filter.from { fields.append("from=\(from.description)") }
        if let to = filter.to { fields.append("to=\(to.description)") }
        if let before {
            fields.append("before=\(query: "\(before.timeIntervalSinceReferenceDate)")")
        }
        return fields.isEmpty ? "\(Self.path)" : "\(Self.path)?\(fields.joined("&amp;"))"
    }
}

// The list.
extension WorkoutsPage {
    private func listCard(_ calendar: Calendar) -> HTML {
        let name = filter.activity.map { $0 + " workouts" } ?? "workouts"
        let title: HTML =
            before == nil
            ? "\(name.capitalizedFirst), newest first" : "Older \(name), newest first"
        let rows = workouts.map { row($0, calendar) }
        let list: HTML =
            rows.isEmpty
            ? "<p>No workouts here.</p>" : "<ul class=\"rows one-line\">\n\(rows)</ul>"
        return Self.section(title, "\(form)\(list)\(otherWorkouts)")
    }

    private func row(_ workout: WorkoutSummary, _ calendar: Calendar) -> HTML {
        let current: HTML = workout.id == detail?.summary.id ? " aria-current=\"true\"" : .empty
        // A phone has no room for it.
        let duration: HTML =
            workout.distance == nil
            ? .empty
            : "<span class=\"small when wide\">\(NumberText.hours(workout.duration)) h</span> "
        return """
            <li><a href="\(Self.path)/\(workout.id.uuidString)"\(current)>\
            <span>\(workout.activity.capitalizedFirst)</span> \(duration)<span class="small when">\
            \(PageDateText.short(calendar.localDate(at: workout.start)))</span> \
            <b>\(WorkoutText.amount(of: workout))</b></a></li>

            """
    }

    private var otherWorkouts: HTML {
        let older: HTML? = self.older.map {
            "<li><a href=\"\(address(filter, before: $0))\" rel=\"next\">older workouts →</a></li>"
        }
        let newest: HTML? =
            before == nil ? nil : "<li><a href=\"\(address(filter))\">← newest workouts</a></li>"
        let all: HTML? =
            filter.isEmpty ? nil : "<li><a href=\"\(Self.path)\">all workouts</a></li>"
        if older == nil, newest == nil, all == nil { return .empty }
        return "<ul class=\"tabs\">\(newest)\(older)\(all)</ul>"
    }

    /// The form of the filter, which works without scripts.
    private var form: HTML {
        var names = activities.map(\.name)
        if let activity = filter.activity, !names.contains(activity) { names.append(activity) }
        let options = names.map { name -> HTML in
            let selected: HTML = name == filter.activity ? " selected=\"selected\"" : .empty
            return "<option value=\"\(name)\"\(selected)>\(name.capitalizedFirst)</option>"
        }
        return """
            <form class="line" action="\(Self.path)" method="get">\
            <div><label for="activity">Activity</label><select id="activity" name="activity">\
            <option value="">All</option>\(options)</select></div>\
            \(date("from", "From", filter.from))\(date("to", "To", filter.to))\
            <button type="submit">Show</button></form>

            """
    }

    private func date(_ name: HTML, _ label: HTML, _ day: CivilDate?) -> HTML {
        """
        <div><label for="\(name)">\(label)</label>\
        <input id="\(name)" name="\(name)" type="date" value="\(day?.description ?? "")"/></div>
        """
    }
}
