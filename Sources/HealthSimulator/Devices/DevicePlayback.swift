public import Foundation
public import OpenHealthKit

/// Does in a store what a ``DeviceScript`` says, when it is told how late it is.
///
/// Every device writes through a handle of its own, so that its samples have its source, and asks to
/// share what it writes, as an app does. Nothing happens by itself: ``run(until:)`` is the passing of
/// time.
public actor DevicePlayback {
    private var pending: ArraySlice<DeviceAction>
    private let handles: [HKHealthStore]
    private let clock: ManualClock?
    private var objects: [DeviceScript.Entry: HKObject] = [:]

    /// - Parameters:
    ///   - store: Any handle of the store to write into.
    ///   - clock: Set to the time of each action before it is done, so that samples are created when
    ///     the script says.
    public init(_ script: DeviceScript, store: HKHealthStore, clock: ManualClock? = nil) {
        pending = script.actions[...]
        handles = script.recorders.map { store.withIdentity($0.identity) }
        self.clock = clock
    }

    /// Does everything that is due up to and including `date`, in order.
    ///
    /// - Returns: What was done.
    /// - Throws: What the store throws; the action that failed is not tried again.
    @discardableResult
    public func run(until date: Date) async throws -> [DeviceAction] {
        var done: [DeviceAction] = []
        while let action = pending.first, action.date <= date {
            pending.removeFirst()
            move(to: action.date)
            try await perform(action)
            done.append(action)
        }
        move(to: date)
        return done
    }

    /// The sample that an entry's latest version became; nil before it is written and after it is
    /// deleted.
    public func object(of entry: DeviceScript.Entry) -> HKObject? { objects[entry] }

    private func move(to date: Date) {
        guard let clock, date > clock.now else { return }
        clock.advance(by: date.timeIntervalSince(clock.now))
    }

    private func perform(_ action: DeviceAction) async throws {
        let handle = handles[action.device.index]
        let samples = action.records.map { $0.sample }
        if !samples.isEmpty {
            try await handle.requestAuthorization(
                toShare: Set(samples.map(\.sampleType)), read: [])
            try await handle.save(samples)
        }
        for (record, sample) in zip(action.records, samples) { objects[record.entry] = sample }
        let deleted = action.deletions.compactMap { objects.removeValue(forKey: $0) }
        if !deleted.isEmpty { try await handle.delete(deleted) }
    }
}

extension DeviceAction.Record {
    /// The record as HealthKit's sample.
    fileprivate var sample: HKSample {
        var metadata: [String: Any] = [:]
        if let timeZone { metadata[HKMetadataKeyTimeZone] = timeZone }
        if let syncIdentifier {
            metadata[HKMetadataKeySyncIdentifier] = syncIdentifier
            metadata[HKMetadataKeySyncVersion] = version
        }
        switch reading {
        case .quantity(let type, let value, let unit):
            return HKQuantitySample(
                type: HKQuantityType(type),
                quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
                end: end, metadata: metadata.isEmpty ? nil : metadata)
        case .category(let type, let value):
            return HKCategorySample(
                type: HKCategoryType(type), value: value, start: start, end: end,
                metadata: metadata.isEmpty ? nil : metadata)
        }
    }
}
