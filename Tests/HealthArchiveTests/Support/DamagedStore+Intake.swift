import Foundation
import HealthCalendar
import HealthEngine

@testable import HealthStorage

/// What a phone sends to a store before and after it is damaged.
extension DamagedStore {
    /// Sends samples with HealthKit's UUIDs, a deletion, a total, a record of an unknown kind and a
    /// cursor in one request.
    static func receive(
        _ samples: SampleBatch, from first: UInt64, into store: SampleStore
    ) throws {
        var page = IntakeBatch()
        page.samples = samples
        page.samples.samples.removeAll { $0.value.isNaN }
        // A phone identifies the sources that an export names.
        page.samples.sources = page.samples.sources.enumerated().map { index, source in
            Source(name: source.name, bundleIdentifier: "com.example.phone\(index)")
        }
        let count = page.samples.samples.count
        page.identities = (0..<UInt64(count)).map {
            .healthKit(SampleUUID(high: 0x5000, low: first + $0))
        }
        page.indices = Array(0..<count)
        page.deletions = [
            IntakeDeletion(
                uuid: SampleUUID(high: 0x5000, low: first + 1), reason: .deleted, index: count)
        ]
        page.totals = [
            ExternalTotal(
                type: try store.type(named: "stepCount").code, statistic: .sum,
                start: 700_000_000, end: 700_086_400, value: 5_000, unit: "count",
                index: count + 1)
        ]
        page.unknown = [UnknownRecord(name: "unknown", json: "{}", index: count + 2)]
        page.recordCount = count + 3
        page.cursor = IntakeCursor(stream: "stream \(first)", from: nil, to: "1")
        let delivery = IntakeDelivery(
            device: "Phone", dialect: "changes", bodyDigest: [UInt8(truncatingIfNeeded: first)],
            receivedAt: 700_100_000)
        guard case .pending(let receipt) = try store.beginIntake(delivery) else { return }
        _ = try store.finishIntake(try store.take(page, of: delivery, receipt))
    }

    /// Sends the samples again with other UUIDs, and the same ones a second time.
    func receive(_ store: SampleStore) throws {
        let samples = try store.samples(SampleQuery(store.type(named: "stepCount")))
        try Self.receive(samples, from: 1 << 32, into: store)
        try Self.receive(samples, from: 1, into: store)
    }

    /// Reads all that answers know of received totals and of devices.
    func totals(_ store: SampleStore) throws {
        let type = try store.type(named: "stepCount")
        let edges = [700_000_000.0, 700_086_400, 700_172_800]
        _ = try store.totalsInPlace(SampleQuery(type), over: edges)
        _ = try store.silentDevices(now: 701_000_000)
        _ = try store.silences(now: 701_000_000, in: CalendarBuckets(timeZone: .gmt))
        _ = try store.intakeCursor(device: "Phone", dialect: "changes", stream: "stream 1")
    }
}
