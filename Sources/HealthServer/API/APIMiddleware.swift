#if Server
    import HealthCalendar
    import HealthStorage
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore
    import OpenHealthKit

    /// Serves the read API. Requests with other paths, and those that send data, are passed on.
    ///
    /// It needs no cookie and accepts none: each request has its token in the header
    /// `Authorization`, which a browser doesn't add by itself. A token in the request's context was
    /// checked before.
    struct APIMiddleware: RouterMiddleware {
        let api: ReadAPI
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        /// The path of the description of the API, which needs no token.
        static let descriptionPath = "/v1/openapi"

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            guard let target = context.target, target.isAPI, request.method != .post else {
                return try await next(request, context)
            }
            let answer: PageResponse
            do {
                answer = PageResponse(
                    .ok, APIMiddleware.json, try await text(target, request, context))
            } catch let problem as APIProblem {
                answer = PageResponse(problem.shown(to: server.audience))
            }
            return server.response(answer, to: request, context.channel)
        }

        private static let json = "application/json; charset=utf-8"

        private func text(
            _ target: RequestTarget, _ request: Request, _ context: PageRequestContext
        ) async throws -> String {
            if target.path == APIMiddleware.descriptionPath { return OpenAPIDescription.json }
            let token =
                if let checked = context.readToken { checked } else {
                    try await token(of: request)
                }
            server.connections.markAuthenticated(context.channel)
            guard let (resource, name) = api.resource(at: target.path) else {
                throw APIProblem.notFound
            }
            if resource.contents == .samples, token.scope.isAggregatedOnly {
                throw APIProblem.notPermitted("This token can read only statistics.")
            }
            let apiRequest = APIRequest(
                name: name, query: try resource.checked(target.query), scope: token.scope,
                changes: { server.wakeUps(for: token.identifier) })
            let answer = try await text(resource, apiRequest)
            // The token may have been removed while a long poll waited.
            if apiRequest["wait"] != nil { _ = try await self.token(of: request) }
            return answer
        }

        private func text(_ resource: APIResource, _ request: APIRequest) async throws -> String {
            do {
                return try await resource.respond(request)
            } catch let problem as APIProblem {
                throw problem
            } catch let error as StoreError {
                if let problem = APIProblem(error) { throw problem }
                report(.pageFailed(path: resource.path, error))
            } catch let error as CalendarError {
                throw APIProblem(error)
            } catch {
                report(.failed("The resource \(resource.path) failed (\(type(of: error)))."))
            }
            throw APIProblem.failed
        }

        /// Returns the token of a request.
        ///
        /// - Throws: ``APIProblem`` without a valid one.
        private func token(of request: Request) async throws -> ReadToken {
            guard let text = BearerToken.text(request.headers[values: .authorization]) else {
                throw APIProblem.noToken
            }
            do {
                guard let token = try await api.token(text) else { throw APIProblem.invalidToken }
                return token
            } catch let error as StoreError {
                report(.pageFailed(path: ReadAPI.prefix, error))
                throw APIProblem.unavailable("Tokens can't be checked now. Try again in a moment.")
            }
        }
    }

    extension HealthServer {
        /// Returns wake-ups after changes of the store for the bearer of a token. Of more than
        /// ``EventStreams/limit`` at a time, the oldest one ends.
        fileprivate func wakeUps(for bearer: String) -> AsyncStream<Void> {
            let (calls, call) = streams.open(for: "token " + bearer)
            let changed = changes.subscribe { _ in call.yield() }
            return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let forwarding = Task {
                    for await _ in calls { continuation.yield() }
                    continuation.finish()
                }
                continuation.onTermination = { _ in
                    forwarding.cancel()
                    call.finish()
                    changed.cancel()
                }
            }
        }
    }

    extension RequestTarget {
        /// Whether the path belongs to the API.
        var isAPI: Bool { path.hasPrefix(ReadAPI.prefix) }
    }

    extension PageResponse {
        /// Creates the response of a problem.
        init(_ problem: APIProblem) {
            self.init(
                HTTPResponse.Status(code: problem.status), "application/problem+json", problem.json)
            switch problem.status {
            case 401:
                headers[.wwwAuthenticate] =
                    problem == .noToken || problem == .noAccess
                    ? "Bearer realm=\"openhealth\""
                    : "Bearer realm=\"openhealth\", error=\"invalid_token\""
            case 405: headers[.allow] = "GET, HEAD"
            case 503: headers[.retryAfter] = "5"
            default: break
            }
        }
    }
#endif

extension APIResource {
    /// The maximum length of a query item's value in UTF-8 bytes.
    private static let maximumLength = 1_000

    /// Returns the query items without those that are empty.
    ///
    /// - Throws: ``APIProblem`` for an unknown one, a repeated one or one that is too long.
    func checked(_ query: [PageQuery.Field]) throws(APIProblem) -> [PageQuery.Field] {
        var seen: Set<String> = []
        for field in query {
            guard let parameter = parameters.first(where: { $0.name == field.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                throw .request(
                    "Unknown query item “\(field.name.prefix(40))”. "
                        + (names.isEmpty ? "This resource has none." : "Use \(names)."))
            }
            guard seen.insert(field.name).inserted || parameter.isRepeatable else {
                throw .request("“\(field.name)” can be given only once.")
            }
            guard field.value.utf8.count <= APIResource.maximumLength else {
                throw .request("The value of “\(field.name)” is too long.")
            }
        }
        return query.filter { !$0.value.isEmpty }
    }
}

/// Parses the header `Authorization: Bearer TOKEN` (RFC 6750).
enum BearerToken {
    /// Returns the token; nil if there is none, or several.
    static func text(_ values: [String]) -> String? {
        guard values.count == 1 else { return nil }
        let words = values[0].split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        let text = words[1].trimmingPrefix(" ")
        return text.isEmpty || text.contains(" ") ? nil : String(text)
    }
}
