import Foundation
import HealthKit

/// Everything of one type as CSV, page by page by anchor.
actor FileExporter {

    private let store: HKHealthStore
    private let folder: URL

    init(store: HKHealthStore, folder: URL) {
        self.store = store
        self.folder = folder
    }

    struct Row: Sendable {
        let id: UUID
        let start: Date
        let end: Date
        let value: Double
        let source: String
    }

    func export(_ type: HKQuantityType, unit: HKUnit) async throws -> URL {
        guard type.is(compatibleWith: unit) else { throw ToolError.badArgument(unit.unitString) }
        let file = folder.appending(component: "\(type.identifier).csv")
        var lines = ["uuid,start,end,value,source"]
        var anchor: HKQueryAnchor?
        var deleted: Set<UUID> = []
        while true {
            let result = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: type)], anchor: anchor, limit: 1_000
            ).result(for: store)
            deleted.formUnion(result.deletedObjects.map(\.uuid))
            for sample in result.addedSamples where !deleted.contains(sample.uuid) {
                lines.append(line(of: sample, unit: unit))
            }
            if result.addedSamples.isEmpty && result.deletedObjects.isEmpty { break }
            anchor = result.newAnchor
        }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return file
    }

    private func line(of sample: HKQuantitySample, unit: HKUnit) -> String {
        let dates = [sample.startDate, sample.endDate].map { $0.ISO8601Format() }
        return ([sample.uuid.uuidString] + dates + [
            "\(sample.quantity.doubleValue(for: unit))", sample.sourceRevision.source.name,
        ]).joined(separator: ",")
    }

    /// The dashboard's JSON: kilometres, kilograms, degrees.
    func dashboard(for day: Date) async throws -> Data {
        var values: [String: Double] = [:]
        let start = Calendar.current.startOfDay(for: day)
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: Calendar.current.date(byAdding: .day, value: 1, to: start))

        func sum(_ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit) async throws -> Double? {
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: HKQuantityType(identifier), predicate: predicate),
                options: .cumulativeSum
            ).result(for: store)?.sumQuantity()?.doubleValue(for: unit)
        }
        values["steps"] = try await sum(.stepCount, .count())
        values["distance"] = try await sum(.distanceWalkingRunning, .meterUnit(with: .kilo))
        values["energy"] = try await sum(.activeEnergyBurned, .kilocalorie())

        let walking = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.walkingSpeed), predicate: predicate),
            options: .discreteAverage)
        values["speed"] = try await walking.result(for: store)?
            .averageQuantity()?
            .doubleValue(for: .meter()) // finds unit-mismatch

        let oxygen = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.oxygenSaturation), predicate: predicate),
            options: [.discreteMin, .discreteAverage])
        values["oxygen"] = try await oxygen.result(for: store)?.minimumQuantity()?.doubleValue(for: .percent())
        return try JSONEncoder().encode(values)
    }
}
