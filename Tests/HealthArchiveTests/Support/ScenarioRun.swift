import Foundation
import HealthArchive
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// A run of a scenario: a temporary store, and the report of the last import.
final class ScenarioRun {
    let scenario: ImportScenario
    let folder: TemporaryFolder
    let storePath: String
    private var exportPath = ""
    private(set) var report: ImportReport?
    private(set) var json: Any = [:]
    private(set) var failure: (any Error)?
    private(set) var uuidsBefore: Set<String> = []
    private var imports = 0

    init(_ scenario: ImportScenario) throws {
        self.scenario = scenario
        folder = try TemporaryFolder()
        storePath = folder.path + "/store/health.sqlite"
    }

    func play() throws {
        for step in scenario.steps {
            uuidsBefore = try uuids(at: storePath)
            try perform(step)
            if let failure, !step.expectations.contains(where: { $0.text.hasPrefix("error ") }) {
                Issue.record("\(scenario.file):\(step.line) import failed: \(failure)")
                return
            }
            if failure == nil { try expectValidStore(step) }
            for expectation in step.expectations {
                let reason: String?
                do {
                    reason = try mismatch(expectation.text)
                } catch {
                    reason = "\(error)"
                }
                if let reason {
                    Issue.record(
                        "\(scenario.file):\(expectation.line) \(expectation.text): \(reason)")
                }
            }
        }
    }

    private func perform(_ step: ImportScenario.Step) throws {
        failure = nil
        switch step.source {
        case .choice(let lines):
            for line in lines { try choose(line) }
            return
        case .request(let frame, let lines):
            report = nil
            do {
                json = try receive(frame, lines.joined(separator: "\n"))
            } catch {
                failure = error
            }
            return
        case .undo(let number):
            report = nil
            try withStore { store in
                do { try store.undoImport(number) } catch { failure = error }
            }
            return
        case .restore(let device):
            report = nil
            try withStore { store in
                let shown = try store.takenOver(from: device).map(\.count).reduce(0, +)
                let restored = try store.restoreTakenOver(from: device)
                json = ["shown": shown, "restored": restored]
            }
            return
        case .purge:
            _ = try withStore { store in try store.purgeTombstones(through: .max >> 11) }
            return
        case .export, .raw, .again: break
        }
        if let bytes = step.source.bytes {
            exportPath = try folder.write("export\(step.line).xml", bytes)
        }
        do {
            let report = try importFile(into: storePath, now: Double(imports))
            self.report = report
            json = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
        } catch {
            failure = error
        }
        imports += 1
    }

    private func importFile(into store: String, now: Double) throws -> ImportReport {
        try ExportImporter(
            path: exportPath, store: store, timeZone: scenario.zone,
            systemTimeZone: scenario.systemZone, now: now,
            person: .confirmed
        ).run()
    }

    /// Checks the invariants after every import.
    private func expectValidStore(_ step: ImportScenario.Step) throws {
        let place = "\(scenario.file):\(step.line)"
        let store = try SampleStore(at: storePath, access: .reading)
        defer { try? store.close() }
        let violations = try store.check()
        if !violations.isEmpty { Issue.record("\(place) check: \(violations)") }
        guard let report else { return }
        for mismatch in report.unexplainedElements { Issue.record("\(place) \(mismatch)") }
    }

    private func withStore<Value>(_ body: (SampleStore) throws -> Value) throws -> Value {
        let store = try SampleStore(at: storePath, access: .writing)
        defer { try? store.close() }
        return try body(store)
    }

    func open() throws -> SampleStore { try SampleStore(at: storePath, access: .reading) }

    /// Applies `exclude stepCount Pedometer`, `include …`, `reset stepCount`,
    /// `identify Pedometer com.x.y` or `order stepCount A, B`.
    private func choose(_ line: String) throws {
        let words = line.trimmingCharacters(in: .whitespaces)
            .split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count >= 2 else { throw ScenarioFault(description: "“\(line)” is no choice") }
        let rest = words.count > 2 ? words[2] : ""
        try withStore { store in
            switch words[0] {
            case "exclude": try store.set(.excluded, of: rest, in: store.type(named: words[1]))
            case "include": try store.set(.included, of: rest, in: store.type(named: words[1]))
            case "reset": try store.resetSources(of: store.type(named: words[1]))
            case "order":
                try store.setOrder(
                    of: store.type(named: words[1]), to: rest.components(separatedBy: ", "))
            case "identify": try store.identify(words[1], as: rest)
            default: throw ScenarioFault(description: "“\(words[0])” is no choice")
            }
        }
    }

    // MARK: - The store's content

    func uuids(at path: String) throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        var uuids: Set<String> = []
        for summary in try store.types() {
            for sample in try store.samples(SampleQuery(summary.type)).samples {
                uuids.insert(try store.uuid(of: sample))
            }
        }
        return uuids
    }

    /// Creates a store that has imported only the last file.
    func freshStorePath() throws -> String {
        let path = folder.path + "/fresh\(imports).sqlite"
        _ = try importFile(into: path, now: 0)
        return path
    }
}

extension ImportReport {
    /// Elements whose count differs from those read, truncated and superseded, as sentences.
    var unexplainedElements: [String] {
        let accounts: [(String, SnapshotOutcome.Tally, Int)] = [
            ("Record", outcome.records, 0), ("Correlation", outcome.correlations, 0),
            ("Workout", outcome.workouts, 0),
            ("ActivitySummary", outcome.activitySummaries, superseded),
        ]
        return accounts.compactMap { name, tally, superseded in
            // Audiograms and prescriptions are counted with records.
            let names = name == "Record" ? [name, "Audiogram", "VisionPrescription"] : [name]
            let count = names.reduce(0) { $0 + (elements[$1] ?? 0) }
            let truncated = names.reduce(0) { $0 + (truncatedElements[$1] ?? 0) }
            let explained = tally.read + truncated + superseded
            return count == explained
                ? nil : "\(count) \(name) elements, of which \(explained) are accounted for"
        }
    }
}
