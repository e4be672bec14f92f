#if Server
    import Foundation
    import HTTPTypes
    import HealthCalendar
    import HealthDashboard
    import HealthStorage
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    /// A request's context. ``TargetResponder`` sets the address. ``SessionMiddleware`` sets the
    /// session, unless a server of many people has set it or the token before.
    struct PageRequestContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel
        /// The parsed address; nil for an invalid one.
        var target: RequestTarget?
        /// The browser's session; nil before ``SessionMiddleware``.
        var session: Sessions.Session?
        /// The checked token of a program that reads; nil before ``APIMiddleware``, which then
        /// checks it.
        var readToken: ReadToken?
        /// What the log will have of the request; nil without a log.
        var record: RequestRecord?

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
        }
    }

    /// Parses a request's address before routes are matched, so that they match the normalized
    /// path: without ".json", without a trailing slash, and with equivalent percent-encodings made
    /// equal. The routes reject an address that can't be parsed.
    struct TargetResponder<Routes: HTTPResponder<PageRequestContext>>: HTTPResponder {
        let routes: Routes

        func respond(to request: Request, context: PageRequestContext) async throws -> Response {
            guard let path = request.head.path, let target = RequestTarget(path) else {
                return try await routes.respond(to: request, context: context)
            }
            var (head, context) = (request.head, context)
            head.path = target.route
            context.target = target
            return try await routes.respond(
                to: Request(head: head, body: request.body), context: context)
        }
    }

    extension HealthServer {
        /// Returns a responder for all requests. Every response has the common headers.
        ///
        /// Static files need no session; all other addresses do, including unknown ones.
        ///
        /// - Parameter report: Receives the server's events.
        func responder(
            _ report: @escaping @Sendable (Notice) -> Void
        ) -> TargetResponder<RouterResponder<PageRequestContext>> {
            let router = Router(context: PageRequestContext.self)
            if let log { router.add(middleware: RequestLogMiddleware(log: log)) }
            addChecks(to: router, report)
            #if People
                if let people {
                    router.add(
                        middleware: PeopleMiddleware(site: people, server: self, report: report))
                }
            #endif
            if let stores {
                stores.connect(report)
                router.add(middleware: StoresAPIMiddleware(stores: stores, server: self))
            }
            addContents(to: router, report)
            return TargetResponder(routes: router.buildResponder())
        }

        /// Returns a responder for requests that another server has checked and found to be for this
        /// store. This server doesn't have to listen.
        ///
        /// The context of a request needs the parsed address, and a session, or for the API a
        /// token. The caller keeps the responder, which keeps this server.
        ///
        /// - Parameter report: Receives the server's events.
        func personResponder(
            _ report: @escaping @Sendable (Notice) -> Void
        ) -> RouterResponder<PageRequestContext> {
            let router = Router(context: PageRequestContext.self)
            router.add(middleware: ErrorMiddleware(server: self, report: report))
            addContents(to: router, report)
            return router.buildResponder()
        }

        /// Adds what needs no store: errors become responses, devices send data, and the peer, the
        /// host, the address, the method and the origin of other requests are checked.
        func addChecks(
            to router: Router<PageRequestContext>, _ report: @escaping @Sendable (Notice) -> Void
        ) {
            router.add(middleware: ErrorMiddleware(server: self, report: report))
            router.add(middleware: PeerMiddleware(server: self))
            #if People
                if let people { addOperation(to: router, of: people, report) }
            #endif
            addReceiving(to: router, report)
            router.add(middleware: UnknownDeviceAddressMiddleware(server: self))
            router.add(middleware: HostMiddleware(server: self))
            router.add(middleware: RequestValidationMiddleware())
            router.add(middleware: CrossSiteMiddleware(server: self))
        }

        /// Adds the contents of the store: the API, static files, events and pages.
        private func addContents(
            to router: Router<PageRequestContext>, _ report: @escaping @Sendable (Notice) -> Void
        ) {
            if let api {
                router.add(middleware: APIMiddleware(api: api, server: self, report: report))
            }
            var registered: Set<String> = []
            for file in site.files where registered.insert(file.path).inserted {
                for method in [HTTPRequest.Method.get, .head] {
                    router.on(RouterPath(RequestTarget.route(file.path)), method: method) {
                        [self] request, context in
                        let pageResponse = PageResponse(.ok, file.contentType, file.text)
                        return response(pageResponse, to: request, context.channel)
                    }
                }
            }
            router.add(middleware: SessionMiddleware(server: self, report: report))
            if let stores {
                router.add(
                    middleware: StoresMiddleware(stores: stores, server: self, report: report))
            }
            if registered.insert(EventStreams.path).inserted {
                router.get(RouterPath(EventStreams.path)) { [self] request, context in
                    let session = try context.requireSession()
                    let pageResponse = PageResponse(
                        events: stream(for: session, request, context.channel))
                    return response(pageResponse, to: request, context.channel)
                }
            }
            for page in site.pages where registered.insert(page.path).inserted {
                let pages = site.pages.filter { $0.path == page.path }
                let route = RequestTarget.route(page.path)
                add(pages, at: RouterPath(route), to: router, report)
                let named = pages.filter { $0.matching == .pathAndName }
                guard !named.isEmpty, page.path != "/" else { continue }
                add(named, at: RouterPath(route + "/:name"), to: router, report)
            }
        }

        /// Adds the routes of an address for GET, HEAD and POST. A method without a page gets
        /// status 405.
        private func add(
            _ pages: [ServedPage], at route: RouterPath, to router: Router<PageRequestContext>,
            _ report: @escaping @Sendable (Notice) -> Void
        ) {
            for method in [HTTPRequest.Method.get, .head, .post] {
                let verb: ServedPage.Method = method == .post ? .post : .get
                let page = pages.first { $0.verb == verb }
                router.on(route, method: method) { [self] request, context in
                    guard let page else { throw RequestRejection.method }
                    let pageResponse = try await pageResponse(page, request, context, report)
                    return response(pageResponse, to: request, context.channel)
                }
            }
        }

        private func pageResponse(
            _ page: ServedPage, _ request: Request, _ context: PageRequestContext,
            _ report: @Sendable (Notice) -> Void
        ) async throws -> PageResponse {
            guard let target = context.target else { throw RequestRejection.badAddress }
            let session = try context.requireSession()
            let format = ServedPage.Format(request, target)
            var query = PageQuery(
                path: page.path, name: target.name(after: page.path), query: target.query,
                formKey: session.formKey.text,
                languages: String((request.headers[.acceptLanguage] ?? "").prefix(200)))
            if page.verb == .post {
                query.form = try await form(request, context.channel, session)
            }
            let revision = revision()
            if let revision { sessions.note(revision, shownTo: session) }
            // The cache key contains the session's form key, because the page's forms contain it
            // too.
            let address =
                "\(format) \(session.formKey.text) \(query.languages) "
                + target.address(without: "")
            if page.verb == .get, let revision, let text = responseCache.text(address, at: revision)
            {
                return PageResponse(.ok, format.contentType, text)
            }
            let begin = Date.now
            switch try await body(page, query, format, report) {
            case .content(let text):
                if page.verb == .get, let revision {
                    responseCache.insert(
                        text, for: address, at: revision, requestedAt: begin)
                }
                return PageResponse(.ok, format.contentType, text)
            case .redirect(let address): return PageResponse(redirect: address)
            }
        }

        private func body(
            _ page: ServedPage, _ query: PageQuery, _ format: ServedPage.Format,
            _ report: @Sendable (Notice) -> Void
        ) async throws(RequestRejection) -> ServedPage.Body {
            do {
                return try await page.body(for: query, format)
            } catch let error as RequestRejection {
                throw error
            } catch let error as PageError {
                throw RequestRejection(error)
            } catch let error as Unavailability {
                throw RequestRejection(error)
            } catch let error as StoreError {
                let rejection = RequestRejection.store(error)
                if rejection == .failed {
                    report(.pageFailed(path: page.path, error))
                }
                throw rejection
            } catch let error as CalendarError {
                throw RequestRejection.calendar(error)
            } catch {
                report(.failed("The page \(page.path) failed (\(type(of: error)))."))
                throw .failed
            }
        }

        private func form(
            _ request: Request, _ channel: any Channel, _ session: Sessions.Session
        ) async throws -> [PageQuery.Field] {
            let fields = try await formFields(request, channel)
            let key = fields.first { $0.name == "csrf" }?.value ?? ""
            guard session.formKey.matches(key) else { throw RequestRejection.otherSite }
            return fields.filter { $0.name != "csrf" }
        }

        /// Returns the fields of a form's body.
        ///
        /// - Throws: ``RequestRejection``.
        func formFields(
            _ request: Request, _ channel: any Channel
        ) async throws -> [PageQuery.Field] {
            let type = request.headers[.contentType] ?? ""
            guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
                throw RequestRejection.notAForm
            }
            let body: ByteBuffer
            do {
                let deadline = Deadline(limits.stallTimeout, channel)
                defer { deadline.cancel() }
                body = try await request.body.collect(upTo: limits.bodyBytes)
            } catch is NIOTooManyBytesError {
                throw RequestRejection.tooLarge
            } catch {
                throw RequestRejection.notAForm
            }
            guard let text = String(validating: body.readableBytesView, as: UTF8.self),
                let fields = FormText.fields(text)
            else { throw RequestRejection.notAForm }
            return fields
        }
    }

    /// A timer that closes a connection after some time, unless ``cancel()`` is called before.
    struct Deadline {
        private let task: Task<Void, any Error>

        init(_ duration: Duration, _ channel: any Channel) {
            task = Task {
                try await Task.sleep(for: duration)
                channel.close(promise: nil)
            }
        }

        func cancel() { task.cancel() }
    }

    extension PageRequestContext {
        /// Returns the session. It is missing only before ``SessionMiddleware``.
        fileprivate func requireSession() throws(RequestRejection) -> Sessions.Session {
            guard let session else { throw .noSession }
            return session
        }
    }

    extension RequestTarget {
        /// The path for route matching. Each component is percent-encoded again, so that a
        /// character such as "?" in it isn't taken for a part of the address. An empty component
        /// becomes "%00", so that it can't match a page.
        var route: String { RequestTarget.route(path) }

        static func route(_ path: String) -> String {
            if path == "/" { return path }
            return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
                .map { "/" + ($0.isEmpty ? "%00" : FormText.encoded(String($0))) }.joined()
        }

        /// Returns the last component of a path such as "/workouts/0C9A…"; nil if the path is the
        /// page's own.
        func name(after page: String) -> String? {
            guard path != page, let slash = path.lastIndex(of: "/") else { return nil }
            let name = path[path.index(after: slash)...]
            return name.isEmpty ? nil : String(name)
        }
    }
#endif
