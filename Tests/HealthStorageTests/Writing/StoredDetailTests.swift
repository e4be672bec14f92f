import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Existing files must remain readable, and equal content must have equal text.
/// `OPENHEALTH_UPDATE_FIXTURES=1` records the texts again.
@Suite("structured parts are stored as recorded, to the byte")
struct StoredDetailTests {
    private static let fixture = ProjectFiles.fixtures.appendingPathComponent("stored-details.txt")

    /// One value of each kind, with all fields and with none.
    private static let details: [SampleDetail] = [
        .workout(Workout(activityType: 3000)),
        .workout(workout),
        .activitySummary(ActivitySummary(date: "2024-03-10")),
        .activitySummary(summary),
        .heartbeats([]),
        .heartbeats([
            Heartbeat(bpm: 61, time: "6:14:48.94 PM", offset: 0.98),
            Heartbeat(bpm: 60.5, time: "18:14:49,93"), Heartbeat(bpm: .nan, time: "\"\\/\n"),
            afterGap,
        ]),
        .series([]),
        .series([
            SeriesQuantity(start: 0, end: 60, value: 12),
            SeriesQuantity(start: 733_532_400.25, end: 733_532_460, value: 1.0 / 3),
            SeriesQuantity(start: -1e21, end: 1e300, value: -.leastNonzeroMagnitude),
        ]),
        .route([]),
        .route([
            point,
            RoutePoint(
                time: 1, latitude: -0.5, longitude: 0, altitude: .infinity, horizontalAccuracy: -1,
                verticalAccuracy: .nan, course: 359.9, speed: 1e-7),
        ]),
        .clinicalRecord(
            ClinicalRecord(
                resourceType: "Condition", identifier: "1", fhirVersion: "", displayName: "",
                resource: "{}")),
        .clinicalRecord(
            ClinicalRecord(
                resourceType: "Observation", identifier: "a/b", fhirVersion: "4.0.1",
                displayName: "Ä\"", sourceURL: "https://example.com/1",
                file: "/clinical-records/a.json", resource: "{\n\"a\": \"\u{1F600}/\\u0041\"}")),
        .document(
            ClinicalDocument(title: "", patientName: "", authorName: "", custodianName: "")),
        .document(
            ClinicalDocument(
                title: "T", patientName: "P", authorName: "A", custodianName: "C",
                text: "<a>&amp;</a>\r\n", base64: "AA==")),
        .verifiableClinicalRecord(
            VerifiableClinicalRecord(
                recordTypes: [], issuer: "", fullName: "", issued: 0, itemNames: [], data: "")),
        .verifiableClinicalRecord(
            VerifiableClinicalRecord(
                recordTypes: ["https://smarthealth.cards#immunization"],
                issuer: "https://example.com", fullName: "Jane C. Anyperson",
                dateOfBirth: "1951-01-20", issued: 6e8, expires: 7e8, itemNames: ["CVX 207"],
                sourceType: "SMARTHealthCard", data: "a.b.c")),
        .numbers([:]),
        .numbers([
            "kind": [1], "valence": [-0.25], "labels": [3, 17], "associations": [],
            "quo\"te/ü😀": [.nan, .infinity, 1.0 / 3, 1e21],
        ]),
        .medicationDose(MedicationDose(medication: "A", status: nil)),
        .medicationDose(
            MedicationDose(
                medication: "B", scheduleType: 2, status: 4, unit: "mg", amount: 0.5,
                scheduledAmount: 1, scheduled: 733_532_400.25)),
        .audiogram(Audiogram()),
        .audiogram(audiogram),
        .visionPrescription(VisionPrescription(type: 1)),
        .visionPrescription(prescription),
    ]

    private static let audiogram = Audiogram(points: [
        Audiogram.Point(
            frequency: RecordedQuantity(1.0 / 3, "kHz"),
            tests: [
                Audiogram.Test(
                    sensitivity: RecordedQuantity(-5, "dBHL"), side: 1, masked: true,
                    clamping: Audiogram.Clamping(lower: -10, upper: nil)),
                Audiogram.Test(sensitivity: RecordedQuantity(.nan, "dBHL"), side: 0),
            ])
    ])

