public import Foundation
public import HealthStorage

extension WhyPage {
    /// Looks for the setting that gives what a person's Health app shows, and tells it on the page.
    ///
    /// ```swift
    /// let shown = try ShownAmount.parse(["2024-03-10=8432"], of: steps)
    /// try page.calibrate(shown, store, in: berlin, now: .now)
    /// page.calibration?.order     // what `order=` takes, to look at before it is saved
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
            order: found.arrangement.flatMap { $0.order.isEmpty ? nil : $0.order },
            commands: try found.arrangement.map {
                try SourceOrderCommand(type, $0, store).lines()
            } ?? [])
    }
}
