import Foundation
import HealthKit

/// Keeps a person's hearing tests, in the manner of a hearing aid's companion app.
final class HearingLog {
    private let healthStore: HKHealthStore
    private let type = HKObjectType.audiogramSampleType()

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        try await healthStore.requestAuthorization(toShare: [type], read: [type])
    }

    /// Saves a pure tone test: the levels of both ears by frequency.
    func save(_ levels: [(hertz: Double, left: Double?, right: Double?)], on date: Date)
        async throws
    {
        func level(_ value: Double?) -> HKQuantity? {
            value.map { HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0) }
        }
        let points = try levels.map {
            try HKAudiogramSensitivityPoint(
                frequency: HKQuantity(unit: .hertz(), doubleValue: $0.hertz),
                leftEarSensitivity: level($0.left), rightEarSensitivity: level($0.right))
        }
        let sample = HKAudiogramSample(
            sensitivityPoints: points, start: date, end: date.addingTimeInterval(300),
            metadata: [HKMetadataKeyExternalUUID: "A-1"])
        try await healthStore.save(sample)
    }

    /// Saves a test of one ear, with noise on the other one and a device that measures up to a
    /// limit.
    func saveMasked(hertz: Double, level: Double, limit: Double, on date: Date) async throws {
        let range = try HKAudiogramSensitivityPointClampingRange(
            lowerBound: nil, upperBound: NSNumber(value: limit))
        let test = try HKAudiogramSensitivityTest(
            sensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: level),
            type: .air, masked: true, side: .right, clampingRange: range)
        let point = try HKAudiogramSensitivityPoint(
            frequency: HKQuantity(unit: .hertzUnit(with: .kilo), doubleValue: hertz / 1000),
            tests: [test])
        try await healthStore.save(
            HKAudiogramSample(
                sensitivityPoints: [point], start: date, end: date,
                device: HKDevice(
                    name: "Audiometer", manufacturer: nil, model: "A1", hardwareVersion: nil,
                    firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                    udiDeviceIdentifier: nil),
                metadata: nil))
    }

    func all() async throws -> [HKAudiogramSample] {
        try await HKSampleQueryDescriptor(
            predicates: [.audiogram()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }

    /// The average level of an ear at 500, 1000, 2000 and 4000 Hz.
    func pureToneAverage(
        of sample: HKAudiogramSample, _ side: HKAudiogramSensitivityTestSide
    ) -> Double? {
        let levels = sample.sensitivityPoints
            .filter { [500, 1000, 2000, 4000].contains($0.frequency.doubleValue(for: .hertz())) }
            .flatMap(\.tests).filter { $0.side == side }
            .map { $0.sensitivity.doubleValue(for: .decibelHearingLevel()) }
        return levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
    }

    /// The changes since an anchor, with a completion handler.
    func changes(
        since anchor: HKQueryAnchor?
    ) async throws -> (added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor?) {
        try await withCheckedThrowingContinuation { continuation in
            healthStore.execute(
                HKAnchoredObjectQuery(
                    type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
                ) { _, added, deleted, anchor, error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: (added ?? [], deleted ?? [], anchor))
                    }
                })
        }
    }

    func delete(_ sample: HKAudiogramSample) async throws { try await healthStore.delete(sample) }
}
