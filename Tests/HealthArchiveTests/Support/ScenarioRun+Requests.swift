import Foundation
import HealthEngine
import HealthIntake
import HealthStorage
import HealthTesting

extension ScenarioRun {
    /// Stores a request, and returns the counts of its receipt by result. "records" are the records
    /// that are listed.
    func receive(_ frame: ImportScenario.RequestFrame, _ body: String) throws -> [String: Any] {
        guard let dialect = IntakeDialect(rawValue: frame.dialect),
            let time = try? Date(frame.time, strategy: .iso8601)
        else { throw ScenarioFault(description: "“\(frame.dialect)” or “\(frame.time)”") }
        if !FileManager.default.fileExists(atPath: storePath) {
            try FileManager.default.createDirectory(
                atPath: (storePath as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            let store = try SampleStore(at: storePath, access: .creating)
            if let zone = scenario.zone {
                try store.setHomeZone(HomeZone(identifier: zone, reason: .specified))
            }
            try store.close()
        }
        let store = try SampleStore(at: storePath, access: .writing)
        defer { try? store.close() }
        let moment = time.timeIntervalSinceReferenceDate
        var digest = SHA256()
        digest.update(Array(body.utf8))
        let headers = IntakeHeaders(frame.headers)
        let delivery = IntakeDelivery(
            device: frame.device, dialect: frame.dialect,
            idempotencyKey: headers["Idempotency-Key"], bodyDigest: digest.bytes(),
            receivedAt: moment)
        var receipt: IntakeReceipt
        switch try store.beginIntake(delivery) {
        case .keyReused: throw ScenarioFault(description: "key reused")
        case .stored(let stored): return counts(stored)
        case .pending(let pending): receipt = pending
        }
        let request = IntakeRequest(
            dialect, IntakeBody(body), headers: headers, receivedAt: moment)
        _ = try request.readPages(after: receipt.received, limit: 4) { page in
            receipt = try store.take(page, of: delivery, receipt)
        }
        return counts(try store.finishIntake(receipt))
    }

    private func counts(_ receipt: IntakeReceipt) -> [String: Any] {
        var counts: [String: Any] = ["received": receipt.received]
        for result in IntakeReceipt.Result.allCases {
            counts[result.rawValue] = receipt.count(result)
        }
        counts["records"] = receipt.records.map { record in
            [
                "index": record.index, "result": record.result.rawValue,
                "reason": record.reason ?? "",
            ]
                as [String: Any]
        }
        counts["completions"] = receipt.completions.map { completion in
            [
                "type": completion.type, "exported": completion.exported,
                "takenOver": completion.takenOver, "unmatched": completion.unmatched,
            ]
                as [String: Any]
        }
        return counts
    }
}
