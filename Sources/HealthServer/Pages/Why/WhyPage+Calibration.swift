package import Foundation
package import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

extension WhyPage {
    /// Calibrates with the rows of the page's form: finds the source order and exclusions that give
    /// the amounts entered. Rows with errors get a message, and the others are used.
    ///
    /// ```swift
    /// let form = WhyPage.CalibrationForm(
    ///     days: ["2024-03-10", "2024-03-11"], amounts: ["8432", "many"])
    /// try page.calibrate(form, store, in: berlin, now: .now)
    /// page.calibration?.days.count      // 1
    /// page.calibrationForm.rows[1].problem        // "“many” is not an amount. …"
    /// ```
    /// - Parameters:
    ///   - form: The rows as entered.
    ///   - store: The store to read.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time.
    /// - Throws: ``StoreError`` if the store can't be read.
    package mutating func calibrate(
        _ form: CalibrationForm, _ store: SampleStore, in calendar: CalendarBuckets, now: Date
    ) throws {
        self.calibrationForm = form
        let type = try store.type(named: name)
        var shown: [(row: Int, shown: Calibration.DisplayedTotal)] = []
        for row in form.rows.indices {
            do {
                shown.append((row, try form.rows[row].parsed(of: type)))
            } catch {
                self.calibrationForm.rows[row].problem = error.description
            }
        }
        // Each pass either returns or removes one day that can't be compared.
        while !shown.isEmpty {
            do {
                return try calibrate(shown.map(\.shown), store, in: calendar, now: now)
            } catch let error as CalibrationError {
                guard let day = error.day,
                    let last = shown.lastIndex(where: { $0.shown.day == day })
                else {
                    self.calibrationForm.problem = error.description
                    return
                }
                self.calibrationForm.rows[shown[last].row].problem = error.description
                shown.remove(at: last)
            }
        }
    }

    /// Finds the source order and exclusions that reproduce what the Health app shows, and sets
    /// ``calibration``.
    ///
    /// ```swift
    /// let shown = try DisplayedTotalParser.parse(["2024-03-10=8432"], of: steps)
    /// try page.calibrate(shown, store, in: berlin, now: .now)
    /// page.calibration?.proposal   // a preview; nothing is saved
    /// ```
    /// - Parameters:
    ///   - shown: Days with the amounts that the Health app shows.
    ///   - store: The store to read.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time.
    /// - Throws: ``CalibrationError`` for invalid days and amounts, or a type that isn't summed.
    ///   ``StoreError`` if the store can't be read.
    package mutating func calibrate(
        _ shown: [Calibration.DisplayedTotal], _ store: SampleStore, in calendar: CalendarBuckets,
        now: Date
    ) throws {
        let type = try store.type(named: name)
        let found = try store.calibration(
            of: type, displayedTotals: shown, in: calendar, now: now.timeIntervalSinceReferenceDate)
        let words = CalibrationSummary(found)
        calibration = CalibrationResult(
            sentence: words.sentence,
            days: found.displayedTotals.enumerated().map { index, shown in
                CalibrationResult.Day(
                    day: shown.day, shownText: words.number(shown.value),
                    currentText: words.total(found.current, index),
                    currentOffText: words.residual(found.current, index),
                    bestText: words.total(found.best, index),
                    bestOffText: words.residual(found.best, index))
            }, notes: words.notes,
            proposal: found.proposal.map(Proposal.init),
            commands: try found.proposal.map {
                try SourceOrderCommand(type, $0, store).lines()
            } ?? [])
    }
}

extension CalibrationError {
    /// The day with the error; nil if the error is not about a single day.
    fileprivate var day: CivilDate? {
        switch self {
        case .noDays, .notSummed: nil
        case .noSuchDay(let day, _), .duplicateDay(let day), .future(let day), .noData(let day, _),
            .invalidAmount(let day):
            day
        }
    }
}

