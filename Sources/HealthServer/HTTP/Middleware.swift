#if Server
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    /// Turns errors into responses in the requested format.
    struct ErrorMiddleware: RouterMiddleware {
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            let rejection: RequestRejection
            do {
                return try await next(request, context)
            } catch let error as RequestRejection {
                rejection = error
            } catch let error as HTTPError where error.status == .notFound {
                rejection = .notFound
            } catch {
                report(.failed("A request failed (\(type(of: error)))."))
                rejection = .failed
            }
            let shown = rejection.shown(to: server.audience)
            if server.hasAPI, context.target?.isAPI == true {
                return server.response(
                    PageResponse(APIProblem(shown)), to: request, context.channel)
            }
            let format = ServedPage.Format(request, context.target)
            return server.response(
                server.errorResponse(shown, format), to: request, context.channel)
        }
    }

    /// Rejects requests that don't come from the proxy in front of the server. They would be
    /// unencrypted.
    struct PeerMiddleware: RouterMiddleware {
        let server: HealthServer

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            if let proxies = server.proxies {
                guard let peer = context.channel.remoteAddress?.ipAddress,
                    proxies.contains(peer)
                        || AddressRange.loopback.contains(where: { $0.contains(peer) })
                else { throw RequestRejection.notProxied }
            }
            return try await next(request, context)
        }
    }

    /// Rejects requests that name another host, several hosts or none.
    struct HostMiddleware: RouterMiddleware {
        let server: HealthServer

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            let check = HostCheck(
                port: server.port ?? 0, defaultPort: server.certificate == nil ? 80 : 443,
                listening: server.listening)
            // The first Host header becomes the authority. A second one is rejected, since a proxy
            // may use it instead.
            guard let host = request.head.authority, !request.headers.contains(.hostField) else {
                throw RequestRejection.hostHeader
            }
            guard check.accepts(host) else { throw RequestRejection.host }
            return try await next(request, context)
        }
    }

    /// Rejects invalid addresses, methods and bodies.
    struct RequestValidationMiddleware: RouterMiddleware {
        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            guard context.target != nil else { throw RequestRejection.badAddress }
            guard [.get, .head, .post].contains(request.method) else {
                throw RequestRejection.method
            }
            if request.method != .post, request.hasBody { throw RequestRejection.bodyNotWanted }
            return try await next(request, context)
        }
    }

    /// Rejects requests that other sites cause, except navigation with GET or HEAD, such as
    /// following a link.
    struct CrossSiteMiddleware: RouterMiddleware {
        let server: HealthServer

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            let site = request.headers[HTTPField.Name.fetchSite]
            if let site, site != "same-origin", site != "none",
                request.headers[HTTPField.Name.fetchMode] != "navigate" || request.method == .post
            {
                throw RequestRejection.otherSite
            }
            if request.method == .post, site != "same-origin" {
                // A browser that doesn't send Sec-Fetch-Site sends the origin.
                let origin = request.headers[.origin]?.lowercased()
                guard let origin, let host = request.head.authority?.lowercased(),
                    origin == "https://" + host
                        // Without a certificate, a proxy can add TLS.
                        || origin == "http://" + host && server.certificate == nil
                else { throw RequestRejection.otherSite }
            }
            return try await next(request, context)
        }
    }

    /// Finds the browser's session by its cookie, opens one for a token, and rejects other
    /// requests. A request whose session was found before is passed on.
    struct SessionMiddleware: RouterMiddleware {
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            if context.session != nil { return try await next(request, context) }
            var context = context
            context.session =
                request.cookies(named: cookieName).lazy
                .compactMap { server.sessions.session($0) }.first
            if context.session != nil { server.connections.markAuthenticated(context.channel) }
            if let pageResponse = try enter(request, context) {
                return server.response(pageResponse, to: request, context.channel)
            }
            guard context.session != nil else { throw RequestRejection.noSession }
            return try await next(request, context)
        }

        /// Redeems the token in the address of a GET request.
        ///
        /// - Returns: A redirect to the address without the token; nil if it has none.
        /// - Throws: ``RequestRejection/noSession`` if the token is invalid and the browser has no session.
        private func enter(_ request: Request, _ context: PageRequestContext) throws
            -> PageResponse?
        {
            guard request.method == .get, let target = context.target,
                let token = target.query.first(where: { $0.name == "token" })
            else { return nil }
            // Redirect only to known pages, never to an arbitrary address.
            let isKnown = server.hasPage(at: target.path)
            let address = isKnown ? target.address(without: "token") : "/"
            // After navigation from another site or a local file, a browser doesn't send a
            // SameSite=Strict cookie to a redirect's target. It does after a page of this server
            // that refreshes to the target.
            let site = request.headers[HTTPField.Name.fetchSite]
            var pageResponse =
                site == "cross-site" || site == "same-site"
                ? PageResponse(
                    .ok, ServedPage.Format.html.contentType, HealthServer.page(leadingTo: address))
                : PageResponse(redirect: address)
            if let (session, token) = server.sessions.redeem(token.value) {
                pageResponse.headers[.setCookie] =
                    "\(cookieName)=\(session.key.text); Path=/; HttpOnly; SameSite=Strict"
                    + (server.certificate == nil ? "" : "; Secure")
                server.connections.markAuthenticated(context.channel)
                if token == .printed { report(.opened(nextURL: server.url)) }
            } else if context.session == nil {
                throw RequestRejection.noSession
            }
            return pageResponse
        }

        /// The cookie name contains the port because browsers share cookies between all ports of a
        /// host.
        private var cookieName: String { "openhealth-\(server.port ?? 0)" }
    }

    extension Request {
        /// Whether the headers announce a body.
        var hasBody: Bool {
            headers.contains(.transferEncoding)
                || (headers[.contentLength].map { $0 != "0" } ?? false)
        }

        func cookies(named name: String) -> [String] {
            headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part in
                let text = part.drop { $0 == " " }
                return text.hasPrefix(name + "=") ? String(text.dropFirst(name.count + 1)) : nil
            }
        }
    }

    extension HTTPField.Name {
        static let hostField = HTTPField.Name("Host") ?? .origin
        static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
        static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .origin
        static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .origin
    }
#endif
