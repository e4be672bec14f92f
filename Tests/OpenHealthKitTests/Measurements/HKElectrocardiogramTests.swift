import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Electrocardiograms")
struct HKElectrocardiogramTests {
    private let fixture = StoreFixture()
    private let type = HKObjectType.electrocardiogramType()

    /// Stores electrocardiograms as a device sends them.
    private func write(_ details: [[String: [Double]]]) async throws -> [HKElectrocardiogram] {
        try await fixture.store.requestAuthorization(toShare: [], read: [type])
        let row = try #require(type.row)
        var batch = SampleBatch(
            sources: [Source(name: "ECG", bundleIdentifier: "com.apple.ecg")],
            origins: [Origin(source: 0)])
        for (index, numbers) in details.enumerated() {
            batch.samples.append(
                Sample(
                    type: row.code, origin: 0, start: 7e8 + Double(index),
                    end: 7e8 + Double(index) + 30))
            batch.details[index] = .numbers(numbers)
        }
        try fixture.store.connection.store.save(
            batch, uuids: details.map { _ in SampleUUID(UUID()) }, at: 0)
        return try await HKSampleQueryDescriptor(
            predicates: [.electrocardiogram()], sortDescriptors: []
        ).result(for: fixture.store)
    }

    @Test(
        "an electrocardiogram has its recorded findings, also when archived",
        .covers(
            "HKElectrocardiogram", "HKElectrocardiogram.averageHeartRate",
            "HKElectrocardiogram.classification", "HKElectrocardiogram.symptomsStatus",
            "HKElectrocardiogram.samplingFrequency",
            "HKElectrocardiogram.numberOfVoltageMeasurements",
            "HKSamplePredicate.electrocardiogram(_:)"))
    func findings() async throws {
        let found = try await write([
            [
                "voltages": [0.001, 0.002, 0.003], "times": [0, 0.5, 1], "classification": [2],
                "symptomsStatus": [2], "averageHeartRate": [97.5],
            ],
            ["classification": [77], "numberOfVoltageMeasurements": [5]],
        ])
        let first = try #require(found.first)
        for first in [first, try archived(first)] {
            #expect(first.classification == .atrialFibrillation)
            #expect(first.symptomsStatus == .present)
            let unit = HKUnit.count().unitDivided(by: .minute())
            #expect(first.averageHeartRate?.doubleValue(for: unit) == 97.5)
            #expect(first.samplingFrequency?.doubleValue(for: .hertz()) == 2)
            #expect(first.numberOfVoltageMeasurements == 3)
            #expect(first.sampleType == type)
        }
        let second = try #require(found.last)
        #expect(second.classification == .unrecognized)
        #expect(second.symptomsStatus == .notSet)
        #expect(second.averageHeartRate == nil && second.samplingFrequency == nil)
        #expect(second.numberOfVoltageMeasurements == 5)
    }

    @Test(
        "voltages are delivered with their times, and then the end",
        .covers(
            "HKElectrocardiogramQuery", "HKElectrocardiogramQuery.init(_:dataHandler:)",
            "HKElectrocardiogramQueryDescriptor", "HKElectrocardiogramQueryDescriptor.init(_:)",
            "HKElectrocardiogramQueryDescriptor.electrocardiogram",
            "HKElectrocardiogramQueryDescriptor.results(for:)",
            "HKElectrocardiogram.VoltageMeasurement",
            "HKElectrocardiogram.VoltageMeasurement.quantity(for:)",
            "HKElectrocardiogram.VoltageMeasurement.timeSinceSampleStart"))
    func voltages() async throws {
        let found = try await write([
            ["voltages": [250, .nan, -1.5], "offsets": [0, 0.125, 0.5]],
            ["microvolts": [1, 2], "samplingFrequency": [4]],
            ["classification": [1]],
        ])
        #expect(try await calls(found[0]) == ["0.0 250.0", "0.125 -", "0.5 -1.5", "done"])
        #expect(try await calls(found[1]) == ["0.0 1.0", "0.25 2.0", "done"])
        #expect(try await calls(found[2]) == ["done"])
        let descriptor = HKElectrocardiogramQueryDescriptor(found[1])
        #expect(descriptor.electrocardiogram === found[1])
        var volts: [Double?] = []
        for try await measurement in descriptor.results(for: fixture.store) {
            let quantity = measurement.quantity(for: .appleWatchSimilarToLeadI)
            volts.append(quantity?.doubleValue(for: .volt()))
        }
        #expect(volts == [0.000_001, 0.000_002])
    }

    private func text(_ measurement: HKElectrocardiogram.VoltageMeasurement) -> String {
        let quantity = measurement.quantity(for: .appleWatchSimilarToLeadI)
        let value = quantity.map { "\($0.doubleValue(for: .voltUnit(with: .micro)))" }
        return "\(measurement.timeSinceSampleStart) \(value ?? "-")"
    }

    private func calls(_ sample: HKElectrocardiogram) async throws -> [String] {
        let calls = Locked<[String]>([])
        return try await withCheckedThrowingContinuation { continuation in
            fixture.store.execute(
                HKElectrocardiogramQuery(sample) { _, result in
                    switch result {
                    case .measurement(let measurement):
                        calls { $0.append(text(measurement)) }
                    case .error(let error): continuation.resume(throwing: error)
                    case .done: continuation.resume(returning: calls { $0 } + ["done"])
                    }
                })
        }
    }

    @Test(
        "a query of a deleted electrocardiogram reports an error once",
        .covers("HKElectrocardiogramQuery.init(electrocardiogram:dataHandler:)"))
    func deleted() async throws {
        let found = try await write([["microvolts": [1, 2], "samplingFrequency": [4]]])
        let unknown = HKElectrocardiogram(
            _record: SampleRecord(
                type, start: .distantPast, end: .distantPast, device: nil, metadata: nil),
            numbers: [:])
        for (sample, expected) in [(found[0], [nil, nil, "true"]), (unknown, ["errorNoData"])] {
            let calls = Received<String?>()
            fixture.store.execute(
                HKElectrocardiogramQuery(electrocardiogram: sample) { _, voltage, done, error in
                    let code = (error as? HKError).map { "\($0.code)" }
                    calls(code ?? (voltage == nil ? "\(done)" : nil))
                })
            for value in expected { #expect(try await calls.next() == value) }
        }
    }

    @Test("predicates compare findings in the store as in memory")
    func predicates() async throws {
        _ = try await write([
            ["classification": [1], "symptomsStatus": [1], "averageHeartRate": [60]],
            ["classification": [2], "averageHeartRate": [120]], [:],
        ])
        let unit = HKUnit.count().unitDivided(by: .minute())
        let fast = NSPredicate(
            format: "%K >= %@", HKPredicateKeyPathAverageHeartRate,
            HKQuantity(unit: unit, doubleValue: 100))
        let cases: [(NSPredicate, Int)] = [
            (HKQuery.predicateForElectrocardiograms(classification: .sinusRhythm), 1),
            (HKQuery.predicateForElectrocardiograms(classification: .notSet), 1),
            (HKQuery.predicateForElectrocardiograms(symptomsStatus: .none), 1),
            (HKQuery.predicateForElectrocardiograms(symptomsStatus: .notSet), 2), (fast, 1),
        ]
        for (predicate, count) in cases {
            let found = try await HKSampleQueryDescriptor(
                predicates: [.electrocardiogram(predicate)], sortDescriptors: []
            ).result(for: fixture.store)
            #expect(found.count == count, "\(predicate)")
            #expect(found.allSatisfy { predicate.evaluate(with: $0) })
        }
    }
}
