import HealthSync

/// The request of a delivery.
package struct HookRequest: Sendable {
    private let request: CurlRequest

    /// Creates the request.
    ///
    /// It is sent to the address that was checked, whatever the host's name resolves to by then: the
    /// setting `connect-to` replaces each connection's target. The certificate must be valid for the
    /// host's name. Redirects aren't followed, proxies aren't used, and the answer's body isn't
    /// kept.
    package init(_ delivery: HookSending.Delivery) {
        let pinned = delivery.pinned.contains(":") ? "[\(delivery.pinned)]" : delivery.pinned
        request = CurlRequest(
            delivery.address.url,
            headers: [
                "Content-Type": "application/json", "User-Agent": "openhealth",
                HookNotice.signatureHeader: delivery.notice.signature,
            ],
            body: Array(delivery.notice.body.utf8),
            settings: [
                "proto": "=https", "connect-to": "::\(pinned):\(delivery.address.port)",
                "noproxy": "*", "output": "/dev/null", "connect-timeout": "10", "max-time": "15",
            ])
    }

    /// Sends the request. Blocks.
    ///
    /// - Returns: The HTTP status of the answer.
    /// - Throws: An error without an answer.
    package func send() throws -> Int { try request.send().status }

    /// Returns why a request has no answer, for people, without the address.
    static func reason(_ error: any Error) -> String {
        switch error as? CurlRequest.Failure {
        case .notInstalled: "the program curl is not installed"
        case .timeout: "no answer in time"
        case .insecure: "TLS failed: is the certificate valid?"
        case .noConnection, nil: "no connection"
        }
    }
}
