import Foundation
import HealthStorage
import HealthSync
import HealthTesting
import Testing

@testable import HealthServer

/// Requests of hooks with the program `curl`.
@Suite(.withCertificates) struct HookRequestTests {
    private let folder: TemporaryFolder
    private let receiver: HTTPSReceiver

    init() throws {
        folder = try TemporaryFolder()
        receiver = try HTTPSReceiver(SelfSignedCertificate(in: folder))
    }

    private func request(_ url: String) throws -> HookRequest {
        HookRequest(
            HookSending.Delivery(
                address: try HookAddress(url), pinned: "127.0.0.1",
                notice: HookNotice(cursor: "c1", secret: "s", at: .now)))
    }

    @Test("the connection goes to the checked address, and an unknown certificate is refused")
    func pinned() throws {
        // Nothing resolves a name under “.invalid” (RFC 6761).
        let request = try request("https:" + "//hook.invalid:\(receiver.port)/")
        #expect(throws: CurlRequest.Failure.insecure) { try request.send() }
        #expect(receiver.requests.isEmpty)
    }

    @Test("a port without a server and a server without TLS are failures with a reason")
    func failures() async throws {
        let running = try await RunningServer()
        for (port, failure, reason) in [
            (1, CurlRequest.Failure.noConnection, "no connection"),
            (running.port, .insecure, "TLS failed: is the certificate valid?"),
        ] {
            let request = try request("https://localhost:\(port)/")
            #expect(throws: failure) { try request.send() }
            #expect(HookRequest.reason(failure) == reason)
        }
    }
}
