import Foundation
import HealthTesting

/// An export of handwritten records, imported into a temporary store.
final class HandMadeExport: Sendable {
    let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }
    var xml: String { folder.path + "/export.xml" }

    /// Writes and imports an export.
    ///
    /// - Parameter elements: The elements inside `HealthData`.
    init(_ elements: [String], zone: String) throws {
        folder = try TemporaryFolder()
        let text =
            "<HealthData locale=\"en_US\"><ExportDate value=\"2024-07-01 12:00:00 +0000\"/>\n"
            + elements.joined(separator: "\n") + "\n</HealthData>"
        try Data(text.utf8).write(to: URL(fileURLWithPath: xml))
        let run = try run(["import", xml, "--time-zone", zone])
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
    }

    func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, store: path)
    }

    /// Runs `export` and returns its output.
    func export(_ format: String, _ options: [String] = []) throws -> String {
        let run = try run(["export", "--format", format, "--out", "-"] + options)
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
        return run.output
    }

    static func record(
        _ type: String, _ value: String, source: String, from: String, to: String,
        version: String? = nil, unit: String? = nil
    ) -> String {
        "<Record type=\"\(type)\" sourceName=\"\(source)\""
            + (version.map { " sourceVersion=\"\($0)\"" } ?? "")
            + (unit.map { " unit=\"\($0)\"" } ?? "")
            + " creationDate=\"\(to)\" startDate=\"\(from)\" endDate=\"\(to)\" value=\"\(value)\"/>"
    }

    static func sleep(_ value: String, source: String, from: String, to: String) -> String {
        record(
            "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis" + value,
            source: source, from: from, to: to)
    }
}
