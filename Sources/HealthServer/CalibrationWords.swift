import HealthDashboard
import HealthEngine
package import HealthStorage

/// What a calibration found, in words and numbers for people.
package struct CalibrationWords {
    private let found: Calibration
    private let digits: Int

    package init(_ found: Calibration) {
        self.found = found
        let largest = (found.shown.map(\.value) + found.current.totals).max() ?? 0
        digits = max(
            found.shown.map(\.digits).max() ?? 0,
            found.unit == "count" ? 0 : UnitDigits.digits(found.unit, largest: largest))
    }

    package func number(_ value: Double) -> String { NumberText.grouped(value, digits: digits) }

    /// A day's total; counts rounded down, as the Health app does.
    package func total(_ outcome: Calibration.Outcome, _ day: Int) -> String {
        let total = outcome.totals[day]
        return number(found.unit == "count" ? total.rounded(.down) : total)
    }

    /// "fits", "+200".
    package func residual(_ outcome: Calibration.Outcome, _ day: Int) -> String {
        if outcome.fits[day] { return "fits" }
        let text = number(outcome.residuals[day])
        return outcome.residuals[day] > 0 ? "+" + text : text
    }

    /// What fits, and how well.
    package var sentence: String {
        let words = TypeWords.words(found.type)
        let count = found.shown.count
        let all = count == 1 ? "on that day" : "on all \(count) days"
        if found.keepsCurrent {
            return found.current.fitsEveryDay
                ? "Today's setting gives the \(words) that your Health app shows \(all)."
                : "No setting fits better than today's, which fits \(fitting(found.current))."
        }
        let fits =
            found.best.fitsEveryDay
            ? "Another setting gives the \(words) that your Health app shows \(all)"
            : "Another setting comes nearer and fits \(fitting(found.best))"
        return "\(fits): \(setting(found.best.setting)). Today's fits \(fitting(found.current))."
    }

    /// "2 of 3 days".
    private func fitting(_ outcome: Calibration.Outcome) -> String {
        let count = outcome.fits.filter { $0 }.count
        return (count == 0 ? "none" : String(count)) + " of "
            + counted(found.shown.count, "day", "days")
    }

    /// "iPhone before Watch; DayCounter left out".
    package func setting(_ setting: Calibration.Setting) -> String {
        let order = setting.order.map { PrintableText.text($0.name) }
        let left = setting.excluded.map { PrintableText.text($0.name) }
        let first = order.isEmpty ? "no source" : order.joined(separator: " before ")
        return left.isEmpty ? first : first + "; " + left.joined(separator: ", ") + " left out"
    }

    /// What must not go unsaid.
    package var notes: [String] {
        var notes: [String] = []
        if !found.best.fits.contains(true), found.withTolerance?.fits.contains(true) != true {
            notes.append(
                "No order of these sources explains any of these days: the export may be older than "
                    + "what the app shows, or the app counts a source that is not in it.")
        }
        if found.ties > 0 {
            let open = found.undecided.prefix(3).map(CalibrationWords.words)
            let more = found.undecided.count > 3 ? ", and more" : ""
            notes.append(
                counted(found.ties, "other setting fits", "other settings fit")
                    + " these days as well; the one that changes least is proposed."
                    + (open.isEmpty
                        ? ""
                        : " Not decided by these days: " + open.joined(separator: ", ") + more
                            + ". Days on which these recorded at the same time would tell."))
        }
        if let tolerant = found.withTolerance {
            let minutes = counted(
                Int(clamping: tolerant.setting.gapTolerance / 60), "minute", "minutes")
            notes.append(
                "Counting pauses of up to \(minutes) as worn fits better still, "
                    + "\(fitting(tolerant)): "
                    + "\(setting(tolerant.setting)). That can’t be saved: a store keeps who wins and "
                    + "who counts, not how long a pause is. "
                    + "Programs give it as gapTolerance of their HealthStoreConfiguration.")
        }
        notes += dayTotals
        if found.reach == .neighbours {
            notes.append(
                "There are too many sources to try every order: "
                    + "\(NumberText.grouped(Double(found.tried))) were tried, from today's on.")
        }
        return notes
    }

    /// What becomes of apps that write one total a day.
    private var dayTotals: [String] {
        if found.keepsCurrent { return [] }
        return found.dayTotals.map { source in
            let name = PrintableText.text(source.name)
            return found.best.setting.order.contains(source)
                ? "\(name) writes day totals and is left out today; here it counts."
                : "\(name) writes day totals and stays left out."
        }
    }

    /// "Watch or iPhone first".
    package static func words(_ undecided: Calibration.Undecided) -> String {
        switch undecided {
        case .participation(let source): "whether \(PrintableText.text(source.name)) counts"
        case .order(let a, let b):
            "\(PrintableText.text(a.name)) or \(PrintableText.text(b.name)) first"
        }
    }
}
