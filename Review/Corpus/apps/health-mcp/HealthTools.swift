//  HealthMCP: answers an assistant's questions from the Health store of this phone, and exports.

import Foundation
import HealthKit

struct ToolCall: Decodable, Sendable {
    let name: String
    let arguments: [String: String]
}

enum ToolError: Error {
    case unknownTool(String)
    case badArgument(String)
    case unavailable
}

struct HealthTools {

    let store: HKHealthStore

    func answer(_ call: ToolCall) async throws -> String {
        guard HKHealthStore.isHealthDataAvailable() else { throw ToolError.unavailable }
        switch call.name {
        case "get_steps": return try await steps(call)
        case "get_heart_rate": return try await heartRate(call)
        case "get_workouts": return try await workouts(call)
        case "get_daily": return try await daily(call)
        case "get_sources": return try await sources(call)
        default: throw ToolError.unknownTool(call.name)
        }
    }

    private func interval(_ call: ToolCall) throws -> DateInterval {
        let formatter = ISO8601DateFormatter()
        guard let start = call.arguments["start"].flatMap(formatter.date(from:)),
            let end = call.arguments["end"].flatMap(formatter.date(from:)), start <= end
        else { throw ToolError.badArgument("start, end") }
        return DateInterval(start: start, end: end)
    }

    private func steps(_ call: ToolCall) async throws -> String {
        let interval = try interval(call)
        let predicate = HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var total = 0.0
        samples.forEach { total += $0.quantity.doubleValue(for: .count()) } // finds summed-samples
        return "\(Int(total)) steps in \(samples.count) samples"
    }

    private func heartRate(_ call: ToolCall) async throws -> String {
        let interval = try interval(call)
        let bpm = HKUnit.count().unitDivided(by: .minute())
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.heartRate),
                    predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)],
            limit: 5_000
        ).result(for: store)
        let values = samples.map { $0.quantity.doubleValue(for: bpm) }
        guard let low = values.min(), let high = values.max() else { return "no samples" }
        let mean = values.reduce(0, +) / Double(values.count)
        return "\(Int(low))–\(Int(high)), mean \(Int(mean))"
    }

    private func workouts(_ call: ToolCall) async throws -> String {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)],
            limit: Int(call.arguments["limit"] ?? "") ?? 20)
        let workouts = try await descriptor.result(for: store)
        let energy = workouts.reduce(0.0) {
            $0 + ($1.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
                .doubleValue(for: .kilocalorie()) ?? 0)
        }
        return "\(workouts.count) workouts, \(Int(energy)) kcal"
    }

    private func daily(_ call: ToolCall) async throws -> String {
        let interval = try interval(call)
        guard let name = call.arguments["type"] else { throw ToolError.badArgument("type") }
        let identifier = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifier" + name)
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else {
            throw ToolError.badArgument(name)
        }
        let preferred = try await store.preferredUnits(for: [type])
        guard let unit = preferred[type] else { throw ToolError.badArgument(name) }
        let options: HKStatisticsOptions =
            type.aggregationStyle == .cumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: type, predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)),
            options: options,
            anchorDate: Calendar.current.startOfDay(for: interval.start),
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
        return collection.statistics().map { statistics in
            let quantity = statistics.sumQuantity() ?? statistics.averageQuantity()
            return "\(statistics.startDate): \(quantity?.doubleValue(for: unit) ?? 0) \(unit)"
        }.joined(separator: "\n")
    }

    private func sources(_ call: ToolCall) async throws -> String {
        let type = HKQuantityType(.stepCount)
        let sources: Set<HKSource> = try await withCheckedThrowingContinuation { continuation in
            let query = HKSourceQuery(sampleType: type, samplePredicate: nil) { _, sources, error in
                if let error { continuation.resume(throwing: error) } else {
                    continuation.resume(returning: sources ?? [])
                }
            }
            store.execute(query)
        }
        return sources
            .sorted { $0.name < $1.name }
            .map { "\($0.name) (\($0.bundleIdentifier))" }
            .joined(separator: "\n")
    }
}
