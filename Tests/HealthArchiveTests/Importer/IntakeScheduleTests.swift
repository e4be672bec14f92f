import Foundation
import HealthArchive
import HealthEngine
import HealthIntake
import HealthStorage
import HealthTesting
import Testing

/// A phone that changes, two apps that send and repeat, exports before, between and afterwards, and
/// undos. In the end the store must have what the phone has.
@Suite struct IntakeScheduleTests {
    @Test(
        "after any schedule of requests, exports and undos, the store has what the phone has",
        arguments: 0..<TestTier.count(quick: 8, all: 24, torture: 2_000))
    func schedules(number: Int) throws {
        let seed = TestTier.seed(17_000) &+ UInt64(number)
        try IntakeSchedule(seed: seed).run()
    }
}

/// One random schedule.
private final class IntakeSchedule {
    private let seed: UInt64
    private let folder: TemporaryFolder
    private let path: String
    private var phone: SimulatedPhone
    private var bodies: [(IntakeDialect, String)] = []
    private var day = 10
    private var imports: [Int64] = []
    private var log: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        phone = SimulatedPhone(seed: seed)
        folder = try TemporaryFolder()
        path = folder.path + "/health.sqlite"
        try SampleStore(at: path, access: .creating).close()
    }

    func run() throws {
        phone.record(phone.choice(60) + 5)
        for _ in 0..<phone.choice(12) + 2 {
            try step()
            try expectValid()
        }
        // Everything arrives in the end, and deletions with it.
        try send(.openHealthExporter, SimulatedPhone.exporter(phone.items, deleting: phone.deleted))
        try importExport()
        try expectValid()
        try expectPhone("after the last export")
        for (dialect, body) in bodies { try send(dialect, body) }
        try expectPhone("after all requests again")
        try undo()
        try expectPhone("after an undo", allowing: phone.deleted)
    }

    private func step() throws {
        switch phone.choice(8) {
        case 0: phone.record(phone.choice(20))
        case 1: phone.delete()
        case 2, 3: try send(.openWearables, SimulatedPhone.openWearables(phone.someItems()))
        case 4:
            let some = phone.someItems()
            let gone = Array(phone.deleted.prefix(phone.choice(phone.deleted.count + 1)))
            try send(.openHealthExporter, SimulatedPhone.exporter(some, deleting: gone))
        case 5, 6: try importExport()
        default:
            if phone.choice(2) == 0, !bodies.isEmpty {
                let (dialect, body) = bodies[phone.choice(bodies.count)]
                try send(dialect, body)
            } else {
                try undo()
            }
        }
    }

    private func send(_ dialect: IntakeDialect, _ body: String) throws {
        if body.isEmpty { return }
        log.append("\(dialect.rawValue) \(body.count)")
        bodies.append((dialect, body))
        let store = try SampleStore(at: path, access: .writing)
        defer { try? store.close() }
        let moment = 731_000_000 + Double(day) * 86_400
        let delivery = IntakeDelivery(
            device: "phone", dialect: dialect.rawValue, bodyDigest: [UInt8(bodies.count & 255)],
            receivedAt: moment)
        guard case .pending(var receipt) = try store.beginIntake(delivery) else { return }
        let request = IntakeRequest(dialect, IntakeBody(body), receivedAt: moment)
        let count = try request.readPages(limit: 1 + phone.choice(40)) { page in
            receipt = try store.take(page, of: delivery, receipt)
        }
        receipt = try store.finishIntake(receipt)
        #expect(receipt.received == count, "seed \(seed)")
    }

    private func importExport() throws {
        log.append("export \(phone.items.count)")
        day += 1
        let file = try folder.write("export\(day).xml", Array(phone.export(day: day).utf8))
        let report = try ExportImporter(
            path: file, store: path, timeZone: "UTC", systemTimeZone: "UTC", now: Double(day),
            person: .confirmed
        ).run()
        #expect(report.outcome.records.read == phone.items.count, "seed \(seed)")
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        imports.append(try store.imports().map(\.number).max() ?? 0)
    }

    private func undo() throws {
        guard let number = imports.popLast() else { return }
        log.append("undo \(number)")
        let store = try SampleStore(at: path, access: .writing)
        defer { try? store.close() }
        do {
            try store.undoImport(number)
        } catch {
            Issue.record("seed \(seed): \(error), log \(log)")
        }
    }

    private func expectValid() throws {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let violations = try store.check()
        #expect(violations.isEmpty, "seed \(seed): \(violations) after \(log)")
    }

    /// - Parameter remaining: Samples that the store may have besides. A deletion of a sample that
    ///   only exports contain is known from the next export alone, which an undo takes back.
    private func expectPhone(
        _ moment: String, allowing remaining: [SimulatedPhone.Item] = []
    ) throws {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let stored = try store.samples(SampleQuery(store.type(named: "stepCount")))
        let found = stored.samples.map { sample in
            let origin = stored.origins[Int(sample.origin)]
            let name = stored.sources[Int(origin.source)].name
            return "\(sample.start) \(sample.end) \(sample.value) \(name)"
        }
        func text(_ item: SimulatedPhone.Item) -> String {
            let base = 730_944_000.0
            return "\(base + Double(item.start)) \(base + Double(item.end)) \(Double(item.value)) "
                + (item.source == 0 ? "Anna's Phone" : "Anna's Watch")
        }
        var surplus = found
        var missing: [String] = []
        for text in phone.items.map(text) {
            if let index = surplus.firstIndex(of: text) {
                surplus.remove(at: index)
            } else {
                missing.append(text)
            }
        }
        for text in remaining.map(text) {
            if let index = surplus.firstIndex(of: text) { surplus.remove(at: index) }
        }
        #expect(missing.isEmpty, "seed \(seed), \(moment), log \(log)")
        #expect(surplus.isEmpty, "seed \(seed), \(moment), log \(log)")
        #expect(Set(stored.sources.map(\.name)).count == stored.sources.count, "seed \(seed)")
    }
}
