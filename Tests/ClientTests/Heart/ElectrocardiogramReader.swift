import Foundation
import HealthKit

/// Reads electrocardiograms and draws their curves, as a heart app does.
final class ElectrocardiogramReader: Sendable {
    /// A curve to draw.
    struct Curve: Equatable {
        var times: [TimeInterval] = []
        /// Millivolts.
        var voltages: [Double] = []
    }

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        try await healthStore.requestAuthorization(
            toShare: [], read: [HKObjectType.electrocardiogramType()])
    }

    /// Returns the electrocardiograms, latest first, with a query of the older kind.
    func all(matching predicate: NSPredicate? = nil) async throws -> [HKElectrocardiogram] {
        try await withCheckedThrowingContinuation { continuation in
            let newest = NSSortDescriptor(
                key: HKSampleSortIdentifierStartDate, ascending: false)
            let query = HKSampleQuery(
                sampleType: .electrocardiogramType(), predicate: predicate,
                limit: HKObjectQueryNoLimit, sortDescriptors: [newest]
            ) { _, samples, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: samples as? [HKElectrocardiogram] ?? [])
            }
            healthStore.execute(query)
        }
    }

    /// Returns the new electrocardiograms since an anchor.
    func new(
        since anchor: HKQueryAnchor?
    ) async throws -> (found: [HKElectrocardiogram], anchor: HKQueryAnchor) {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.electrocardiogram()], anchor: anchor
        ).result(for: healthStore)
        return (result.addedSamples, result.newAnchor)
    }

    /// Returns the curve with a query of the older kind.
    func curve(of electrocardiogram: HKElectrocardiogram) async throws -> Curve {
        let (stream, continuation) = AsyncThrowingStream<(TimeInterval, Double), any Error>
            .makeStream()
        let query = HKElectrocardiogramQuery(electrocardiogram) { _, result in
            switch result {
            case .measurement(let measurement):
                if let voltage = measurement.quantity(for: .appleWatchSimilarToLeadI) {
                    continuation.yield(
                        (
                            measurement.timeSinceSampleStart,
                            voltage.doubleValue(for: HKUnit.voltUnit(with: .milli))
                        ))
                }
            case .done: continuation.finish()
            case .error(let error): continuation.finish(throwing: error)
            @unknown default: continuation.finish()
            }
        }
        healthStore.execute(query)
        var curve = Curve()
        for try await (time, voltage) in stream {
            curve.times.append(time)
            curve.voltages.append(voltage)
        }
        return curve
    }

    /// Returns microvolts with the descriptor.
    func microvolts(of electrocardiogram: HKElectrocardiogram) async throws -> [Double] {
        var microvolts: [Double] = []
        let descriptor = HKElectrocardiogramQueryDescriptor(electrocardiogram)
        for try await measurement in descriptor.results(for: healthStore) {
            let voltage = measurement.quantity(for: .appleWatchSimilarToLeadI)
            microvolts.append(voltage?.doubleValue(for: .voltUnit(with: .micro)) ?? .nan)
        }
        return microvolts
    }

    /// A line for a list.
    func title(of electrocardiogram: HKElectrocardiogram) -> String {
        let finding =
            switch electrocardiogram.classification {
            case .sinusRhythm: "Sinus rhythm"
            case .atrialFibrillation: "Atrial fibrillation"
            case .inconclusiveLowHeartRate, .inconclusiveHighHeartRate,
                .inconclusivePoorReading, .inconclusiveOther:
                "Inconclusive"
            case .notSet: "Not classified"
            case .unrecognized: "Unrecognized"
            @unknown default: "?"
            }
        let unit = HKUnit.count().unitDivided(by: .minute())
        let rate = electrocardiogram.averageHeartRate?.doubleValue(for: unit)
        let symptoms = electrocardiogram.symptomsStatus == .present ? ", with symptoms" : ""
        return finding + (rate.map { ", \(Int($0)) BPM" } ?? "") + symptoms
    }
}
