import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthFormats
import HealthStorage

// Resources of FHIR R4.
extension ExportJob {
    /// Whether amounts and sleep samples are written as recorded, in addition to merged ones.
    enum RecordedAmounts {
        case included, mergedOnly
    }

    /// Writes the store's data as FHIR: the patient, the nights, the totals of days, readings,
    /// blood pressures, workouts and electrocardiograms.
    func writeFHIR(
        _ form: FHIRForm, _ nights: [SleepNight], _ characteristics: Characteristics,
        _ recorded: RecordedAmounts, to output: inout Output
    ) throws -> ExportReport {
        let now = Date().timeIntervalSinceReferenceDate
        let types = try store.types().map(\.type)
        var export = FHIRExport(
            form, of: try store.identifier,
            FHIRExport.Settings(
                calendar: calendar, madeAt: now.rounded(.down),
                version: OpenHealth.configuration.version,
                types: Dictionary(
                    types.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })))
        let known = characteristics == .included ? try store.characteristics() : nil
        try output.write(export.beginning(patient: known))
        let selected = FHIRTypes(types, selection, recorded)
        let sleepers = try sleepSources()
        for night in nights {
            try check()
            for sleep in FHIRSleep.parts(of: night, sleepers) {
                try output.write(export.text(sleep))
            }
        }
        let excluded = Dictionary(grouping: try store.exclusions(), by: \.type)
        if recorded == .mergedOnly { try leaveOut(excluded, selected, &export) }
        for type in selected.totals {
            try forEachDayTotal(of: type, now: now) { total in
                var total = total
                total.excluded = (excluded[type] ?? []).map(\.excluded.source)
                try output.write(export.text(total))
            }
        }
        try writeSamples(of: selected.samples, .separate, &export, to: &output)
        try writeSamples(of: selected.bloodPressure, .withParents, &export, to: &output)
        if let type = selected.electrocardiogram {
            try writeElectrocardiograms(type, &export, to: &output)
        }
        try output.write(export.ending)
        return try report(export.tally)
    }

    /// Counts the samples that no total contains, because their source is excluded.
    private func leaveOut(
        _ excluded: [SampleType: [(type: SampleType, excluded: ExcludedSource)]],
        _ types: FHIRTypes, _ export: inout FHIRExport
    ) throws {
        for type in types.totals + types.sleep {
            for source in (excluded[type] ?? []).map(\.excluded.source) {
                try check()
                let query = SampleQuery(
                    type, from: selection.from, to: selection.to,
                    sources: [source.bundleIdentifier])
                var count = 0
                try store.forEachBatch(query) { batch, _ in count += batch.samples.count }
                export.leaveOut(count, of: source, type)
            }
        }
    }

    /// Writes samples as recorded; nothing if there are no types.
    private func writeSamples(
        of types: [SampleType], _ membership: ExportedMembership, _ export: inout FHIRExport,
        to output: inout Output
    ) throws {
        if types.isEmpty { return }
        var selection = selection
        selection.types = types
        try store.forEachExportedBatch(selection, of: 2_000, members: membership) { exported in
            try check()
            try output.write(export.text(exported))
        }
    }

    // MARK: - Sleep

    /// Returns the sources of sleep by the names that nights have for them.
    private func sleepSources() throws -> [String: Source] {
        guard let type = Catalogue.type(identifier: Metric.sleep.identifier) else { return [:] }
        let sources = try store.sources(of: type).map {
            Source(name: $0.name, bundleIdentifier: $0.bundleIdentifier)
        }
        let byName = Dictionary(grouping: sources, by: \.name)
        var found: [String: Source] = [:]
        for source in sources {
            // Nights distinguish sources of the same name by the bundle identifier.
            if byName[source.name]?.count == 1 { found[source.name] = source }
            found["\(source.name) (\(source.bundleIdentifier))"] = source
        }
        return found
    }

    // MARK: - Electrocardiograms

    /// Writes the kept files of exports and what devices sent, each recording once.
    private func writeElectrocardiograms(
        _ type: SampleType, _ export: inout FHIRExport, to output: inout Output
    ) throws {
        var seconds: Set<Int> = []
        try store.forEachImportedFile { file in
            guard file.kind == .electrocardiogram, let recorded = file.recorded,
                recorded >= selection.from, recorded < selection.to,
                seconds.insert(Int(clamping: recorded.rounded(.down))).inserted
            else { return }
            try check()
            try output.write(
                export.text(
                    ElectrocardiogramRecording(file: file.content, recorded: recorded)))
        }
        var own = selection
        own.types = [type]
        try store.forEachExportedBatch(own, of: 16) { exported in
            try check()
            for (index, sample) in exported.batch.samples.enumerated()
            where seconds.insert(Int(clamping: sample.start.rounded(.down))).inserted {
                var recording: ElectrocardiogramRecording?
                if case .numbers(let numbers) = exported.batch.details[index] {
                    recording = ElectrocardiogramRecording(numbers: numbers, start: sample.start)
                }
                try output.write(export.text(recording))
            }
        }
    }

    // MARK: - The report

    private func report(_ tally: FHIRTally) throws -> ExportReport {
        var report = ExportReport()
        report.content = .observations
        report.types = tally.observations
        for loss in FHIRTally.Loss.allCases {
            guard let found = tally.losses[loss] else { continue }
            report.losses.append(
                .init(
                    what: loss.rawValue, description: loss.description, count: found.count,
                    names: found.names.sorted()))
        }
        for kind in FHIRTally.Unmapped.allCases {
            guard let found = tally.unmapped[kind] else { continue }
            report.unmapped.append(
                .init(
                    what: kind.rawValue, description: kind.description,
                    count: found.values.reduce(0, +),
                    names: found.keys.sorted()))
        }
        guard selection.isEverything else { return report }
        let gaps = try store.exportGaps()
        report.add(.dayNotes, gaps.dayNotes)
        report.add(.medications, gaps.medications)
        report.add(.documents, gaps.files - gaps.electrocardiograms)
        report.add(.rawElements, gaps.rawElements)
        return report
    }
}

