public import Foundation
import HealthEngine
public import HealthStorage

extension WhyPage {
    /// Compares what a person typed into the page's form, and says beside each row what is wrong with
    /// it; the rows that can be compared are.
    ///
    /// ```swift
    /// let typed = WhyPage.Typed(days: ["2024-03-10", "2024-03-11"], amounts: ["8432", "many"])
    /// try page.calibrate(typed, store, in: berlin, now: .now)
    /// page.calibration?.days.count      // 1
    /// page.typed.rows[1].problem        // "“many” is no amount: …"
    /// ```
    /// - Throws: ``StoreError`` if the store can't be read.
    public mutating func calibrate(
        _ typed: Typed, _ store: SampleStore, in calendar: CalendarBuckets, now: Date
    ) throws {
        self.typed = typed
        let type = try store.type(named: name)
        var shown: [(row: Int, shown: Calibration.Shown)] = []
        for row in typed.rows.indices {
            do {
                shown.append((row, try typed.rows[row].parsed(of: type)))
            } catch {
                self.typed.rows[row].problem = error.description
            }
        }
        // Each round takes out a day that can't be compared.
        while !shown.isEmpty {
            do {
                return try calibrate(shown.map(\.shown), store, in: calendar, now: now)
            } catch let error as CalibrationError {
                guard let day = error.day,
                    let last = shown.lastIndex(where: { $0.shown.day == day })
                else {
                    self.typed.problem = error.description
                    return
                }
                self.typed.rows[shown[last].row].problem = error.description
                shown.remove(at: last)
            }
        }
    }

    /// Looks for the setting that gives what a person's Health app shows, and tells it on the page.
    ///
    /// ```swift
    /// let shown = try ShownAmount.parse(["2024-03-10=8432"], of: steps)
    /// try page.calibrate(shown, store, in: berlin, now: .now)
    /// page.calibration?.arrangement   // what the address takes, to look at before it is saved
    /// ```
    /// - Throws: ``CalibrationError`` for days and amounts that make no sense, ``StoreError``.
    public mutating func calibrate(
        _ shown: [Calibration.Shown], _ store: SampleStore, in calendar: CalendarBuckets, now: Date
    ) throws {
        let type = try store.type(named: name)
        let found = try store.calibration(
            of: type, shown: shown, in: calendar, now: now.timeIntervalSinceReferenceDate)
        let words = CalibrationWords(found)
        calibration = Calibrated(
            sentence: words.sentence,
            days: found.shown.enumerated().map { index, shown in
                Calibrated.Day(
                    day: shown.day, shownText: words.number(shown.value),
                    currentText: words.total(found.current, index),
                    currentOffText: words.residual(found.current, index),
                    bestText: words.total(found.best, index),
                    bestOffText: words.residual(found.best, index))
            }, notes: words.notes,
            arrangement: found.arrangement.map(Arrangement.init),
            commands: try found.arrangement.map {
                try SourceOrderCommand(type, $0, store).lines()
            } ?? [])
    }
}

extension CalibrationError {
    /// The day that it is about.
    fileprivate var day: CivilDate? {
        switch self {
        case .noDays, .notSummed: nil
        case .noSuchDay(let day, _), .givenTwice(let day), .future(let day), .noData(let day, _),
            .notAnAmount(let day):
            day
        }
    }
}
