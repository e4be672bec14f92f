import Foundation
import HealthEngine
import HealthTesting

/// A phone whose samples change, and what apps on it send: the truth that a store must reach.
struct SimulatedPhone {
    struct Item: Hashable {
        var uuid: String
        /// Seconds since 2024-03-01 00:00 UTC.
        var start: Int
        var end: Int
        var value: Int
        /// The index of the source: the phone or the watch.
        var source: Int
    }

    private static let sources = [
        (name: "Anna's Phone", bundle: "com.apple.health.AAAA", hardware: "iPhone14,2"),
        (name: "Anna's Watch", bundle: "com.apple.health.BBBB", hardware: "Watch6,2"),
    ]

    private(set) var items: [Item] = []
    private(set) var deleted: [Item] = []
    private var random: SeededRandom
    private var nextNumber = 1

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Records samples. Some are equal to earlier ones in all but the UUID.
    mutating func record(_ count: Int) {
        for _ in 0..<count {
            var item = Item(
                uuid: "", start: Int.random(in: 0..<3 * 1440, using: &random) * 60, end: 0,
                value: Int.random(in: 1...300, using: &random),
                source: Int.random(in: 0...1, using: &random))
            item.end = item.start + Int.random(in: 1...5, using: &random) * 60
            if Int.random(in: 0..<10, using: &random) == 0,
                let twin = items.randomElement(using: &random)
            {
                item = twin
            }
            item.uuid = String(format: "%08X-1111-4111-8111-111111111111", nextNumber)
            nextNumber += 1
            items.append(item)
        }
    }

    mutating func delete() {
        guard !items.isEmpty else { return }
        let index = Int.random(in: items.indices, using: &random)
        deleted.append(items.remove(at: index))
    }

    mutating func choice(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// A part of the samples, in any order.
    mutating func someItems() -> [Item] {
        let count = Int.random(in: 0...items.count, using: &random)
        return Array(items.shuffled(using: &random).prefix(count))
    }

    // MARK: - What is sent

    private static func time(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: 1_709_251_200 + Double(seconds)).formatted(.iso8601)
    }

    /// A body of the SDK of Open Wearables.
    static func openWearables(_ items: [Item]) -> String {
        let records = items.map { item in
            let source = sources[item.source]
            return """
                {"id":"\(item.uuid)","type":"HKQuantityTypeIdentifierStepCount","unit":"count",\
                "startDate":"\(time(item.start))","endDate":"\(time(item.end))",\
                "zoneOffset":null,"parentId":null,"metadata":null,"value":\(item.value),\
                "source":{"appId":"\(source.bundle)","name":"\(source.name)",\
                "deviceModel":"\(source.hardware)"}}
                """
        }
        return """
            {"provider":"apple","sdkVersion":"0.13.0","syncTimestamp":"2024-03-10T10:00:00Z",\
            "data":{"workouts":[],"sleep":[],"records":[\(records.joined(separator: ","))]}}
            """
    }

    /// A body of Open Health Exporter, with deletions.
    static func exporter(_ items: [Item], deleting gone: [Item]) -> String {
        let samples = items.map { item in
            let source = sources[item.source]
            return """
                {"v":1,"batchSeq":1,"kind":"sample.quantity","metricId":"step_count",\
                "hkIdentifier":"HKQuantityTypeIdentifierStepCount","semantics":"curated",\
                "tzOffsetMinutes":null,"tzSource":"unknown","unit":"count",\
                "uuid":"\(item.uuid.lowercased())","observedAt":"2024-03-10T10:00:00Z",\
                "start":"\(time(item.start))","end":"\(time(item.end))","value":\(item.value),\
                "source":{"name":"\(source.name)","bundleId":"\(source.bundle)",\
                "productType":"\(source.hardware)"}}
                """
        }
        let tombstones = gone.map { item in
            """
            {"v":1,"batchSeq":1,"kind":"tombstone","uuid":"\(item.uuid.lowercased())",\
            "reason":"healthKitDeleted","bestEffort":true,"observedAt":"2024-03-10T10:00:00Z"}
            """
        }
        return (samples + tombstones).joined(separator: "\n")
    }

    /// The export of all samples, created at a number of days after the samples.
    func export(day: Int) -> String {
        let created = Date(timeIntervalSince1970: 1_709_251_200 + Double(day) * 86_400)
        let records = items.map { item in
            let source = SimulatedPhone.sources[item.source]
            return """
                <Record type="HKQuantityTypeIdentifierStepCount" unit="count" \
                sourceName="\(source.name)" sourceVersion="1" \
                creationDate="\(exported(item.end))" startDate="\(exported(item.start))" \
                endDate="\(exported(item.end))" value="\(item.value)"/>
                """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
            <ExportDate value="\(exported(created))"/>
            \(records.joined(separator: "\n"))
            </HealthData>
            """
    }

    private func exported(_ seconds: Int) -> String {
        exported(Date(timeIntervalSince1970: 1_709_251_200 + Double(seconds)))
    }

    private func exported(_ date: Date) -> String {
        date.formatted(.iso8601).replacingOccurrences(of: "T", with: " ")
            .replacingOccurrences(of: "Z", with: " +0000")
    }
}