/// The types of a FHIR export, by the way in which they are written.
private struct FHIRTypes {
    /// Types with an Observation for each sample.
    var samples: [SampleType] = []
    /// Types with an Observation for each day.
    var totals: [SampleType] = []
    /// The type of sleep, which is written as nights.
    var sleep: [SampleType] = []
    /// Blood pressures and their members.
    var bloodPressure: [SampleType] = []
    var electrocardiogram: SampleType?

    init(
        _ types: [SampleType], _ selection: ExportSelection,
        _ recorded: ExportJob.RecordedAmounts
    ) {
        let wanted = Set(selection.types.map(\.name))
        for type in types {
            let isMember = type.name.hasPrefix("bloodPressure") && wanted.contains("bloodPressure")
            guard wanted.isEmpty || wanted.contains(type.name) || isMember else { continue }
            let isAmount = type.aggregation == .cumulative
            if isAmount { totals.append(type) }
            switch type.name {
            case "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic":
                bloodPressure.append(type)
            case "electrocardiogram": electrocardiogram = type
            default:
                let isSleep = type.identifier == Metric.sleep.identifier
                if isSleep { sleep.append(type) }
                if !(isAmount || isSleep) || recorded == .included { samples.append(type) }
            }
        }
        // Files of electrocardiograms may have no samples.
        if wanted.isEmpty || wanted.contains("electrocardiogram") {
            electrocardiogram = Catalogue.type(named: "electrocardiogram")
        }
    }
}

extension FHIRSleep {
    /// Returns a night and its naps.
    fileprivate static func parts(
        of night: SleepNight, _ sources: [String: Source]
    ) -> [FHIRSleep] {
        let main = FHIRSleep(
            .night, of: night.morning,
            start: night.interval.start.timeIntervalSinceReferenceDate,
            end: night.interval.end.timeIntervalSinceReferenceDate, asleep: night.asleep,
            inBed: night.inBed, stages: stages(night.mergedIntervals),
            parts: night.parts.map {
                Part(
                    name: $0.source, source: sources[$0.source], counted: $0.counted,
                    recorded: $0.recorded)
            })
        let naps = night.naps.enumerated().compactMap { nap($0, $1, night.morning, sources) }
        return [main] + naps
    }

    private static func nap(
        _ place: Int, _ intervals: [SleepNight.MergedInterval], _ day: CivilDate,
        _ sources: [String: Source]
    ) -> FHIRSleep? {
        guard let start = intervals.map(\.start).min(), let end = intervals.map(\.end).max() else {
            return nil
        }
        var counted: [String: Double] = [:]
        for interval in intervals {
            let seconds = interval.end.timeIntervalSince(interval.start)
            counted[interval.source, default: 0] += interval.stage.isAsleep ? seconds : 0
        }
        return FHIRSleep(
            .nap(place), of: day, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, asleep: intervals.secondsAsleep, inBed: nil,
            stages: stages(intervals),
            parts: counted.sorted { $0.key < $1.key }.map {
                Part(name: $0.key, source: sources[$0.key], counted: $0.value, recorded: nil)
            })
    }

    private static func stages(_ intervals: [SleepNight.MergedInterval]) -> [Stage: Double] {
        var seconds: [Stage: Double] = [:]
        for interval in intervals where interval.stage != .inBed {
            guard let stage = Stage(rawValue: interval.stage.rawValue) else { continue }
            seconds[stage, default: 0] += interval.end.timeIntervalSince(interval.start)
        }
        return seconds
    }
}
