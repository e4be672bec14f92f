import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Audiograms")
struct HKAudiogramTests {
    private let fixture = StoreFixture()
    private let type = HKObjectType.audiogramSampleType()

    private func level(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .decibelHearingLevel(), doubleValue: value)
    }

    private func hertz(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .hertz(), doubleValue: value)
    }

    private func save(_ sample: HKAudiogramSample) async throws -> HKAudiogramSample {
        try await fixture.store.requestAuthorization(toShare: [type], read: [type])
        try await fixture.store.save(sample)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.audiogram(HKQuery.predicateForObject(with: sample.uuid))],
            sortDescriptors: []
        ).result(for: fixture.store)
        return try #require(found.first)
    }

    @Test(
        "points, tests and limits come back bit by bit in their units, also when archived",
        .covers(
            "HKAudiogramSample",
            "HKAudiogramSample.init(sensitivityPoints:start:end:device:metadata:)",
            "HKAudiogramSample.sensitivityPoints", "HKAudiogramSensitivityPoint",
            "HKAudiogramSensitivityPoint.frequency", "HKAudiogramSensitivityPoint.tests",
            "HKAudiogramSensitivityPoint.init(frequency:tests:)", "HKAudiogramSensitivityTest",
            "HKAudiogramSensitivityTest.init(sensitivity:type:masked:side:clampingRange:)",
            "HKAudiogramSensitivityTest.sensitivity", "HKAudiogramSensitivityTest.type",
            "HKAudiogramSensitivityTest.masked", "HKAudiogramSensitivityTest.side",
            "HKAudiogramSensitivityTest.clampingRange", "HKAudiogramConductionType",
            "HKAudiogramConductionType.air", "HKAudiogramSensitivityTestSide",
            "HKAudiogramSensitivityTestSide.left", "HKAudiogramSensitivityTestSide.right",
            "HKAudiogramSensitivityPointClampingRange",
            "HKAudiogramSensitivityPointClampingRange.init(lowerBound:upperBound:)",
            "HKAudiogramSensitivityPointClampingRange.lowerBound",
            "HKAudiogramSensitivityPointClampingRange.upperBound",
            "HKSamplePredicate.audiogram(_:)"))
    func contents() async throws {
        let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: 85.5)
        let kilohertz = HKQuantity(unit: .hertzUnit(with: .kilo), doubleValue: 0.1 + 0.2)
        let points = [
            try HKAudiogramSensitivityPoint(
                frequency: kilohertz,
                tests: [
                    try HKAudiogramSensitivityTest(
                        sensitivity: level(1.0 / 3), type: .air, masked: true, side: .right,
                        clampingRange: range),
                    try HKAudiogramSensitivityTest(
                        sensitivity: level(-5), type: .air, masked: false, side: .left,
                        clampingRange: nil),
                    try HKAudiogramSensitivityTest(
                        sensitivity: level(7), type: .air, masked: false, side: .right,
                        clampingRange: nil),
                ]),
            try HKAudiogramSensitivityPoint(frequency: hertz(8000), tests: []),
        ]
        let saved = try await save(
            HKAudiogramSample(
                sensitivityPoints: points, start: fixture.date(), end: fixture.date(60),
                device: .local(), metadata: ["room": "A"]))
        for sample in [saved, try archived(saved)] {
            #expect(sample.sensitivityPoints == points)
            let first = try #require(sample.sensitivityPoints.first)
            #expect(first.frequency.value == 0.1 + 0.2)
            #expect(first.frequency.unit.unitString == "kHz")
            #expect(first.tests.map(\.sensitivity.value) == [1.0 / 3, -5, 7])
            #expect(first.tests.map(\.side) == [.right, .left, .right])
            #expect(first.tests.map(\.masked) == [true, false, false])
            #expect(first.tests.map(\.type) == [.air, .air, .air])
            #expect(first.tests[0].clampingRange == range)
            #expect(first.tests[0].clampingRange?.lowerBound?.value == -10)
            #expect(first.tests[0].clampingRange?.upperBound?.value == 85.5)
            #expect(first.tests[1].clampingRange == nil)
            #expect(sample.sampleType == type && sample.metadata?["room"] as? String == "A")
        }
        #expect(try archived(points[0]) == points[0])
        #expect(try archived(points[0].tests[0]) == points[0].tests[0])
        #expect(try archived(range) == range)
        #expect(points[0] != points[1] && points[0].tests[0] != points[0].tests[2])
    }

    @Test(
        "the older form has one level for each ear",
        .covers(
            "HKAudiogramSample.init(sensitivityPoints:start:end:metadata:)",
            "HKAudiogramSensitivityPoint.init(frequency:leftEarSensitivity:rightEarSensitivity:)"))
    func ears() async throws {
        let point = try HKAudiogramSensitivityPoint(
            frequency: hertz(1000), leftEarSensitivity: nil, rightEarSensitivity: level(25))
        let saved = try await save(
            HKAudiogramSample(
                sensitivityPoints: [point], start: fixture.date(), end: fixture.date(),
                metadata: nil))
        let found = try #require(saved.sensitivityPoints.first)
        #expect(found.leftEarSensitivity == nil)
        #expect(found.rightEarSensitivity?.value == 25)
        #expect(found.tests.count == 1 && found.tests.first?.masked == false)
    }

    @Test("other units, and limits that limit nothing, are errors of the initializers")
    func invalidParts() {
        func code(_ body: () throws -> Void) -> HKError.Code? {
            do {
                try body()
                return nil
            } catch { return (error as? HKError)?.code }
        }
        let parts: [() throws -> Void] = [
            { _ = try HKAudiogramSensitivityPoint(frequency: level(1), tests: []) },
            {
                _ = try HKAudiogramSensitivityTest(
                    sensitivity: hertz(1), type: .air, masked: false, side: .left,
                    clampingRange: nil)
            },
            {
                _ = try HKAudiogramSensitivityPoint(
                    frequency: hertz(1), leftEarSensitivity: hertz(1), rightEarSensitivity: nil)
            },
            { _ = try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: nil) },
            { _ = try HKAudiogramSensitivityPointClampingRange(lowerBound: 5, upperBound: 5) },
            {
                _ = try HKAudiogramSensitivityPointClampingRange(
                    lowerBound: NSNumber(value: Double.nan), upperBound: 5)
            },
        ]
        for (index, part) in parts.enumerated() {
            #expect(code(part) == .errorInvalidArgument, "part \(index)")
        }
    }

    @Test("save refuses more than 30 points, a frequency of 0 and levels that are no numbers")
    func invalidSamples() async throws {
        try await fixture.store.requestAuthorization(toShare: [type], read: [])
        func sample(_ count: Int, _ frequency: Double, _ sensitivity: Double) throws
            -> HKAudiogramSample
        {
            let point = try HKAudiogramSensitivityPoint(
                frequency: hertz(frequency), leftEarSensitivity: level(sensitivity),
                rightEarSensitivity: nil)
            return HKAudiogramSample(
                sensitivityPoints: Array(repeating: point, count: count), start: fixture.date(),
                end: fixture.date(), metadata: nil)
        }
        try await fixture.store.save(try sample(30, 1000, 10))
        for invalid in [
            try sample(31, 1000, 10), try sample(1, 0, 10), try sample(1, -1, 10),
            try sample(1, .infinity, 10), try sample(1, 1000, .nan),
        ] {
            let error = await #expect(throws: HKError.self) {
                try await fixture.store.save(invalid)
            }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    @Test("lists of numbers that a device sent, and points in unknown units, don't trap")
    func imported() {
        let record = SampleRecord(
            type, start: fixture.date(), end: fixture.date(), device: nil, metadata: nil)
        let numbers = SampleDetail.numbers(["leftFrequencies": [1000], "leftSensitivities": [12]])
        let sent = SampleObjects.measurement(record, numbers) as? HKAudiogramSample
        #expect(sent?.sensitivityPoints.first?.leftEarSensitivity?.value == 12)
        let odd = HKAudiogramSample(
            _record: record,
            content: Audiogram(points: [
                Audiogram.Point(frequency: RecordedQuantity(1, "bananas")),
                Audiogram.Point(
                    frequency: RecordedQuantity(1, "Hz"),
                    tests: [
                        Audiogram.Test(sensitivity: RecordedQuantity(1, "m"), side: 0),
                        Audiogram.Test(sensitivity: RecordedQuantity(1, "dBHL"), side: 9),
                        Audiogram.Test(sensitivity: RecordedQuantity(1, "dBHL"), side: 1),
                    ]),
            ]))
        #expect(odd.sensitivityPoints.map(\.tests.count) == [1])
        #expect((SampleObjects.measurement(record, nil) as? HKAudiogramSample) != nil)
    }
}
