import Foundation
import HealthDashboard

/// The splits of a workout as a table, with links to the other unit.
struct WorkoutSplitTable {
    /// The maximum number of rows; the page's JSON has all splits.
    static let maximumRows = 60

    let detail: WorkoutDetail
    let unit: WorkoutSplit.Unit

    /// The section of the page; empty without splits.
    var section: HTML {
        if splits.isEmpty { return .empty }
        let rest = splits.count - Self.maximumRows
        let more: HTML =
            rest > 0 ? "<p class=\"small\">and \(rest) more, in the page’s JSON</p>" : .empty
        return """
            <section class="card d-activity" id="splits"><h2>Splits</h2>\
            <ul class="tabs">\(tabs)</ul>
            <div class="scroll"><table><thead><tr>\(heads)</tr></thead>\
            <tbody>\(rows)</tbody></table></div>\(more)</section>

            """
    }

    private var splits: [WorkoutSplit] {
        unit == .kilometre ? detail.splits : detail.mileSplits
    }

    private var speed: WorkoutSpeed { WorkoutSpeed(of: detail.summary.activity) }
    private var climb: DisplayUnit { DisplayUnit("m") }
    private var hasHeartRate: Bool { splits.contains { $0.averageHeartRate != nil } }
    private var hasClimb: Bool { splits.contains { $0.elevationGain != nil } }

    private static let units: [(WorkoutSplit.Unit, HTML)] = [
        (.kilometre, "Kilometres"), (.mile, "Miles"),
    ]

    private var tabs: [HTML] {
        Self.units.map { unit, name -> HTML in
            let current: HTML = unit == self.unit ? " aria-current=\"true\"" : .empty
            return """
                <li><a href="\(WorkoutsPage.path)/\(detail.summary.id.uuidString)?splits=\
                \(unit.rawValue)#splits"\(current)>\(name)</a></li>
                """
        }
    }

    private var heads: HTML {
        var names = ["min:s", speed.unit(per: unit)]
        if hasHeartRate { names.append("bpm") }
        if hasClimb { names.append("\(climb.symbol) climb") }
        let cells = names.map { name -> HTML in "<th scope=\"col\" class=\"n\">\(name)</th>" }
        return "<th scope=\"col\">\(unit == .kilometre ? "km" : "mi")</th>\(cells)"
    }

    private var rows: [HTML] {
        let (hasHeartRate, hasClimb, speed) = (hasHeartRate, hasClimb, speed)
        return splits.prefix(Self.maximumRows).enumerated().map { index, split -> HTML in
            var cells = [
                WorkoutText.minutes(split.seconds),
                speed.number(metres: split.distance, seconds: split.seconds, per: unit) ?? "–",
            ]
            if hasHeartRate { cells.append(number(split.averageHeartRate)) }
            if hasClimb { cells.append(number(split.elevationGain.map(climb.displayed))) }
            let columns = cells.map { cell -> HTML in "<td class=\"n\">\(cell)</td>" }
            return "<tr><th scope=\"row\">\(head(split, at: index))</th>\(columns)</tr>\n"
        }
    }

    private func number(_ value: Double?) -> String {
        value.map { NumberText.grouped($0) } ?? "–"
    }

    /// The number of a split, or the length of the last one if it is shorter.
    private func head(_ split: WorkoutSplit, at index: Int) -> HTML {
        guard split.isPartial else { return "\(index + 1)" }
        let length = NumberText.grouped(split.distance / unit.metres, digits: 2)
        return "\(length) <span class=\"small\">last, shorter</span>"
    }
}
