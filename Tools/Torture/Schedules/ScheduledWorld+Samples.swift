import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

// Saves and deletes samples for the writers in a schedule.
extension ScheduledWorld {
    func save(_ fault: SyncFault) throws {
        let age: TimeInterval = fault.kind == .lateBatch ? 11 * 3600 : 0
        let numbers = fault.number..<(fault.number + max(1, fault.count))
        let objects = numbers.map { number in
            sample(
                number, fault.type, fault.writer, version: 1,
                start: start(of: number, before: age + Self.age(of: number)))
        }
        let phone = phone
        guard let handle = phone.handles[fault.writer] else { return }
        let batches = fault.kind == .observerStorm ? objects.map { [$0] } : [objects]
        for batch in batches {
            if Self.waiting({ handle.save(batch, withCompletion: $0) }) != nil { continue }
            for object in batch { note(object, fault.type, fault.writer, version: 1) }
        }
    }

    func saveAgain(_ fault: SyncFault) throws {
        guard let record = state.withLock({ $0.records[fault.number] }),
            record.phone == phoneNumber, let old = record.object,
            let handle = phone.handles[record.writer]
        else { return }
        guard fault.kind != .duplicateUUID else {
            if Self.waiting({ handle.save([old], withCompletion: $0) }) == nil, !record.isLive {
                note(old, record.type, record.writer, version: record.version)
            }
            return
        }
        guard record.isSynced else { return }
        let version: Int
        switch fault.kind {
        case .edit: version = record.version + 1
        case .lowerVersion: version = record.version - 1
        default: version = record.version
        }
        let new = sample(
            fault.number, record.type, record.writer, version: version, start: old.startDate)
        guard Self.waiting({ handle.save([new], withCompletion: $0) }) == nil else { return }
        // After a deletion the sync identifier is unused, so any version is accepted.
        if version > record.version || !record.isLive {
            note(new, record.type, record.writer, version: version)
        }
    }

    /// Deletes the samples with a number, those of the app too. Does nothing if the latest export
    /// contains the number.
    func delete(_ number: Int, at moment: Int) throws {
        let stored = try contents().filter { $0.number == number }
        guard !stored.isEmpty, state.withLock({ $0.imported[number] }) == nil else { return }
        for sample in stored {
            guard let uuid = SampleUUID(sample.uuid.uuidString) else { continue }
            try phone.file.delete([uuid], by: sample.bundleIdentifier)
        }
        state.withLock { state in
            state.records[number]?.isLive = false
            state.deletions[number] = moment
            state.deletedValues[number] = stored.last?.value
        }
    }

    // MARK: The app's own weights

    /// Returns the time of a weight of the app, always the same for a number.
    func date(ofWeight number: Int) -> Date {
        lock.lock()
        defer { lock.unlock() }
        if let known = state.withLock({ $0.records[number]?.start }) {
            return Date(timeIntervalSinceReferenceDate: known)
        }
        // Every third weight was measured before it is entered: by the age of its number.
        let date = start(of: number, before: number % 3 == 0 ? Self.age(of: number) : 0)
        state.withLock { state in
            state.records[number] = ScheduledRecord(
                type: .bodyMass, writer: .app, start: date.timeIntervalSinceReferenceDate,
                isLive: false, phone: state.phones.count - 1)
        }
        return date
    }

    /// Returns the value of a version of a weight of the app, in kilograms.
    static func kilograms(ofWeight number: Int, version: Int) -> Double {
        ScheduledType.bodyMass.value(number: number, version: version)
    }

    // MARK: Samples

    private func sample(
        _ number: Int, _ type: ScheduledType, _ writer: ScheduledWriter, version: Int, start: Date
    ) -> HKSample {
        var metadata: [String: Any] = [HKMetadataKeyTimeZone: state.withLock { $0.zone }]
        // Every third sample has no sync identifier.
        if number % 3 != 0 {
            metadata[HKMetadataKeySyncIdentifier] = "\(writer.rawValue)-\(number)"
            metadata[HKMetadataKeySyncVersion] = version
        }
        let end = start.addingTimeInterval(type.duration)
        let value = type.value(number: number, version: version)
        guard let unit = type.unit else {
            return HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: Int(clamping: value), start: start,
                end: end,
                metadata: metadata)
        }
        return HKQuantitySample(
            type: type.quantityType, quantity: HKQuantity(unit: unit, doubleValue: value),
            start: start, end: end, metadata: metadata)
    }

    private func note(
        _ object: HKSample, _ type: ScheduledType, _ writer: ScheduledWriter, version: Int
    ) {
        state.withLock { state in
            let number = Self.number(at: object.startDate.timeIntervalSinceReferenceDate)
            state.records[number] = ScheduledRecord(
                type: type, writer: writer, start: object.startDate.timeIntervalSinceReferenceDate,
                version: version, phone: state.phones.count - 1, object: object)
        }
    }

    /// Returns the age in seconds at which a sample is saved: less than eight days, but 100 days
    /// for one number in forty.
    static func age(of number: Int) -> TimeInterval {
        number % 40 == 39 ? 100 * 86_400 : Double(number % 40) * 5 * 3600
    }

    var phoneNumber: Int { state.withLock { $0.phones.count - 1 } }

    // A start time encodes the number of the sample: a whole minute plus `number` milliseconds.
    func start(of number: Int, before age: TimeInterval) -> Date {
        Self.start(of: number, at: clock.now.addingTimeInterval(-age))
    }

    /// Returns the start of a sample: the whole minute at or before a date, plus `number`
    /// milliseconds.
    static func start(of number: Int, at date: Date) -> Date {
        let minute = (date.timeIntervalSinceReferenceDate / 60).rounded(.down) * 60
        return Date(timeIntervalSinceReferenceDate: minute + Double(number) / 1000)
    }

    static func number(at start: Double) -> Int {
        Int(clamping: (start.truncatingRemainder(dividingBy: 60) * 1000).rounded())
    }
}

extension ScheduledType {
    /// The quantity type. Meaningless for sleep analysis, which is a category.
    var quantityType: HKQuantityType {
        switch self {
        case .bodyMass, .sleepAnalysis: HKQuantityType(.bodyMass)
        case .stepCount: HKQuantityType(.stepCount)
        case .heartRate: HKQuantityType(.heartRate)
        }
    }
}