    private static var prescription: VisionPrescription {
        var right = VisionPrescription.Lens(sphere: RecordedQuantity(-2.25, "D"))
        right.cylinder = RecordedQuantity(-0.75, "D")
        right.axis = RecordedQuantity(170, "deg")
        right.addPower = RecordedQuantity(1.5, "D")
        right.vertexDistance = RecordedQuantity(12, "mm")
        right.prism = VisionPrescription.Prism(
            .polar(amount: RecordedQuantity(1.5, "pD"), angle: RecordedQuantity(90, "deg")), eye: 2)
        right.farPupillaryDistance = RecordedQuantity(31.5, "mm")
        right.nearPupillaryDistance = RecordedQuantity(30, "mm")
        var left = VisionPrescription.Lens()
        left.prism = VisionPrescription.Prism(
            .rectangular(
                vertical: RecordedQuantity(1, "pD"), verticalBase: 1,
                horizontal: RecordedQuantity(2, "pD"), horizontalBase: 3), eye: 1)
        left.baseCurve = RecordedQuantity(8.6, "mm")
        left.diameter = RecordedQuantity(14.2, "mm")
        var prescription = VisionPrescription(
            type: 2, expiration: 733_532_400.25, brand: "Clear", rightEye: right, leftEye: left,
            attachments: ["A"])
        prescription.unknownTypeName = "Monocle"
        return prescription
    }

    private static var afterGap: Heartbeat {
        var beat = Heartbeat(bpm: .nan, time: "", offset: 2.25)
        beat.precededByGap = true
        return beat
    }

    private static let point = RoutePoint(
        time: 733_532_400.25, latitude: 47.123_456, longitude: 8.1, altitude: 400,
        horizontalAccuracy: 3, verticalAccuracy: 4, course: 90, speed: 2.5)

    private static var summary: ActivitySummary {
        var summary = ActivitySummary(date: "2024-03-10")
        summary.activeEnergyBurned = 412.5
        summary.activeEnergyBurnedGoal = 600
        summary.activeEnergyBurnedUnit = "kcal"
        summary.appleMoveTime = 1.0 / 3
        summary.appleMoveTimeGoal = 30
        summary.appleExerciseTime = 12
        summary.appleExerciseTimeGoal = 30
        summary.appleStandHours = 9
        summary.appleStandHoursGoal = 12
        return summary
    }

    private static var workout: Workout {
        var statistics = WorkoutStatistics(
            type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", start: 1, end: 2,
            sum: 0.1, average: 120.5, minimum: 60, maximum: 180)
        statistics.mostRecent = 99
        statistics.mostRecentStart = 1
        statistics.mostRecentEnd = 2
        statistics.duration = 0.5
        let event = WorkoutEvent(
            type: 1, unknownTypeName: "HKWorkoutEventTypeNew", start: 7, duration: 0.25,
            metadata: ["lap": .number(1), "at": .date(3.5), "pool": .quantity(25, unit: "m")])
        var leg = WorkoutActivity(
            uuid: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
            configuration: WorkoutActivityConfiguration(
                activityType: 46, locationType: 2, swimmingLocationType: 1, lapLength: 25,
                lapLengthUnit: "m"),
            start: 1, end: 2, duration: 1, events: [event], statistics: [statistics],
            metadata: ["name": .string("a/b \"c\"")])
        leg.effortSamples = ["A"]
        return Workout(
            activityType: 46, unknownActivityName: "HKWorkoutActivityTypeNew",
            duration: 1800.125, events: [event], activities: [leg], statistics: [statistics],
            routes: [
                WorkoutRoute(
                    start: 1, end: 2, path: "/workout-routes/route_1.gpx", points: [point],
                    storedPoints: 12, metadata: ["x": .number(.infinity)])
            ],
            zones: [
                WorkoutZoneGroup(
                    type: "HKQuantityTypeIdentifierHeartRate", source: "Watch",
                    unit: "count/min",
                    zones: [
                        WorkoutZone(maximum: 120, duration: 60),
                        WorkoutZone(minimum: 120, duration: 1.5),
                    ])
            ])
    }

    @Test("every kind of part is written as it was, and reads back")
    func bytes() throws {
        let texts = try Self.details.map { try StoredText.detail($0) }
        if ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1" {
            try Data(texts.map { $0 + "\n" }.joined().utf8).write(to: Self.fixture)
        }
        let recorded = try String(contentsOf: Self.fixture, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        try #require(recorded.count == texts.count)
        for (text, line) in zip(texts, recorded) {
            #expect(text.utf8.elementsEqual(line.utf8), "\(text)")
            // NaN isn't equal to itself, but its text is.
            #expect(try StoredText.detail(StoredText.detail(from: line)) == line)
        }
    }
}
