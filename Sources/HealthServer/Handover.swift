import HTTPTypes
import NIOCore

extension HealthServer {
    /// How a token that was handed over came to its end.
    package enum HandoverEnd: Hashable, Sendable {
        /// A browser has used it.
        case redeemed
        /// No browser did in time; it opens nothing any more.
        case expired
    }

    /// An address for one browser that this program starts, with a token of its own beside the
    /// printed one.
    ///
    /// Never pass it as an argument: any account of the computer reads arguments. ``page(leadingTo:)``
    /// is a file's content that leads a browser there.
    ///
    /// - Parameters:
    ///   - lifetime: How long the token is valid.
    ///   - ended: Called once, unless the server ends first.
    package func handover(
        lasting lifetime: Duration, _ ended: @escaping @Sendable (HandoverEnd) -> Void
    ) -> String {
        let token = sessions.handOver { ended(.redeemed) }
        Task { [sessions] in
            try await Task.sleep(for: lifetime)
            if sessions.revoke(token) { ended(.expired) }
        }
        return address(withToken: token.text)
    }

    /// A page that leads a browser to an address at once, without a script, and tells it to nobody
    /// else.
    package static func page(leadingTo address: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0;url=\(address.escapedForMarkup)">
        <title>OpenHealthKit</title>
        </head>
        <body>
        <main>
        <p><a href="\(address.escapedForMarkup)">Go to the pages</a></p>
        </main>
        </body>
        </html>

        """
    }
}
