import Foundation
import HealthArchive
import OpenHealthKit

/// A store imported from exports in a folder, and an app that reads it.
final class ImportedExport {
    let store: HKHealthStore
    private let folder: URL
    private let path: String

    /// Imports an export.
    ///
    /// - Parameters:
    ///   - elements: The elements of the export's XML.
    ///   - files: The texts of its other files by path.
    init(_ elements: [String], files: [String: String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        path = folder.appending(path: "health.sqlite").path(percentEncoded: false)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.run(elements, files, day: 1, in: folder, store: path)
        store = try HKHealthStore(
            path: path, identity: AppIdentity("com.example.records", name: "Records"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Imports a later export.
    func next(_ elements: [String], files: [String: String], day: Int) throws {
        try Self.run(elements, files, day: day, in: folder, store: path)
    }

    private static func run(
        _ elements: [String], _ files: [String: String], day: Int, in folder: URL, store: String
    ) throws {
        let export = folder.appending(path: "export-\(day)")
        let xml =
            "<HealthData><ExportDate value=\"2026-06-0\(day) 10:00:00 +0200\"/>"
            + elements.joined() + "</HealthData>"
        for (name, text) in files.merging(["export.xml": xml], uniquingKeysWith: { a, _ in a }) {
            let file = export.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        _ = try ExportImporter(
            path: export.path(percentEncoded: false), store: store, timeZone: "Europe/Berlin",
            systemTimeZone: "UTC", now: Double(day)
        ).run()
    }
}
