import Foundation
import HealthArchive
import HealthEngine
import HealthSimulator
import HealthStorage
import HealthTesting
import Testing

private let xmllint = ["/usr/bin/xmllint", "/usr/local/bin/xmllint", "/opt/homebrew/bin/xmllint"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite(.inTestAll) struct ExportValidityTests {
    @Test(
        "a simulated export is valid according to xmllint", .enabled(if: xmllint != nil),
        arguments: SimulatedPerson.Devices.allCases)
    func valid(devices: SimulatedPerson.Devices) throws {
        let simulation = try Simulation(
            SimulatedPerson(
                seed: 1, years: 1, records: 25_000, devices: devices, dailyApp: .present))
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).xml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(simulation.exported().bytes).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(xmllint))
        process.arguments = ["--valid", "--noout", file.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("nothing of a simulated export is left out or replaced, and elements are as counted")
    func counted() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1, records: 25_000))
        let (bytes, tally) = simulation.exported()
        #expect(tally.unwritable.isEmpty && tally.unknownTypes.isEmpty)
        #expect(tally.unnamedValues == 0 && tally.replacedCharacters == 0)
        var found: [String: Int] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let trimmed = line.drop { $0 == " " }
            guard trimmed.hasPrefix("<"), !trimmed.hasPrefix("</"), !trimmed.hasPrefix("<!") else {
                continue
            }
            let name = trimmed.dropFirst().prefix { $0.isLetter }
            found[String(name), default: 0] += 1
        }
        for (element, count) in tally.elements { #expect(found[element] == count, "\(element)") }
        #expect(found["ExportDate"] == 1 && found["Me"] == 1 && found["HealthData"] == 1)
    }

    @Test("members of a correlation stand at top level too, attribute for attribute")
    func twins() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 3, years: 1, records: 20_000))
        let text = String(decoding: simulation.exported().bytes, as: UTF8.self)
        func content(_ line: Substring) -> String {
            // The pointer differs between the two exports.
            let trimmed = line.drop { $0 == " " }
            guard let pointer = trimmed.range(of: "0x"),
                let end = trimmed[pointer.upperBound...].firstIndex(of: "&")
            else { return String(trimmed) }
            return trimmed[..<pointer.lowerBound] + String(trimmed[end...])
        }
        var top: [String: Int] = [:]
        var nested: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            if line.hasPrefix(" <Record") { top[content(line), default: 0] += 1 }
            if line.hasPrefix("  <Record") { nested[content(line), default: 0] += 1 }
        }
        #expect(nested.count > 200)
        for (record, count) in nested { #expect(top[record] == count) }
    }

    @Test("all dates carry the one offset of the export's morning")
    func offset() throws {
        let simulation = try Simulation(
            SimulatedPerson(seed: 1, years: 1, records: 15_000, end: CivilDate(2026, 1, 10)))
        let text = String(decoding: simulation.exported().bytes, as: UTF8.self)
        #expect(text.contains("<ExportDate value=\"2026-01-10 08:55:02 -0500\"/>"))
        #expect(!text.contains(" -0400\""))
    }

    @Test("the zip holds the same export and its route files, and is the same every time")
    func archive() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1, records: 15_000))
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var tallies: [ExportTally] = []
        for name in ["a.zip", "b.zip"] {
            var archive = try ExportArchive(
                path: folder.appendingPathComponent(name).path, header: simulation.header)
            for batch in simulation.batches { try archive.write(batch) }
            tallies.append(try archive.finish())
        }
        #expect(tallies[0] == tallies[1])
        #expect(tallies[0].routeFiles.count > 40)
        #expect(Set(tallies[0].routeFiles).count == tallies[0].routeFiles.count)
        let bytes = try ["a.zip", "b.zip"].map {
            try Data(contentsOf: folder.appendingPathComponent($0))
        }
        #expect(bytes[0] == bytes[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
}

@Suite(.inTestAll) struct ExportImportTests {
    @Test(
        "an imported simulation has no repairs or unknown elements, and is unchanged when repeated")
    func imported() throws {
        let simulation = try Simulation(
            SimulatedPerson(seed: 1, years: 1, records: 25_000, dailyApp: .present))
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("export.zip").path
        var archive = try ExportArchive(path: path, header: simulation.header)
        for batch in simulation.batches { try archive.write(batch) }
        let tally = try archive.finish()
        let report = try ExportImporter(
            path: path, store: folder.appendingPathComponent("health.sqlite").path,
            systemTimeZone: "UTC", now: simulation.exportDate + 60
        ).run()
        let nested = tally.elements["Correlation", default: 0] * 2
        #expect(report.isComplete && report.repairs.isEmpty && report.quarantineReasons.isEmpty)
        #expect(report.unknownElements.isEmpty && report.unknownAttributes.isEmpty)
        #expect(report.unknownTypes.isEmpty && report.unknownUnits.isEmpty)
        #expect(report.unknownValues.isEmpty)
        #expect(report.elements["Record"] == 25_000)
        #expect(report.outcome.records.repeated == nested)
        #expect(report.outcome.records.new == 25_000 - nested)
        #expect(report.outcome.workouts.new == tally.elements["Workout"])
        #expect(report.outcome.activitySummaries.new == 365)
        #expect(report.outcome.dayTotals.map(\.source) == ["DayCounter"])
        #expect(report.homeZone.identifier == "America/New_York")
        // The store's merged sum equals the simulated steps.
        let steps = try #require(report.doubleCounting.first { $0.type == "stepCount" })
        let walked = Double(simulation.groundTruth.days.reduce(0) { $0 + $1.steps })
        #expect(abs(steps.merged / walked - 1) < 0.01)
        #expect(steps.naive > walked * 1.8)
    }
}
