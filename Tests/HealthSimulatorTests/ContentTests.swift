import HealthArchive
import HealthEngine
import HealthTesting
import Testing

@testable import HealthSimulator

@Suite(.inTestAll) struct ContentTests {
    private func recordElements(_ person: SimulatedPerson) throws -> Int {
        try #require(Simulation(person).exported().tally.elements["Record"])
    }

    @Test("the requested number of records is met", arguments: [12_500, 30_000, 80_000])
    func target(records: Int) throws {
        #expect(try recordElements(SimulatedPerson(seed: 6, years: 1, records: records)) == records)
    }

    @Test(
        "the number of records is met for any devices",
        arguments: SimulatedPerson.Devices.allCases)
    func targetByDevices(devices: SimulatedPerson.Devices) throws {
        let person = SimulatedPerson(
            seed: 6, years: 1, records: 40_000, devices: devices, dailyApp: .present)
        #expect(try recordElements(person) == 40_000)
    }

    @Test(
        "few records give few days, and their number is met",
        arguments: [50, 100, 1_000, 3_000, 7_000, 12_000])
    func fewRecords(records: Int) throws {
        let person = try SimulatedPerson(seed: 6, records: records).shortened()
        #expect(try recordElements(person) == records)
        let days = try Simulation(person).groundTruth.days.count
        #expect((records / 34...records / 12).contains(days) || days == 365, "\(days) days")
    }

    @Test("fewer records than one day has give one day with the minimum")
    func oneDay() throws {
        let person = try SimulatedPerson(seed: 6, records: 1).shortened()
        #expect(person.days == 1)
        #expect(person.records > 1 && person.records < 60)
        #expect(try recordElements(person) == person.records)
    }

    @Test("too few records for the requested days are rejected, with the minimum")
    func tooFewRecords() throws {
        var person = SimulatedPerson(seed: 6, years: 1, records: 100)
        let minimum = try person.minimumRecords()
        #expect(throws: SimulationError.tooFewRecords(100, days: 365, minimum: minimum)) {
            try Simulation(person)
        }
        person.records = minimum
        #expect(try recordElements(person) == minimum)
        person.records -= 1
        #expect(throws: SimulationError.tooFewRecords(minimum - 1, days: 365, minimum: minimum)) {
            try Simulation(person)
        }
    }

    @Test("a person with one device has no samples of the other")
    func devices() throws {
        for (devices, missing) in [
            (SimulatedPerson.Devices.phone, Recorder.watch), (.watch, .phone),
        ] {
            let simulation = try Simulation(
                SimulatedPerson(seed: 1, years: 1, records: 20_000, devices: devices))
            for batch in simulation.batches {
                #expect(!batch.origins.contains { $0.source == missing.rawValue }, "\(devices)")
            }
        }
    }

    @Test("the daily app writes midnight to midnight on most days, and only if it is there")
    func dailyApp() throws {
        for (dailyApp, expected) in [
            (SimulatedPerson.DailyApp.absent, 0...0), (.present, 300...350),
        ] {
            let simulation = try Simulation(
                SimulatedPerson(seed: 1, years: 1, records: 20_000, dailyApp: dailyApp))
            let steps = simulation.samples(of: "stepCount")
            let days = steps.samples.filter {
                steps.source(of: $0).bundleIdentifier == "com.example.daycounter"
            }
            #expect(expected.contains(days.count))
            // A flight east shortens a day to 19 hours; the flight back makes one of 29 hours.
            #expect(days.allSatisfy { (68_400...104_400).contains($0.end - $0.start) })
            #expect(days.count { $0.end - $0.start == 86_400 } >= days.count - 4)
        }
    }

    @Test("every sample lies between the first midnight and the export, in order, in whole seconds")
    func times() throws {
        let simulation = try Simulation(
            SimulatedPerson(seed: 9, years: 2, records: 200_000, dailyApp: .present))
        let midnights = simulation.calendar.homeMidnights
        let first = Double(try #require(midnights.first))
        let last = Double(try #require(midnights.last))
        for batch in simulation.batches {
            for sample in batch.samples {
                #expect(first <= sample.start && sample.start <= sample.end && sample.end <= last)
                #expect(sample.created >= sample.end)
                #expect(
                    sample.start.rounded() == sample.start && sample.end.rounded() == sample.end)
                #expect(Catalogue.type(code: sample.type) != nil)
            }
        }
    }

    @Test("each blood pressure has its two readings, each meal its nutrients")
    func correlations() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 2, years: 1, records: 20_000))
        var pressures = 0
        for batch in simulation.batches where !batch.parents.isEmpty {
            var members: [Int: Set<String>] = [:]
            for (member, parent) in batch.parents {
                let type = try #require(Catalogue.type(code: batch.samples[member].type))
                members[parent, default: []].insert(type.name)
                #expect(batch.samples[member].start == batch.samples[parent].start)
            }
            for names in members.values {
                #expect(
                    names == ["bloodPressureSystolic", "bloodPressureDiastolic"]
                        || names == ["dietaryEnergyConsumed", "dietaryProtein"])
                pressures += names.contains("bloodPressureSystolic") ? 1 : 0
            }
        }
        #expect(pressures > 80)
    }

    @Test("beats carry the local time of day with a narrow space, at home and away")
    func beats() throws {
        #expect(Simulation.clock(0, hundredths: 5) == "12:00:00.05\u{202F}AM")
        #expect(Simulation.clock(65_688, hundredths: 94) == "6:14:48.94\u{202F}PM")
        #expect(Simulation.clock(86_400 + 43_200, hundredths: 0) == "12:00:00.00\u{202F}PM")
        let simulation = try Simulation(SimulatedPerson(seed: 2, years: 1, records: 60_000))
        var lists = 0
        for batch in simulation.batches {
            for case .heartbeats(let beats) in batch.details.values {
                lists += 1
                #expect(beats.count > 20 && beats.allSatisfy { (30...120).contains($0.bpm) })
            }
        }
        #expect(lists > 300)
    }

    @Test("a break in a run is two events and no part of the duration")
    func pauses() throws {
        let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1, records: 20_000))
        var paused = 0
        var missingFiles = 0
        for batch in simulation.batches {
            for (index, detail) in batch.details {
                guard case .workout(let workout) = detail else { continue }
                let sample = batch.samples[index]
                let pauses = workout.events.filter { $0.type == 1 }.map(\.start)
                let resumes = workout.events.filter { $0.type == 2 }.map(\.start)
                #expect(pauses.count == resumes.count)
                let away = zip(pauses, resumes).reduce(0) { $0 + $1.1 - $1.0 }
                #expect(workout.duration == sample.end - sample.start - away)
                paused += pauses.count
                missingFiles += workout.routes.count { $0.points.isEmpty }
            }
        }
        #expect(paused > 10)
        #expect(missingFiles > 0)
    }
}
