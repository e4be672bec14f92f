import Foundation
import HealthEngine
import HealthIntake
import HealthStorage
import HealthSync

/// A server of the protocol in memory, which loses requests and answers as a test wants.
final class PushServer: Sendable {
    /// What happens to a request.
    enum Fault: Sendable, Equatable {
        /// It is answered.
        case none
        /// It does not arrive.
        case lostRequest
        /// It is carried out, and its answer is lost.
        case lostAnswer
        /// It isn't carried out, and is answered with a status code.
        case status(Int, retryAfter: String? = nil, body: String = "")
    }

    struct Content {
        var requests: [PushRequest] = []
        var cursors: [String: String] = [:]
        var completeTypes: [String] = []
        var counts: [IntakeReceipt.Result: Int] = [:]
        /// The most lines of a page, without its header, that the server takes.
        var lineLimit = Int.max
    }

    let store: SampleStore
    private let content = LockedBox(Content())
    private let fault: @Sendable (_ request: Int) -> Fault

    /// - Parameters:
    ///   - store: Where the server stores samples.
    ///   - fault: Returns what happens to the n-th request, counted from 1.
    init(
        _ store: SampleStore? = nil, _ fault: @escaping @Sendable (Int) -> Fault = { _ in .none }
    ) throws {
        self.store = try store ?? .inMemory()
        self.fault = fault
    }

    var now: Content { content { $0 } }

    func change(_ body: (inout Content) -> Void) { content { body(&$0) } }

    func count(_ result: IntakeReceipt.Result) -> Int { now.counts[result] ?? 0 }

    /// The number of stored samples, whatever their type.
    func sampleCount() throws -> Int {
        var count = 0
        try store.forEachExportedBatch(ExportSelection()) { count += $0.batch.samples.count }
        return count
    }

    var transport: PushTransport {
        { request in
            let number = self.content { content -> Int in
                content.requests.append(request)
                return content.requests.count
            }
            switch self.fault(number) {
            case .none: return try self.answer(request)
            case .lostRequest: throw URLError(.notConnectedToInternet)
            case .lostAnswer:
                _ = try self.answer(request)
                throw URLError(.networkConnectionLost)
            case .status(let status, let retryAfter, let body):
                return PushAnswer(
                    status: status, retryAfter: retryAfter, body: Data(body.utf8))
            }
        }
    }

    private func answer(_ request: PushRequest) throws -> PushAnswer {
        guard request.headers["Authorization"] == "Bearer secret" else {
            return PushAnswer(status: 401)
        }
        let bytes = [UInt8](request.body)
        if bytes.count(where: { $0 == 0x0A }) - 1 > now.lineLimit { return PushAnswer(status: 413) }
        return try content { content in
            let intake = IntakeRequest(.changes, IntakeBody(bytes), receivedAt: 800_000_000)
            let header = try intake.changesHeader()
            let (cursor, known) = (header.cursor, content.cursors[header.cursor.stream])
            if cursor.from != nil, cursor.from != known {
                let body = JSONText.object(["error": .string("cursor"), "cursor": .text(known)])
                return PushAnswer(status: 409, body: Data(body.text.utf8))
            }
            let receipt = try take(intake, bytes)
            content.counts.merge(receipt.counts, uniquingKeysWith: +)
            content.cursors[cursor.stream] = cursor.to
            if let type = header.completeType { content.completeTypes.append(type) }
            return PushAnswer(status: 200, body: Data(json(receipt, cursor.to).utf8))
        }
    }

    private func take(_ request: IntakeRequest, _ bytes: [UInt8]) throws -> IntakeReceipt {
        var digest = SHA256()
        digest.update(bytes)
        let delivery = IntakeDelivery(
            device: "phone", dialect: "changes", bodyDigest: digest.bytes(),
            receivedAt: request.receivedAt)
        guard case .pending(var receipt) = try store.beginIntake(delivery) else {
            throw URLError(.badServerResponse)
        }
        let store = store
        let box = LockedBox(receipt)
        _ = try request.readPages { page in
            // Tests move the cursors, so they are kept here and not in the store.
            var page = page
            page.cursor = nil
            let next = try store.take(page, of: delivery, box { $0 })
            box { $0 = next }
        }
        receipt = try store.finishIntake(box { $0 })
        return receipt
    }

    private func json(_ receipt: IntakeReceipt, _ cursor: String) -> String {
        JSONText.object([
            "receipt": .string(receipt.identifier), "cursor": .string(cursor),
            "received": .integer(receipt.received), "accepted": .integer(receipt.count(.accepted)),
            "duplicate": .integer(receipt.count(.duplicate)),
            "changed": .integer(receipt.count(.changed)),
            "deleted": .integer(receipt.count(.deleted)),
            "rejected": .integer(receipt.count(.rejected)),
            "unknown": .integer(receipt.count(.unknown)),
        ]).text
    }
}