/// The result of a calibration as text.
package struct CalibrationSummary {
    private let calibration: Calibration
    private let digits: Int

    package init(_ calibration: Calibration) {
        self.calibration = calibration
        let totals = calibration.displayedTotals.map(\.value) + calibration.current.totals
        let largest = totals.max() ?? 0
        digits = max(
            calibration.displayedTotals.map(\.digits).max() ?? 0,
            calibration.unit == "count" ? 0 : UnitDigits.digits(calibration.unit, largest: largest))
    }

    package func number(_ value: Double) -> String { NumberText.grouped(value, digits: digits) }

    /// Formats the total that a setting gives for a day. Counts are rounded down, as in the Health
    /// app.
    package func total(_ outcome: Calibration.Outcome, _ day: Int) -> String {
        let total = outcome.totals[day]
        return number(calibration.unit == "count" ? total.rounded(.down) : total)
    }

    /// Formats the difference of a day's total from the Health app's amount: "fits", "+200", "-40".
    package func residual(_ outcome: Calibration.Outcome, _ day: Int) -> String {
        if outcome.fits[day] { return "fits" }
        let text = number(outcome.residuals[day])
        return outcome.residuals[day] > 0 ? "+" + text : text
    }

    /// The result in one sentence.
    package var sentence: String {
        let words = TypeText.name(calibration.type)
        let count = calibration.displayedTotals.count
        let all = count == 1 ? "on that day" : "on all \(count) days"
        if calibration.keepsCurrent {
            return calibration.current.fitsEveryDay
                ? "The current setting gives the \(words) in the Health app \(all)."
                : "No setting fits better than the current one, which fits "
                    + "\(fitting(calibration.current))."
        }
        let fits =
            calibration.best.fitsEveryDay
            ? "Another setting gives the \(words) in the Health app \(all)"
            : "Another setting is closer and fits \(fitting(calibration.best))"
        return "\(fits): \(setting(calibration.best.setting)). The current setting fits "
            + "\(fitting(calibration.current))."
    }

    /// The number of fitting days, as in "2 of 3 days".
    private func fitting(_ outcome: Calibration.Outcome) -> String {
        let count = outcome.fits.filter { $0 }.count
        return (count == 0 ? "none" : String(count)) + " of "
            + counted(calibration.displayedTotals.count, "day", "days")
    }

    /// Formats a setting, as in "iPhone before Watch; DayCounter excluded".
    package func setting(_ setting: Calibration.Setting) -> String {
        let order = setting.order.map { PrintableText.text($0.name) }
        let left = setting.excluded.map { PrintableText.text($0.name) }
        let first = order.isEmpty ? "no source" : order.joined(separator: " before ")
        return left.isEmpty ? first : first + "; " + left.joined(separator: ", ") + " excluded"
    }

    /// Caveats about the result, such as other settings that fit as well. Each is a short
    /// paragraph.
    package var notes: [String] {
        var notes: [String] = []
        if !calibration.best.fits.contains(true),
            calibration.withTolerance?.fits.contains(true) != true
        {
            notes.append(
                "No order of these sources gives the number of any of these days. The export may "
                    + "be older than the numbers in the app, or the app may count a source that is "
                    + "not in the export.")
        }
        if calibration.ties > 0 {
            let open = calibration.ambiguities.prefix(3).map(CalibrationSummary.text)
            let more = calibration.ambiguities.count > 3 ? ", and more" : ""
            notes.append(
                counted(calibration.ties, "other setting fits", "other settings fit")
                    + " these days as well. The suggested setting changes least."
                    + (open.isEmpty
                        ? ""
                        : " Not determined by these days: " + open.joined(separator: ", ") + more
                            + ". Add days on which these sources recorded at the same time."))
        }
        if let tolerant = calibration.withTolerance {
            let minutes = counted(
                Int(clamping: tolerant.setting.gapTolerance / 60), "minute", "minutes")
            notes.append(
                "Bridging gaps of up to \(minutes) in a source's data fits better, "
                    + "\(fitting(tolerant)): "
                    + "\(setting(tolerant.setting)). A store can’t save this gap tolerance. "
                    + "Programs set it with gapTolerance of HealthStoreConfiguration.")
        }
        notes += dayTotals
        if calibration.coverage == .local {
            notes.append(
                "There are too many sources to try every order. "
                    + "\(NumberText.grouped(Double(calibration.settingsTried))) orders similar to the "
                    + "current one were tried.")
        }
        return notes
    }

    /// Notes on the sources of daily totals that the current setting excludes. Empty if the best
    /// setting found is the current one.
    private var dayTotals: [String] {
        if calibration.keepsCurrent { return [] }
        return calibration.dayTotals.map { source in
            let name = PrintableText.text(source.name)
            return calibration.best.setting.order.contains(source)
                ? "\(name) writes daily totals and is currently excluded. This setting includes it."
                : "\(name) writes daily totals and remains excluded."
        }
    }

    /// Formats a choice that the days don't determine: "Watch or iPhone first", "whether Watch is
    /// included".
    package static func text(_ undecided: Calibration.Ambiguity) -> String {
        switch undecided {
        case .participation(let source): "whether \(PrintableText.text(source.name)) is included"
        case .order(let a, let b):
            "\(PrintableText.text(a.name)) or \(PrintableText.text(b.name)) first"
        }
    }
}
