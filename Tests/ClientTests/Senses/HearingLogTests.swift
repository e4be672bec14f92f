import Foundation
import HealthKit
import Testing

/// Hearing tests, with code in the manner of apps.
@Suite struct HearingLogTests {
    private let fixture: ClientFixture
    private let log: HearingLog
    private let day = Date(timeIntervalSinceReferenceDate: 7e8)

    init() async throws {
        fixture = try ClientFixture()
        log = HearingLog(healthStore: fixture.store)
        try await log.authorize()
    }

    @Test("a hearing test is saved and read with the levels of both ears")
    func levels() async throws {
        try await log.save(
            [(500, 10, 15), (1000, 12.5, 20), (2000, 15, nil), (4000, 22.5, 30), (8000, 40, 45)],
            on: day)
        let saved = try #require(try await log.all().first)
        #expect(log.pureToneAverage(of: saved, .left) == 15)
        #expect(log.pureToneAverage(of: saved, .right) == 65.0 / 3)
        let points = saved.sensitivityPoints
        #expect(
            points.map { $0.frequency.doubleValue(for: .hertz()) } == [500, 1000, 2000, 4000, 8000])
        #expect(points[2].tests.map(\.side) == [.left])
        #expect(saved.endDate.timeIntervalSince(saved.startDate) == 300)
        #expect(saved.metadata?[HKMetadataKeyExternalUUID] as? String == "A-1")
        #expect(saved.sampleType == HKObjectType.audiogramSampleType())
    }

    @Test("a masked test keeps its ear, masking, limit and device")
    func masked() async throws {
        try await log.saveMasked(hertz: 3000, level: 70, limit: 70, on: day)
        let saved = try #require(try await log.all().first)
        let test = try #require(saved.sensitivityPoints.first?.tests.first)
        #expect(saved.sensitivityPoints.first?.frequency.doubleValue(for: .hertz()) == 3000)
        #expect(test.masked && test.side == .right && test.type == .air)
        let limit = test.clampingRange?.upperBound
        #expect(limit?.doubleValue(for: .decibelHearingLevel()) == 70)
        #expect(test.clampingRange?.lowerBound == nil)
        #expect(saved.device?.name == "Audiometer")
    }

    @Test("an anchor returns each test once, and its deletion")
    func anchors() async throws {
        try await log.save([(1000, 10, 10)], on: day)
        let first = try await log.changes(since: nil)
        #expect(first.added.count == 1 && first.deleted.isEmpty)
        let saved = try #require(try await log.all().first)
        try await log.delete(saved)
        let second = try await log.changes(since: first.anchor)
        #expect(second.added.isEmpty && second.deleted.map(\.uuid) == [saved.uuid])
    }

    @Test("units that are no frequency or no hearing level are errors")
    func units() {
        #expect(throws: HKError.self) {
            try HKAudiogramSensitivityPoint(
                frequency: HKQuantity(unit: .meter(), doubleValue: 1), leftEarSensitivity: nil,
                rightEarSensitivity: nil)
        }
        #expect(throws: HKError.self) {
            try HKAudiogramSensitivityTest(
                sensitivity: HKQuantity(unit: .hertz(), doubleValue: 1), type: .air,
                masked: false, side: .left, clampingRange: nil)
        }
    }
}
