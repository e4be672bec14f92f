import ArgumentParser
import Foundation
import HealthArchive
import HealthDashboard
import HealthSimulator
import HealthStorage

/// `openhealth simulate`
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Writes an export of a simulated person, and optionally the true steps.",
        discussion: "The same options produce identical files on every machine.")

    @Option(help: ArgumentHelp("The export to write.", valueName: "file.zip"))
    var out: String

    @Option(
        help: ArgumentHelp(
            "Years of data. Default: 1, or fewer days with a small --records.",
            valueName: "n"))
    var years: Int?

    @Option(
        help: ArgumentHelp(
            "The number of Record elements. Default: 100,000 per year.", valueName: "n"))
    var records: Int?

    @Option(help: ArgumentHelp("The seed of the random person.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: "The person's devices: phone, watch or both.")
    var devices = DeviceChoice.both

    @Flag(help: "Add an app that writes a daily total of steps on most days.")
    var dailyApp = false

    @Option(
        help: ArgumentHelp(
            "The file for the true number of steps of each day.", valueName: "file.json"))
    var truth: String?

    @OptionGroup var global: GlobalOptions

    func run() throws {
        var person = SimulatedPerson(
            seed: seed, years: years ?? 1, records: records, devices: devices.devices,
            dailyApp: dailyApp ? .present : .absent)
        if let zone = try global.explicitTimeZone { person.homeTimeZone = zone.identifier }
        let simulation: Simulation
        do {
            if years == nil { person = try person.shortened() }
            simulation = try Simulation(person)
        } catch SimulationError.unknownTimeZone(let name) {
            throw CommandError(ZoneNames.invalidNameMessage(about: name))
        } catch {
            throw UsageError(
                error.description.prefix(1).uppercased() + error.description.dropFirst() + ".")
        }
        if let records, person.records > records {
            Message.write(
                "The minimum is \(counted(person.records, "record", "records")), for one day.")
        }
        let tally = try SimulatedExport.write(simulation, to: out)
        if let truth { try SimulatedExport.writeTruth(of: simulation, to: truth) }
        let count = tally.elements["Record"] ?? 0
        let days = simulation.groundTruth.days
        if global.json {
            try Output.print(
                .object([
                    "file": .string(out), "truth": truth.map(JSONText.string),
                    "records": .integer(count), "days": .integer(days.count),
                    "homeTimeZone": .string(person.homeTimeZone), "seed": .string(String(seed)),
                ]))
        } else {
            let records = counted(count, "record", "records")
            try Output.print(
                """
                Wrote \(records) of \(counted(days.count, "day", "days")) to \(out).
                Import them with: openhealth import \(ShellWord.quoted(out)) --as someone

                """)
        }
    }
}

/// The values of `--devices`.
enum DeviceChoice: String, ExpressibleByArgument, CaseIterable {
    case phone, watch, both

    var devices: SimulatedPerson.Devices {
        switch self {
        case .phone: .phone
        case .watch: .watch
        case .both: .both
        }
    }
}

/// Writes simulations to files.
enum SimulatedExport {
    /// Writes the export of the simulated person. When it is complete, it replaces a file at the
    /// path, unless that is a store.
    ///
    /// - Parameter isCancelled: Called before each batch. If it returns true, the file at the path
    ///   stays as it is.
    /// - Throws: ``CommandError`` if cancelled, `ArchiveError` or `StoreError` if the file can't be
    ///   written.
    static func write(
        _ simulation: Simulation, to path: String, isCancelled: () -> Bool = { false }
    ) throws -> ExportTally {
        let header = ExportHeader(
            locale: simulation.locale, exportDate: simulation.exportDate,
            offset: simulation.exportOffset, characteristics: simulation.characteristics)
        let file = try StagedFile(at: path, over: .file)
        do {
            var archive = try ExportArchive(path: file.temporaryPath, header: header)
            for batch in simulation.batches {
                if isCancelled() { throw CommandError("Stopped.") }
                try archive.write(batch)
            }
            let tally = try archive.finish()
            try file.commit()
            return tally
        } catch var error as ArchiveError {
            error.name = path
            throw error
        }
    }

    static func writeTruth(of simulation: Simulation, to path: String) throws {
        let truth = simulation.groundTruth
        let json = JSONText.object([
            "seed": .string(String(truth.seed)), "years": .integer(truth.years),
            "records": .integer(truth.records), "devices": .string(truth.devices),
            "dailyApp": .bool(truth.dailyApp), "homeTimeZone": .string(truth.homeTimeZone),
            "days": .array(
                truth.days.map {
                    .object(["date": .string($0.date), "steps": .integer($0.steps)])
                }),
        ])
        try Output.write(json.text + "\n", toFile: path)
    }
}
