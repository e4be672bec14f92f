import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct ChangesSampleTests {
    private let day = ChangesText.day

    @Test("a quantity sample has its identity, exact times, value, unit, source and device")
    func quantity() throws {
        let fields = #"""
            "created":"2026-03-01T08:10:02.5Z","value":0.1,"unit":"mi",
            "source":{"name":"Sam’s Watch","bundleIdentifier":"com.apple.health.1A",
              "version":"11.2","productType":"Watch7,5","operatingSystemVersion":"11.2.0"},
            "device":{"name":"Apple Watch","manufacturer":"Apple Inc.","model":"Watch",
              "hardwareVersion":"Watch7,5","firmwareVersion":"f1","softwareVersion":"11.2",
              "localIdentifier":"L1","udiDeviceIdentifier":"U1"},
            "metadata":{"HKTimeZone":"Europe/Paris","HKWasUserEntered":true,"HKMETs":2.5,
              "when":{"date":"2026-03-01T07:00:00.125Z"},"temp":{"value":47.6,"unit":"degF"},
              "none":null}
            """#
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, "HKQuantityTypeIdentifierDistanceWalkingRunning", fields)
        ])
        let sample = try #require(intake.samples.first)
        #expect(intake.samples.count == 1)
        #expect(sample.type == "distanceWalkingRunning")
        #expect(sample.identity == .healthKit(ChangesText.sampleUUID(1)))
        #expect(sample.start == day + 28_800)
        #expect(sample.end == day + 29_400)
        #expect(sample.value == 0.1)
        #expect(sample.unit == "mi")
        #expect(sample.source.name == "Sam’s Watch")
        #expect(sample.source.bundleIdentifier == "com.apple.health.1A")
        #expect(sample.origin.version == "11.2")
        #expect(sample.origin.productType == "Watch7,5")
        #expect(sample.origin.operatingSystemVersion == "11.2.0")
        #expect(
            sample.origin.device
                == Device(
                    name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch",
                    hardwareVersion: "Watch7,5", firmwareVersion: "f1", softwareVersion: "11.2",
                    localIdentifier: "L1", udiDeviceIdentifier: "U1"))
        #expect(
            sample.metadata == [
                "HKTimeZone": .string("Europe/Paris"), "HKWasUserEntered": .number(1),
                "HKMETs": .number(2.5), "when": .date(day + 25_200.125),
                "temp": .quantity(47.6, unit: "degF"),
            ])
    }

    @Test("the creation time of a sample is kept, and missing without one")
    func created() throws {
        var times: [Double] = []
        let body = [
            ChangesText.header, ChangesText.steps(1),
            ChangesText.sample(
                2, "HKQuantityTypeIdentifierStepCount",
                #""value":1,"unit":"count","created":"2026-03-01T09:00:00.25Z""#),
        ].joined(separator: "\n")
        _ = try IntakeRequest(.changes, IntakeBody(body), receivedAt: 0).readPages { page in
            times += page.samples.samples.map(\.created)
        }
        #expect(times.first?.isNaN == true)
        #expect(times.last == day + 32_400.25)
    }

    @Test("a category sample has the raw value of its enumeration")
    func category() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, "HKCategoryTypeIdentifierSleepAnalysis", #""value":4"#),
            ChangesText.sample(2, "HKCategoryTypeIdentifierSleepAnalysis", #""value":4.5"#),
        ])
        #expect(intake.samples.map(\.value) == [4])
        #expect(intake.samples.map(\.unit) == [nil])
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.field) == ["value"])
    }

    @Test("members of a correlation are found before and after it in the page")
    func correlation() throws {
        func pressure(_ number: Int, _ side: String, _ value: Int) -> String {
            ChangesText.sample(
                number, "HKQuantityTypeIdentifierBloodPressure" + side,
                #""value":\#(value),"unit":"mmHg""#)
        }
        let intake = try CollectedIntake(changes: [
            pressure(2, "Systolic", 121),
            ChangesText.sample(
                1, "HKCorrelationTypeIdentifierBloodPressure",
                #""members":["\#(ChangesText.uuid(2))","\#(ChangesText.uuid(3))"]"#),
            pressure(3, "Diastolic", 79), pressure(4, "Diastolic", 80),
        ])
        #expect(
            intake.samples.map(\.type) == [
                "bloodPressureSystolic", "bloodPressure", "bloodPressureDiastolic",
                "bloodPressureDiastolic",
            ])
        #expect(intake.samples.map(\.parent) == [1, nil, 1, nil])
        #expect(intake.samples.map(\.value).filter { !$0.isNaN } == [121, 79, 80])
    }

    @Test("a member in another page than its correlation is stored without the membership")
    func memberInAnotherPage() throws {
        let correlation = ChangesText.sample(
            1, "HKCorrelationTypeIdentifierFood", #""members":["\#(ChangesText.uuid(2))"]"#)
        let energy = ChangesText.sample(
            2, "HKQuantityTypeIdentifierDietaryEnergyConsumed", #""value":90,"unit":"kcal""#)
        let whole = try CollectedIntake(changes: [correlation, energy])
        #expect(whole.samples.map(\.parent) == [nil, 0])
        let divided = try CollectedIntake(changes: [correlation, energy], limit: 1)
        #expect(divided.samples.map(\.parent) == [nil, nil])
        #expect(divided.samples.map(\.type) == ["food", "dietaryEnergyConsumed"])
    }

    @Test("deletions have HealthKit’s UUID, and a reason if it isn’t a deletion")
    func deletions() throws {
        let intake = try CollectedIntake(changes: [
            #"{"kind":"deletion","uuid":"\#(ChangesText.uuid(7))"}"#,
            #"{"kind":"deletion","uuid":"\#(ChangesText.uuid(8))","reason":"notFound"}"#,
            #"{"kind":"deletion","uuid":"\#(ChangesText.uuid(9))","reason":"moved"}"#,
            #"{"kind":"deletion","uuid":"7"}"#,
        ])
        #expect(
            intake.deletions == [
                IntakeDeletion(uuid: ChangesText.sampleUUID(7), reason: .deleted, index: 0),
                IntakeDeletion(uuid: ChangesText.sampleUUID(8), reason: .notFound, index: 1),
            ])
        #expect(intake.unknown.map(\.name) == ["deletion.reason"])
        #expect(intake.rejections.map(\.reason) == [.identifier])
    }

    @Test("a series has each quantity in the unit of its sample, in order of start")
    func series() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKQuantityTypeIdentifierHeartRate",
                #"""
                "value":61.5,"unit":"count/min","detail":{"series":[
                {"start":"2026-03-01T08:05:00.1Z","end":"2026-03-01T08:05:00.1Z","value":63},
                {"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:00:01Z","value":60}]}
                """#)
        ])
        let start = day + 29_100.1
        #expect(
            intake.samples.first?.detail
                == .series([
                    SeriesQuantity(start: day + 28_800, end: day + 28_801, value: 60),
                    SeriesQuantity(start: start, end: start, value: 63),
                ]))
    }
}
