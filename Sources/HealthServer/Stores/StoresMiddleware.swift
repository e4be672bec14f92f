#if Server
    import HTTPTypes
    import HealthDashboard
    import HealthStorage
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    /// Passes requests of the read API to the owner's store.
    struct StoresAPIMiddleware: RouterMiddleware {
        let stores: ServedStores
        let server: HealthServer

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            guard let target = context.target, target.isAPI, request.method != .post else {
                return try await next(request, context)
            }
            guard let store = try await stores.own.openIfPresent() else {
                throw RequestRejection.noStore
            }
            var context = context
            // The connection counts as authenticated before the answer, which can take a minute.
            if let text = BearerToken.text(request.headers[values: .authorization]),
                let token = try? await store.server.api?.token(text)
            {
                server.connections.markAuthenticated(context.channel)
                context.readToken = token
            }
            return try await store.responder.respond(to: request, context: context)
        }
    }

    /// Passes requests with a session to the store that it shows, except those for the pages that
    /// belong to no store. It also receives uploaded exports.
    struct StoresMiddleware: RouterMiddleware {
        let stores: ServedStores
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            guard let target = context.target, let session = context.session else {
                return try await next(request, context)
            }
            if target.path == ImportPage.path, request.method == .post {
                return try await answerUpload(target, session, request, context)
            }
            if target.path != FirstVisitPage.path, !server.site.pages(at: target.path).isEmpty {
                return try await next(request, context)
            }
            if let store = try await opened(for: session) {
                return try await store.responder.respond(to: request, context: context)
            }
            // Without a store, all pages lead to the first one.
            let isFirst = target.path == FirstVisitPage.path || target.path == EventStreams.path
            if isFirst || request.method != .get
                || ServedPage.Format(request, target) != .html
            {
                return try await next(request, context)
            }
            let answer = PageResponse(redirect: FirstVisitPage.path)
            return server.response(answer, to: request, context.channel)
        }

        private func opened(for session: Sessions.Session) async throws -> ServedStore.Opened? {
            let store = stores.store(for: session.formKey.text)
            do {
                return try await store.openIfPresent()
            } catch let error as StoreError {
                let rejection = RequestRejection.store(error)
                if rejection == .failed { report(.pageFailed(path: "/", error)) }
                throw rejection
            }
        }

        /// Receives an export, and answers as soon as its import has begun.
        private func answerUpload(
            _ target: RequestTarget, _ session: Sessions.Session, _ request: Request,
            _ context: PageRequestContext
        ) async throws -> Response {
            let key = session.formKey.text
            let imports = stores.imports(for: key)
            var receiving = UploadReceiving(request, context.channel)
            do {
                try await receiving.receive(for: session, into: imports)
            } catch {
                await receiving.drain(within: imports.limits.stallTimeout)
                throw rejection(error)
            }
            if stores.isSample(stores.store(for: key)) { stores.choose(stores.owner, for: key) }
            let answer =
                ServedPage.Format(request, target) == .json
                ? PageResponse(
                    JSONText.object(["address": .string(ImportPage.path)]), status: 202)
                : PageResponse(redirect: ImportPage.path)
            return server.response(answer, to: request, context.channel)
        }

        private func rejection(_ error: any Error) -> RequestRejection {
            switch error {
            case let error as RequestRejection: return error
            case let error as UploadRefusal: return RequestRejection(error)
            case let error as StoreError:
                let sentence = ImportFailureText.sentence(error, at: nil)
                return RequestRejection(503, UploadRefusal.title, sentence)
            default:
                report(.failed("An upload failed (\(type(of: error)))."))
                return .failed
            }
        }
    }

    extension RequestRejection {
        static let noStore = RequestRejection(
            503, "Not available", "There is no store yet. Import an export on the first page.")

        init(_ refusal: UploadRefusal) {
            self.init(refusal.status, UploadRefusal.title, refusal.sentence)
        }
    }

    extension HealthServer {
        /// Whether requests to the read API get its answers.
        var hasAPI: Bool { api != nil || people != nil || stores != nil }

        /// Returns whether there is a page or a form at a path.
        func hasPage(at path: String) -> Bool {
            !site.pages(at: path).isEmpty || stores?.own.current?.server.hasPage(at: path) == true
        }

        /// Creates a server of the stores of one folder.
        ///
        /// - Parameters:
        ///   - stores: The stores. Their servers answer the requests for pages and for the read
        ///     API.
        ///   - listening: The address to listen on.
        ///   - port: The port, or 0 for any free one.
        ///   - limits: The limits on clients.
        ///   - receiver: Stores what devices send; nil if nothing is received.
        ///   - proxies: The addresses that requests may come from, besides this computer; nil for
        ///     all.
        ///   - certificate: The certificate for HTTPS; nil for HTTP.
        package convenience init(
            _ stores: ServedStores, listening: Listening = .loopback, port: Int = 0,
            limits: Limits = Limits(), receiver: Receiver? = nil, proxies: AddressRange? = nil,
            certificate: ServerCertificate? = nil
        ) {
            self.init(
                stores.site, of: [], listening: listening, port: port, limits: limits, api: nil,
                receiver: receiver, stores: stores, proxies: proxies, certificate: certificate,
                revision: { nil })
        }
    }
#endif
