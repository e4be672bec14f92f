#if People
    import Foundation
    import HTTPTypes
    import HealthEngine
    import HealthPeople
    import HealthStorage
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    /// Finds the person whose token or session a request has, and passes the request on to the
    /// server of the person's store. Requests without one are answered here.
    ///
    /// A token that is unknown, revoked or another person's gets the same answer as a path that
    /// doesn't exist for the caller: no request shows whether a person exists.
    struct PeopleMiddleware: RouterMiddleware {
        let site: PeopleSite
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        /// The cookie of a browser's session. The same on all nodes, which have different ports.
        private static let cookie = "openhealth-session"

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            guard let target = context.target else { return try await next(request, context) }
            do {
                if target.isAPI { return try await answerAPI(target, request, context) }
                if target.path == LoginPage.path {
                    return try await answerLogin(request, context)
                }
                if server.site.files.contains(where: { $0.path == target.path }) {
                    return try await next(request, context)
                }
                return try await answerPage(target, request, context)
            } catch let error as RequestRejection {
                throw error
            } catch {
                site.metrics.count(.failures)
                throw rejection(error)
            }
        }

        /// Returns the sentence of an error that contains no value and no name; nil for others.
        static func sentence(_ error: any Error) -> String? {
            switch error {
            case let error as SQLError: error.description
            case let error as PeopleError: error.description
            case let error as StoreError: error.description
            default: nil
            }
        }

        /// What people see if the log can't be read or written. It can be in a moment.
        private func rejection(_ error: any Error) -> RequestRejection {
            switch error {
            case PeopleError.unknownPerson: return .noSession
            case PeopleError.suspended: return .suspended
            default:
                let reason = Self.sentence(error) ?? "\(type(of: error))"
                report(.failed("A person’s data can’t be read now: \(reason)"))
            }
            return .unavailable
        }

        // MARK: - API

        private func answerAPI(
            _ target: RequestTarget, _ request: Request, _ context: PageRequestContext
        ) async throws -> Response {
            if target.path == APIMiddleware.descriptionPath {
                let body = PageResponse(.ok, "application/json", OpenAPIDescription.json)
                return server.response(body, to: request, context.channel)
            }
            guard let text = BearerToken.text(request.headers[values: .authorization]) else {
                return problem(.noAccess, request, context)
            }
            guard let bearer = try await site.places.bearer(ofToken: text, .reading)
            else { return problem(.noAccess, request, context) }
            context.record?.note(actor: bearer.token.identifier)
            server.connections.markAuthenticated(context.channel)
            if target.path == AccessList.apiPath {
                return try await answerAccesses(bearer, target, request, context)
            }
            var context = context
            context.readToken = ReadToken(bearer.token)
            return try await answer(bearer, target, request, context)
        }

        private func problem(
            _ problem: APIProblem, _ request: Request, _ context: PageRequestContext
        ) -> Response {
            site.metrics.count(.refusedReads)
            return server.response(PageResponse(problem), to: request, context.channel)
        }

        // MARK: - Pages

        private func answerPage(
            _ target: RequestTarget, _ request: Request, _ context: PageRequestContext
        ) async throws -> Response {
            let key = request.cookies(named: Self.cookie).first ?? ""
            let now = Date.now.timeIntervalSinceReferenceDate
            let bearer = try await site.places.bearer(ofSession: key, at: now)
            guard let bearer else {
                site.metrics.count(.refusedReads)
                if request.method == .get, ServedPage.Format(request, target) == .html {
                    let login = PageResponse(redirect: LoginPage.path)
                    return server.response(login, to: request, context.channel)
                }
                throw RequestRejection.noSession
            }
            context.record?.note(actor: bearer.token.identifier)
            server.connections.markAuthenticated(context.channel)
            var context = context
            context.session = Sessions.Session(personKey: key)
            if target.path == AccessList.pagePath {
                return try await answerAccesses(bearer, target, request, context)
            }
            return try await answer(bearer, target, request, context)
        }

        /// Opens a session for a reading token.
        ///
        /// - Returns: The cookie; nil for another text.
        private func session(
            for token: String, _ context: PageRequestContext
        ) async throws -> String? {
            // Pages show everything, so a token for less doesn't open them.
            guard let bearer = try await site.places.bearer(ofToken: token, .reading),
                bearer.token.scope == ReadScope()
            else { return nil }
            context.record?.note(actor: bearer.token.identifier)
            let now = Date.now.timeIntervalSinceReferenceDate
            let key = try await site.places.openSession(Secret().text, for: bearer, at: now)
            try await site.places.record(
                AccessRecord(
                    person: bearer.token.person, at: now, actor: bearer.token.identifier,
                    action: .read, subject: "login",
                    origin: context.channel.remoteAddress?.ipAddress, result: 200))
            return cookie(key, lasting: Int(PeopleDirectory.sessionLifetime))
        }

        private func cookie(_ value: String, lasting seconds: Int) -> String {
            "\(Self.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (server.isEncrypted ? "; Secure" : "")
        }

        private func answerLogin(
            _ request: Request, _ context: PageRequestContext
        ) async throws -> Response {
            guard request.method == .post else {
                let page = PageResponse(
                    .ok, ServedPage.Format.html.contentType, LoginPage.html(after: .none))
                return server.response(page, to: request, context.channel)
            }
            let fields = try await server.formFields(request, context.channel)
            if fields.contains(where: { $0.name == "logout" }) {
                let key = request.cookies(named: Self.cookie).first ?? ""
                try await site.places.endSession(key)
                var answer = PageResponse(redirect: LoginPage.path)
                answer.headers[.setCookie] = cookie("", lasting: 0)
                return server.response(answer, to: request, context.channel)
            }
            let token = fields.first { $0.name == "token" }?.value ?? ""
            guard
                let cookie = try await session(
                    for: token.trimmingCharacters(in: .whitespacesAndNewlines), context)
            else {
                site.metrics.count(.refusedReads)
                let page = PageResponse(
                    .forbidden, ServedPage.Format.html.contentType, LoginPage.html(after: .wrong))
                return server.response(page, to: request, context.channel)
            }
            var answer = PageResponse(redirect: "/")
            answer.headers[.setCookie] = cookie
            return server.response(answer, to: request, context.channel)
        }

        // MARK: - A person's data

        /// Answers from the person's store, and records the access before the answer leaves.
        private func answer(
            _ bearer: TokenBearer, _ target: RequestTarget, _ request: Request,
            _ context: PageRequestContext
        ) async throws -> Response {
            let person = bearer.token.person
            let serving = try await site.cache.companion(of: person, at: bearer.head)
            let response = try await serving.responder.respond(to: request, context: context)
            if response.status == .internalServerError { await site.cache.checkFile(of: person) }
            site.metrics.count(.reads)
            // It only says that something has changed.
            if target.path == EventStreams.path { return response }
            try await record(bearer, target, request, context, response.status.code)
            return response
        }

        private func record(
            _ bearer: TokenBearer, _ target: RequestTarget, _ request: Request,
            _ context: PageRequestContext, _ status: Int
        ) async throws {
            let subject = AccessSubject(target)
            try await site.places.record(
                AccessRecord(
                    person: bearer.token.person, at: Date.now.timeIntervalSinceReferenceDate,
                    actor: bearer.token.identifier,
                    action: request.method == .post ? .write : .read,
                    subject: subject.resource, days: subject.days,
                    origin: context.channel.remoteAddress?.ipAddress, result: status))
        }

        private func answerAccesses(
            _ bearer: TokenBearer, _ target: RequestTarget, _ request: Request,
            _ context: PageRequestContext
        ) async throws -> Response {
            let (places, person) = (site.places, bearer.token.person)
            let list = AccessList(
                try await BlockingWork.people.run {
                    try places.people(of: person).accesses(to: person, limit: AccessList.limit)
                })
            try await record(bearer, target, request, context, 200)
            let isJSON = target.isAPI || ServedPage.Format(request, target) == .json
            let body =
                isJSON
                ? PageResponse(list.json, status: 200)
                : PageResponse(.ok, ServedPage.Format.html.contentType, list.html)
            return server.response(body, to: request, context.channel)
        }
    }

    extension BlockingWork {
        /// For reading the directory of people.
        static let people = BlockingWork("people", .concurrent)
    }

    extension Sessions.Session {
        /// The session of a person's browser: its form key follows from its key, so that all nodes
        /// have the same.
        init(personKey key: String) {
            let formKey = SHA256.hexadecimal("form \(key)".utf8)
            self.init(key: Secret(text: key), formKey: Secret(text: formKey))
        }
    }
#endif
