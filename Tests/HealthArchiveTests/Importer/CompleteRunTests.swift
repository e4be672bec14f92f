import HealthArchive
import HealthEngine
import HealthIntake
import HealthTesting
import Testing

@testable import HealthStorage

/// Complete runs of devices, where a scenario file can't tell the story (Semantics §15.6).
@Suite struct CompleteRunTests {
    private let folder: TemporaryFolder
    private let store: String
    private let delivery = IntakeDelivery(
        device: "phone", dialect: "healthsave", bodyDigest: [1], receivedAt: 731_980_800)

    /// Imports a walk in each minute of an hour.
    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        let walks = (10..<60).map { minute in
            "<Record type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" sourceName=\"Phone\" "
                + "startDate=\"2024-03-10 08:\(minute):00 +0000\" "
                + "endDate=\"2024-03-10 08:\(minute):30 +0000\" value=\"1\(minute)\"/>\n"
        }
        let export =
            "<?xml version=\"1.0\"?>\n<HealthData locale=\"en\">\n"
            + "<ExportDate value=\"2024-03-12 10:00:00 +0000\"/>\n" + walks.joined()
            + "</HealthData>\n"
        _ = try ExportImporter(
            path: folder.write("export.xml", Array(export.utf8)), store: store, timeZone: "UTC",
            systemTimeZone: "UTC", now: 0, person: .confirmed
        ).run()
    }

    /// A full export of HealthSave that lacks one walk.
    private var request: IntakeRequest {
        let samples = (10..<60).filter { $0 != 30 }.map { minute in
            #"{"uuid":"000000\#(minute)-1111-4111-8111-111111111111","source":"Phone","#
                + #""startDate":"2024-03-10T08:\#(minute):00Z","#
                + #""endDate":"2024-03-10T08:\#(minute):30Z","qty":1\#(minute),"unit":"count"}"#
        }
        let body =
            #"{"schema_version":2,"metric":"step_count","batch_index":0,"total_batches":1,"#
            + #""samples":[\#(samples.joined(separator: ","))]}"#
        return IntakeRequest(
            .healthSave, IntakeBody(body),
            headers: IntakeHeaders([(name: "X-HealthSave-Full-Export", value: "true")]),
            receivedAt: delivery.receivedAt)
    }

    /// Stores the request from the record on with which its receipt ends.
    private func take(into store: SampleStore) throws -> IntakeReceipt {
        guard case .pending(var receipt) = try store.beginIntake(delivery) else {
            throw ScenarioFault(description: "stored already")
        }
        _ = try request.readPages(after: receipt.received, limit: 20) { page in
            receipt = try store.take(page, of: delivery, receipt)
        }
        return receipt
    }

    @Test("a run that is interrupted before its end takes over once, and its receipt says so once")
    func interrupted() throws {
        let expected = [
            IntakeReceipt.Completion(
                type: "HKQuantityTypeIdentifierStepCount", exported: 50, takenOver: 1, unmatched: 0)
        ]
        let first = try SampleStore(at: store, access: .writing)
        #expect(try take(into: first).completions == expected)
        try first.close()
        let second = try SampleStore(at: store, access: .writing)
        defer { try? second.close() }
        let receipt = try second.finishIntake(take(into: second))
        #expect(receipt.completions == expected)
        #expect(receipt.received == 49)
        let steps = try second.type(named: "stepCount")
        #expect(try second.samples(SampleQuery(steps)).samples.count == 49)
        #expect(try second.takenOver(from: "PHONE").map(\.count) == [1])
        #expect(try second.completeRuns(of: "Phone") == expected)
        #expect(try second.completeRuns(of: "tablet").isEmpty)
        #expect(try second.check().isEmpty)
    }

    @Test("nothing is restored while an import is running")
    func busy() throws {
        let writing = try SampleStore(at: store, access: .writing)
        defer { try? writing.close() }
        _ = try writing.finishIntake(take(into: writing))
        let lock = try ImportLock.acquire(for: store)
        #expect(throws: StoreError.self) { try writing.restoreTakenOver(from: "phone") }
        withExtendedLifetime(lock) {}
        #expect(try writing.takenOver(from: "phone").map(\.count) == [1])
    }
}
