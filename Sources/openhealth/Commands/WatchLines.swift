import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthSync
import OpenHealthKit
import Synchronization

/// A watched type, with its catalogue entry and its HealthKit type.
struct WatchedType: Sendable {
    let type: SampleType
    let sampleType: HKSampleType
    /// The unit of its values; nil for types that aren't quantities.
    let unit: HKUnit?

    var name: String { type.name }

    init(_ type: SampleType) {
        self.type = type
        sampleType =
            switch type.kind {
            case .quantity: HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
            case .category: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier))
            case .correlation:
                HKCorrelationType(HKCorrelationTypeIdentifier(rawValue: type.identifier))
            case .workout: HKObjectType.workoutType()
            case .activitySummary, .other: HKSampleType(_identifier: type.identifier)
            }
        unit = type.kind == .quantity ? type.resultUnit.map { HKUnit(from: $0) } : nil
    }

    /// Returns all sample types of the catalogue, and those that only this store has.
    static func all(in store: SampleStore) throws -> [WatchedType] {
        let known = Catalogue.types.filter { $0.kind != .activitySummary }
        let identifiers = Set(known.map(\.identifier))
        let present = try store.types().map(\.type).filter {
            $0.kind != .activitySummary && !identifiers.contains($0.identifier)
        }
        return (known + present).map(WatchedType.init)
    }
}

/// A destination of a watcher that prints each change as a line.
final class WatchLines: ChangeDestination {
    enum Format: Sendable { case text, json }

    private let types: [String: WatchedType]
    private let calendar: CalendarBuckets
    private let format: Format
    private let isWriting = Mutex(())
    private let failures: AsyncStream<any Error>
    private let failed: AsyncStream<any Error>.Continuation

    init(types: [WatchedType], calendar: CalendarBuckets, format: Format) {
        self.types = Dictionary(
            types.map { ($0.type.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        self.calendar = calendar
        self.format = format
        (failures, failed) = AsyncStream.makeStream(of: (any Error).self)
    }

    /// Waits until standard output can't be written, and returns the error; nil if the task is
    /// cancelled.
    func failure() async -> (any Error)? {
        for await failure in failures { return failure }
        return nil
    }

    func receive(_ batch: ChangeBatch) async throws {
        guard let type = types[batch.sampleType.identifier] else { return }
        do {
            try isWriting.withLock { _ in
                var output = Output()
                for sample in batch.added { try output.write(line(sample, type) + "\n") }
                for object in batch.deleted { try output.write(line(object, type) + "\n") }
                try output.flush()
            }
        } catch {
            failed.yield(error)
            throw error
        }
    }

    // MARK: - Lines

    private func line(_ sample: HKSample, _ type: WatchedType) -> String {
        switch format {
        case .json: json(sample, type).text
        case .text: text(sample, type)
        }
    }

    private func json(_ sample: HKSample, _ type: WatchedType) -> JSONText {
        let value = value(sample, type)
        return .object([
            "type": .string(type.type.identifier),
            "uuid": .string(sample.uuid.uuidString.lowercased()),
            "start": .string(calendar.text(sample.startDate.timeIntervalSinceReferenceDate)),
            "end": .string(calendar.text(sample.endDate.timeIntervalSinceReferenceDate)),
            "value": .amount(value),
            "valueName": valueName(sample, type).map(JSONText.string),
            "unit": .text(type.unit?.unitString),
            "source": .string(sample.sourceRevision.source.name),
            "bundleIdentifier": .string(sample.sourceRevision.source.bundleIdentifier),
        ])
    }

    /// Formats a sample, as in "saved    2024-03-10 08:00–08:10     842 count  stepCount  Watch".
    private func text(_ sample: HKSample, _ type: WatchedType) -> String {
        let head = "saved    " + span(sample).padded(to: 22) + "  "
        let amount = amount(sample, type)
        let words = head + (amount.isEmpty ? "" : amount.padded(to: 12, .right) + "  ") + type.name
        let source = sample.sourceRevision.source.name.printable
        return words + "  " + source.cut(to: max(12, 78 - words.displayWidth))
    }

    /// Formats an interval: "2024-03-10 08:00–08:10", or "2024-03-10 whole day" from one midnight
    /// to the next.
    private func span(_ sample: HKSample) -> String {
        let start = DateText.minute(sample.startDate.timeIntervalSinceReferenceDate, calendar)
        let end = DateText.minute(sample.endDate.timeIntervalSinceReferenceDate, calendar)
        if end == start { return start }
        let isMidnight = start.hasSuffix("00:00") && end.hasSuffix("00:00")
        return isMidnight && sample.endDate.timeIntervalSince(sample.startDate) < 90_001
            ? start.prefix(10) + " whole day" : start + "–" + end.suffix(5)
    }

    private func amount(_ sample: HKSample, _ type: WatchedType) -> String {
        if let name = valueName(sample, type) { return name }
        guard let value = value(sample, type), let unit = type.unit?.unitString else { return "" }
        let readable = ReadableUnit(unit, largest: abs(value))
        return readable.text(value) + " " + readable.symbol
    }

    private func value(_ sample: HKSample, _ type: WatchedType) -> Double? {
        if let sample = sample as? HKCategorySample { return Double(sample.value) }
        guard let quantity = (sample as? HKQuantitySample)?.quantity, let unit = type.unit,
            quantity.is(compatibleWith: unit)
        else { return nil }
        return quantity.doubleValue(for: unit)
    }

    private func valueName(_ sample: HKSample, _ type: WatchedType) -> String? {
        if let workout = sample as? HKWorkout {
            let code = workout.workoutActivityType.rawValue
            return Int(exactly: code).flatMap { Catalogue.workoutActivity($0)?.name } ?? "\(code)"
        }
        return (sample as? HKCategorySample).map { ValueName.name($0.value, of: type.type) }
    }

    /// Formats a deletion, which identifies the sample but doesn't contain its value.
    private func line(_ object: HKDeletedObject, _ type: WatchedType) -> String {
        let identifier = object.metadata?[HKMetadataKeySyncIdentifier] as? String
        let uuid = object.uuid.uuidString.lowercased()
        switch format {
        case .json:
            return JSONText.object([
                "type": .string(type.type.identifier),
                "uuid": .string(uuid),
                "deleted": .bool(true),
                "syncIdentifier": identifier.map(JSONText.string),
            ]).text
        case .text:
            return "deleted  \(uuid)  \(type.name)"
        }
    }
}
