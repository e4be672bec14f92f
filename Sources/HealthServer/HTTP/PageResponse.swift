#if Server
    import HealthCalendar
    import HealthDashboard
    import HealthStorage
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore
    import NIOHTTPTypes

    /// A response before the common headers are added.
    struct PageResponse {
        enum Body {
            case text(String)
            case events(ResponseBody)
        }

        var status: HTTPResponse.Status
        var headers = HTTPFields()
        var body: Body

        init(_ status: HTTPResponse.Status, _ contentType: String, _ text: String) {
            self.status = status
            body = .text(text)
            headers[.contentType] = contentType
        }

        init(redirect address: String) {
            status = .seeOther
            body = .text("")
            headers[.location] = address
        }

        init(events: ResponseBody) {
            status = .ok
            body = .events(events)
            headers[.contentType] = "text/event-stream; charset=utf-8"
        }
    }

    extension HealthServer {
        func errorResponse(_ rejection: RequestRejection, _ format: ServedPage.Format)
            -> PageResponse
        {
            let text: String
            switch format {
            case .html: text = site.errorPage(rejection.notice)
            case .json:
                text = (try? PageJSON.text(["error": rejection.notice.sentence])) ?? "{}\n"
            }
            var pageResponse = PageResponse(
                HTTPResponse.Status(code: rejection.notice.status), format.contentType, text)
            if rejection == .method { pageResponse.headers[.allow] = "GET, HEAD, POST" }
            return pageResponse
        }

        func response(_ pageResponse: PageResponse, to request: Request, _ channel: any Channel)
            -> Response
        {
            var headers = pageResponse.headers
            for (name, value) in HealthServer.commonHeaders { headers[name] = value }
            switch pageResponse.body {
            case .events(let body):
                return Response(status: pageResponse.status, headers: headers, body: body)
            case .text(let text):
                let buffer = ByteBuffer(string: text)
                headers[.contentLength] = String(buffer.readableBytes)
                guard request.method != .head else {
                    return Response(status: pageResponse.status, headers: headers)
                }
                // Closes the connection after an error, since the rest of the request's body isn't
                // read.
                let isLast = pageResponse.status.code >= 400 && request.hasBody
                if isLast { headers[.connection] = "close" }
                let stallTimeout = limits.stallTimeout
                return Response(
                    status: pageResponse.status, headers: headers,
                    body: ResponseBody(contentLength: buffer.readableBytes) { writer in
                        let deadline = Deadline(stallTimeout, channel)
                        defer { deadline.cancel() }
                        try await writer.write(buffer)
                        try await writer.finish(nil)
                        if isLast { channel.close(promise: nil) }
                    })
            }
        }

        static let commonHeaders: [(HTTPField.Name, String)] =
            [
                (
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                        + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                        + "base-uri 'none'"
                ),
                ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"),
                ("Cache-Control", "no-store"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Cross-Origin-Embedder-Policy", "require-corp"),
                (
                    "Permissions-Policy",
                    "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
                ),
                ("Vary", "Accept, Cookie"),
            ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }

    /// An error that is sent as the response in place of a page.
    struct RequestRejection: Error, Equatable {
        var notice: ErrorNotice

        init(_ status: Int, _ title: String, _ sentence: String) {
            notice = ErrorNotice(status: status, title: title, sentence: sentence)
        }

        static let badAddress = RequestRejection(
            400, "Invalid address", "The address is malformed. Start at “/”.")
        static let notAForm = RequestRejection(
            400, "Nothing was changed", "The request is not a form of these pages.")
        static let noSession = RequestRejection(
            401, "Not signed in",
            "This browser has no key to these pages, or the key in the address was already used. "
                + "Run “openhealth open” again, or open the last address that it printed.")
        static let otherSite = RequestRejection(
            403, "Nothing was changed",
            "The request came from another site or from an outdated page. Reload the page.")
        static let notFound = RequestRejection(
            404, "Page not found", "There is no page at this address. Start at “/”.")
        static let method = RequestRejection(
            405, "Method not allowed", "This address can only be read or sent a form.")
        static let tooLarge = RequestRejection(
            413, "Request too large",
            "The request is larger than any form of these pages. Nothing was changed.")
        static let bodyNotWanted = RequestRejection(
            400, "Unexpected body", "This address accepts no request body.")
        static let hostHeader = RequestRejection(
            400, "Wrong host", "The request must name exactly one host.")
        static let host = RequestRejection(
            421, "Wrong host", "Open these pages at the address that “openhealth” printed.")
        static let notProxied = RequestRejection(
            503, "Not available", "This server can only be reached through its proxy.")
        static let suspended = RequestRejection(
            503, "Not available", "These data are not available now. Ask the operator.")
        static let unavailable = RequestRejection(
            503, "Not available", "The data can’t be read now. Reload the page in a moment.")
        static let failed = RequestRejection(
            500, "This page failed",
            "An error occurred. Your data was not changed. To check the store: openhealth check")

        private static let notLoggedIn = RequestRejection(
            401, "Not logged in", "Log in with your token at “/login”.")
        private static let otherHost = RequestRejection(
            421, "Wrong host",
            "This server has another address. Ask the operator which one to open.")
        private static let failedForPerson = RequestRejection(
            500, "This page failed",
            "An error occurred. Your data was not changed. If it fails again, tell the operator.")

        /// Returns the rejection without commands for a person who can't run them.
        func shown(to audience: PageAudience) -> RequestRejection {
            guard audience == .person else { return self }
            return switch self {
            case .noSession: .notLoggedIn
            case .host: .otherHost
            case .failed: .failedForPerson
            default: self
            }
        }

        init(_ error: PageError) {
            self =
                switch error {
                case .badRequest(let sentence): RequestRejection(400, "Invalid request", sentence)
                case .notFound(let sentence): RequestRejection(404, "Not found", sentence)
                case .unavailable(let sentence): RequestRejection(503, "Not available", sentence)
                }
        }

        init(_ error: Unavailability) {
            let sentence =
                switch error {
                case .locked: "The device is locked. Unlock it and reload the page."
                case .noHealthData: "This device has no health data."
                case .notDetermined: "Permission to read has not been requested."
                case .failed(let sentence): sentence
                }
            self = RequestRejection(503, "Not available", sentence)
        }

        /// Maps an error of the store to a response: status 503 if another process is writing, 400
        /// or 404 with the error's own message if the request is wrong, else 500 without details.
        /// No message contains a health value.
        static func store(_ error: StoreError) -> RequestRejection {
            switch error.code {
            case .busy:
                RequestRejection(
                    503, "Not available",
                    "Another process is writing to the store. Reload the page in a moment.")
            case .unknownType, .unknownSource, .ambiguousSource, .invalidArgument:
                RequestRejection(400, "Invalid request", error.pageSentence)
            case .unknownSample: RequestRejection(404, "Not found", error.pageSentence)
            default: .failed
            }
        }

        static func calendar(_ error: CalendarError) -> RequestRejection {
            RequestRejection(400, "Invalid request", error.description)
        }
    }

    extension ServedPage.Format {
        /// The format that a request prefers: JSON if its path ends in ".json", or if its Accept
        /// header contains "application/json" and not "text/html"; else HTML.
        init(_ request: Request, _ target: RequestTarget?) {
            if target?.isJSON == true {
                self = .json
                return
            }
            let accept = request.headers[values: .accept].joined(separator: ",")
            self =
                accept.contains("application/json") && !accept.contains("text/html") ? .json : .html
        }

        var contentType: String {
            switch self {
            case .html: "text/html; charset=utf-8"
            case .json: "application/json; charset=utf-8"
            }
        }
    }

    /// Adds the common headers to responses that the framework writes before any middleware, and a
    /// body to an empty one.
    ///
    /// The framework answers malformed HTTP with a bare status 400 and closes the connection.
    final class MalformedRequestHandler: ChannelOutboundHandler, RemovableChannelHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private static let words = "Malformed request.\n"

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            guard case .head(var head) = unwrapOutboundIn(data),
                head.headerFields[.contentSecurityPolicy] == nil
            else { return context.write(data, promise: promise) }
            for (name, value) in HealthServer.commonHeaders { head.headerFields[name] = value }
            guard head.headerFields[.contentLength] == "0" else {
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            let body = ByteBuffer(string: Self.words)
            head.headerFields[.contentLength] = String(body.readableBytes)
            head.headerFields[.contentType] = "text/plain; charset=utf-8"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
        }
    }
#endif
