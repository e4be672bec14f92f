import Foundation
import HealthArchive
import HealthCalendar
import HealthEngine
import HealthServer
import HealthSimulator
import HealthStorage

#if Server
    /// The store of a simulated person, in a folder of its own beside another store, so that no
    /// command takes it for a person's.
    struct SimulatedStore: Sendable {
        private static let file = "sample.sqlite"

        private let folder: String
        private let timeZone: TimeZone

        /// - Parameters:
        ///   - store: The path of the store beside which the folder is.
        ///   - timeZone: The person's time zone; nil for the system's.
        init(beside store: String, timeZone: TimeZone?) {
            folder = SidecarFiles.path(store, "sample")
            self.timeZone = timeZone ?? .current
        }

        /// The store as a server needs it.
        var data: SampleData {
            SampleData(path: folder + "/" + Self.file, create: create, remove: remove)
        }

        /// Simulates a year up to yesterday, and imports it.
        @Sendable private func create() throws {
            // Left by a process that was killed.
            try remove()
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch { throw StoreError(.folderNotCreated(folder)) }
            do {
                try fill()
            } catch {
                // What is left is removed before the next try; the first error is reported.
                try? remove()
                throw error
            }
        }

        private func fill() throws {
            let now = Date.now.timeIntervalSinceReferenceDate
            let calendar = Calendar.gregorian(in: timeZone)
            let today = calendar.localDate(at: Date(timeIntervalSinceReferenceDate: now))
            var person = SimulatedPerson(
                seed: 1, days: 365, records: 40_000, end: today, dailyApp: .present)
            if ZoneNames.isPlausible(timeZone.identifier) {
                person.homeTimeZone = timeZone.identifier
            }
            // An export isn't made later than it is imported.
            let midnight = calendar.midnight(today).timeIntervalSinceReferenceDate
            person.exportTime = min(person.exportTime, Int(clamping: now - midnight))
            let simulation = try Simulation(person)
            let export = folder + "/export.zip"
            _ = try SimulatedExport.write(simulation, to: export)
            _ = try ExportImporter(
                path: export, store: folder + "/" + Self.file, timeZone: person.homeTimeZone,
                systemTimeZone: person.homeTimeZone,
                now: now
            ).run()
            // The data is in the store, so an error loses nothing.
            try? FileManager.default.removeItem(atPath: export)
        }

        @Sendable private func remove() throws {
            guard FileManager.default.fileExists(atPath: folder) else { return }
            do {
                try FileManager.default.removeItem(atPath: folder)
            } catch {
                throw StoreError(
                    .fileFailed(.removeLeftover, at: folder, .system(EACCES)))
            }
        }
    }
#endif
