import Foundation
import HealthArchive
import HealthEngine
import HealthStorage

/// What goes out, and how it is written as lines.
struct ExportJob {
    var store: SampleStore
    var selection: ExportSelection
    var calendar: CalendarBuckets
    var interruption: Interruption

    func write(_ lines: SampleLines, to output: inout Output) throws -> ExportReport {
        var report = ExportReport()
        try output.write(lines.sampleHead)
        try store.forEachExportedBatch(selection) { exported in
            try check()
            try output.write(lines.text(exported))
            report.count(exported)
        }
        return report
    }

    func writeStretches(_ lines: SampleLines, to output: inout Output) throws -> ExportReport {
        var report = ExportReport()
        report.unit = "stretch"
        report.units = "stretches"
        var rules = StatisticsRules()
        rules.horizon = Date().timeIntervalSinceReferenceDate
        try output.write(lines.stretchHead)
        for type in try summedTypes() {
            let question = SampleQuestion(type, from: selection.from, to: selection.to)
            let unit = type.answerUnit ?? ""
            try store.forEachMergedDay(question, in: calendar, unit: unit, rules: rules) { day in
                try check()
                try output.write(lines.text(day.stretches, of: type, unit: unit))
                report.types[type.identifier, default: 0] += day.stretches.count
            }
        }
        return report
    }

    func writeArchive(to path: String) throws -> ExportReport {
        let now = Date()
        let offset = calendar.calendar.timeZone.secondsFromGMT(for: now)
        let export = StoreExport(
            store, madeAt: now.timeIntervalSinceReferenceDate.rounded(.down), offset: offset)
        let tally = try export.write(selection, to: path, pulse: check)
        var report = ExportReport()
        report.types = tally.samples
        report.losses = ExportLoss.allCases.compactMap { loss in
            tally.losses[loss].map { .init(loss: loss, count: $0, names: tally.names[loss] ?? []) }
        }
        return report
    }

    /// Those that were asked for, or all there are.
    private func summedTypes() throws -> [SampleType] {
        if let other = selection.types.first(where: { $0.aggregation != .cumulative }) {
            throw WrongUsage("\(other.name) is not summed: leave --merged out to see its samples.")
        }
        let wanted = Set(selection.types.map(\.identifier))
        return try store.types().map(\.type).filter {
            $0.aggregation == .cumulative && (wanted.isEmpty || wanted.contains($0.identifier))
        }
    }

    /// Ends the work if somebody asked for it.
    func check() throws {
        if interruption.isRequested { throw NotDone("Stopped; no file was written.") }
    }
}
