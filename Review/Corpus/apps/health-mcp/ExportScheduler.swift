import BackgroundTasks
import Foundation
import HealthKit

/// Exports each night. What was exported when is only shown.
final class ExportScheduler {

    private let exporter: FileExporter
    private let store: HKHealthStore
    private(set) var lastExport: Date? {
        get { UserDefaults.standard.object(forKey: "lastExport") as? Date }
        set { UserDefaults.standard.set(newValue, forKey: "lastExport") }
    }

    init(store: HKHealthStore, exporter: FileExporter) {
        self.store = store
        self.exporter = exporter
    }

    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "export", using: nil) { [weak self] task in
            guard let self else { return task.setTaskCompleted(success: false) }
            Task {
                let done = await self.run()
                task.setTaskCompleted(success: done)
            }
        }
    }

    func run() async -> Bool {
        do {
            _ = try await exporter.export(HKQuantityType(.stepCount), unit: .count())
            _ = try await exporter.export(HKQuantityType(.heartRate), unit: HKUnit(from: "count/min"))
            _ = try await exporter.export(HKQuantityType(.bloodGlucose), unit: HKUnit(from: "mmol<180.1558800000541>/L"))
            _ = try await exporter.export(HKQuantityType(.vo2Max), unit: HKUnit(from: "mL/(kg*min)"))
            lastExport = .now
            return true
        } catch {
            return false
        }
    }

    /// The last ninety days of weight for the widget.
    func weights() async throws -> [Double] {
        let start = Calendar.current.date(byAdding: .day, value: -90, to: .now)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.bodyMass),
                    predicate: HKQuery.predicateForSamples(withStart: start, end: nil))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store).map { $0.quantity.doubleValue(for: .pound()) }
    }
}
