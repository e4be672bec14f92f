import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthFormats
import HealthStorage

extension Export {
    /// Writes the format fhir. Nights are read before the rest, from HealthKit's interface.
    @MainActor func runFHIR() async throws {
        let store = try global.open()
        let calendar = try global.calendar(of: store)
        var selection = ExportSelection(
            types: try types.map { try global.type($0, in: store) }, in: calendar)
        (selection.from, selection.to) = try range.times(calendar)
        let nights = try await nights(of: store, selection)
        try store.withReadSnapshot { store in
            let interruption = Interruption()
            defer { interruption.end() }
            let job = ExportJob(
                store: store, selection: selection, calendar: calendar, interruption: interruption)
            let file = out == "-" ? nil : try StagedFile(at: out, over: force ? .file : .nothing)
            var output = try file.map { try Output(to: $0.temporaryPath, named: out) } ?? Output()
            let report = try job.writeFHIR(
                FHIRForm(path: out), nights, characteristics ? .included : .withheld,
                recorded ? .included : .mergedOnly, to: &output)
            try output.flush()
            try file?.commit()
            try show(report)
        }
    }

    @MainActor private func nights(
        of store: SampleStore, _ selection: ExportSelection
    ) async throws -> [SleepNight] {
        guard let type = Catalogue.type(identifier: Metric.sleep.identifier),
            selection.types.isEmpty || selection.types.contains(type)
        else { return [] }
        let query = SampleQuery(type, from: selection.from, to: selection.to)
        return try await NightReader(
            store: store, query: query, .each(.day), selection.calendar
        ).nights(from: nil)
    }
}
