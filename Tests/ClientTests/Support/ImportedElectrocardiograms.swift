import Foundation
import HealthArchive
import OpenHealthKit

/// A store imported from an export with electrocardiograms, and an app that reads it.
final class ImportedElectrocardiograms {
    let store: HKHealthStore
    private let folder: URL

    /// Imports an export.
    ///
    /// - Parameter files: The texts of the electrocardiograms' files.
    init(_ files: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let export = folder.appending(path: "apple_health_export")
        let curves = export.appending(path: "electrocardiograms")
        try FileManager.default.createDirectory(at: curves, withIntermediateDirectories: true)
        let xml = "<HealthData><ExportDate value=\"2026-06-01 10:00:00 +0200\"/></HealthData>"
        try Data(xml.utf8).write(to: export.appending(path: "export.xml"))
        for (index, file) in files.enumerated() {
            try Data(file.utf8).write(to: curves.appending(path: "ecg_\(index).csv"))
        }
        let path = folder.appending(path: "health.sqlite").path(percentEncoded: false)
        _ = try ExportImporter(
            path: export.path(percentEncoded: false), store: path, timeZone: "Europe/Berlin",
            systemTimeZone: "UTC", now: 0
        ).run()
        store = try HKHealthStore(
            path: path, identity: AppIdentity("com.example.heart", name: "Heart"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
