public import Foundation
public import OpenHealthKit

/// Applies the actions of a ``DeviceScript`` to a store.
///
/// Every device writes through its own handle, so that its samples have its source. It requests
/// authorization to share the types it writes, as an app does. Actions are performed only by
/// ``run(until:)``.
public actor DevicePlayback {
    private var pending: ArraySlice<DeviceAction>
    private let handles: [HKHealthStore]
    private let clock: ManualClock?
    private var objects: [DeviceScript.Entry: HKObject] = [:]

    /// Creates a playback of all actions of a script.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - store: Any handle of the store to write into.
    ///   - clock: A clock that is advanced to the time of each action first, so that samples get
    ///     the creation dates of the script.
    public init(_ script: DeviceScript, store: HKHealthStore, clock: ManualClock? = nil) {
        pending = script.actions[...]
        handles = script.recorders.map { store.withIdentity($0.identity) }
        self.clock = clock
    }

    /// Performs all pending actions up to and including `date`, in order.
    ///
    /// - Parameter date: The time up to which actions are performed. Afterwards, the clock is
    ///   advanced to it. A clock that is already later stays.
    /// - Returns: The actions that were performed.
    /// - Throws: Errors of the store. The action that failed is no longer pending; later ones are.
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

    /// Returns the saved sample of an entry's latest version.
    ///
    /// - Parameter entry: An entry of the script.
    /// - Returns: The sample; nil before it is saved and after it is deleted.
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
    /// The record as a HealthKit sample.
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
