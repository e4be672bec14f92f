import Foundation
import HealthArchive
import HealthEngine
import HealthSimulator
import OpenHealthKit

/// A simulated person whose export was imported into a file, and an app that reads it.
final class ImportedPerson {
    let truth: GroundTruth
    let store: HKHealthStore
    let calendar: Calendar
    private let folder: URL

    init(seed: UInt64, days: Int) throws {
        let person = try SimulatedPerson(seed: seed, days: days, records: 300 * days).shortened()
        let simulation = try Simulation(person)
        truth = simulation.groundTruth
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let zip = folder.appending(path: "export.zip").path(percentEncoded: false)
        let file = folder.appending(path: "health.sqlite").path(percentEncoded: false)
        var archive = try ExportArchive(
            path: zip,
            header: ExportHeader(
                locale: simulation.locale, exportDate: simulation.exportDate,
                offset: simulation.exportOffset, characteristics: simulation.characteristics))
        for batch in simulation.batches { try archive.write(batch) }
        _ = try archive.finish()
        _ = try ExportImporter(
            path: zip, store: file, timeZone: person.homeTimeZone, systemTimeZone: "UTC",
            now: simulation.exportDate + 60
        ).run()
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: person.homeTimeZone) else {
            throw CocoaError(.featureUnsupported)
        }
        calendar.timeZone = zone
        self.calendar = calendar
        store = try HKHealthStore(
            path: file, identity: AppIdentity("com.example.diary", name: "Diary"),
            configuration: .init(calendar: calendar))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the midnight of a day of the truth.
    func midnight(_ day: GroundTruth.Day) throws -> Date {
        let parts = day.date.split(separator: "-").compactMap { Int($0) }
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        guard let date = calendar.date(from: components) else {
            throw CocoaError(.featureUnsupported)
        }
        return date
    }
}
