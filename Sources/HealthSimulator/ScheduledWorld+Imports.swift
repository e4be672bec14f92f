import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

// Exports that are read into the store as snapshots, as `openhealth import` does.
extension ScheduledWorld {
    /// Imports samples, or a newer export without them.
    func exchange(_ fault: SyncFault) throws {
        var imported = state.withLock { $0.imported }
        if fault.kind == .imported {
            for number in fault.number..<(fault.number + max(1, fault.count)) {
                let start = start(of: number, before: Self.age(of: number))
                imported[number] = ScheduledRecord(
                    type: fault.type, writer: .other,
                    start: start.timeIntervalSinceReferenceDate, phone: phoneNumber)
            }
        } else {
            guard !imported.isEmpty else { return }
            imported = [:]
        }
        let exports = state.withLock { state in
            state.exports += 1
            return state.exports
        }
        let description = SnapshotDescription(
            file: "export.zip", bytes: 1, exportDate: 900_000_000 + Double(exports),
            importedAt: clock.now.timeIntervalSinceReferenceDate)
        let records = imported.sorted { $0.key < $1.key }
        try SampleStore.importSnapshot(into: phone.path, description) { writer, _ in
            for type in Set(records.map(\.value.type)).sorted(by: { $0.rawValue < $1.rawValue }) {
                _ = try writer.type(identifier: type.sampleType.identifier)
            }
            try writer.write(Self.batch(records))
            _ = try writer.finish(.whole)
            try writer.record(ledger: "{}")
        }
        state.withLock { state in
            for number in state.imported.keys where imported[number] == nil {
                state.records[number]?.isLive = false
                state.deletions[number] = state.moment
            }
            for (number, record) in imported { state.records[number] = record }
            state.imported = imported
        }
    }

    private static func batch(_ records: [(key: Int, value: ScheduledRecord)]) -> SampleBatch {
        var batch = SampleBatch(sources: [Source(name: "Old scale", bundleIdentifier: "")])
        for (number, record) in records {
            let unit = record.type.unit?.unitString
            let origin = Origin(source: 0, version: "1", unit: unit)
            if !batch.origins.contains(origin) { batch.origins.append(origin) }
            batch.samples.append(
                Sample(
                    type: code(of: record.type) ?? 0,
                    origin: Int32(batch.origins.firstIndex(of: origin) ?? 0), start: record.start,
                    end: record.start + record.type.duration, created: record.start,
                    value: record.type.value(number: number, version: 1)))
        }
        return batch
    }

    static func code(of type: ScheduledType) -> Int32? {
        Catalogue.type(named: type.rawValue)?.code
    }
}
