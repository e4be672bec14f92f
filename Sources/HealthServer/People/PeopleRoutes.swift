#if People
    import Foundation
    import HTTPTypes
    import HealthPeople
    import HealthStorage
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    extension HealthServer {
        /// Adds the addresses of a server of many people that belong to no person: whether it runs,
        /// its metrics, and the operator's API.
        ///
        /// They accept no cookie, so neither the host nor the origin is checked.
        func addOperation(to router: Router<PageRequestContext>, of site: PeopleSite) {
            let operation = PeopleOperation(site: site, server: self)
            router.get("/live") { [self] request, context in
                response(operation.live, to: request, context.channel)
            }
            router.get("/ready") { [self] request, context in
                response(await operation.ready(), to: request, context.channel)
            }
            router.get("/metrics") { [self] request, context in
                response(await operation.metrics(request, context), to: request, context.channel)
            }
            router.get("/v1/people") { [self] request, context in
                let answer = await operation.operated(request) { try $0.list() }
                return response(answer, to: request, context.channel)
            }
            router.post("/v1/people") { [self] request, context in
                let fields = await operation.fields(request, context, self)
                let answer = await operation.operated(request) { try $0.create(fields) }
                return response(answer, to: request, context.channel)
            }
            router.post("/v1/people/:person/:action") { [self] request, context in
                let fields = await operation.fields(request, context, self)
                let person = context.parameters.get("person") ?? ""
                let action = context.parameters.get("action") ?? ""
                let answer = await operation.operated(request) {
                    try $0.act(action, on: person, fields)
                }
                return response(answer, to: request, context.channel)
            }
            router.delete("/v1/people/:person") { [self] request, context in
                let person = context.parameters.get("person") ?? ""
                let answer = await operation.operated(request) { try $0.erase(person) }
                return response(answer, to: request, context.channel)
            }
        }
    }

    /// The answers of the addresses for operators.
    struct PeopleOperation {
        let site: PeopleSite
        let server: HealthServer

        /// Whether the process runs.
        var live: PageResponse { PageResponse(.ok, "text/plain; charset=utf-8", "live\n") }

        /// Whether requests can be answered: the databases answer, and the server isn't ending.
        func ready() async -> PageResponse {
            let unready = PageResponse(
                .serviceUnavailable, "text/plain; charset=utf-8", "not ready\n")
            if site.isEnding { return unready }
            do {
                try await site.people.checkConnection()
                return PageResponse(.ok, "text/plain; charset=utf-8", "ready\n")
            } catch { return unready }
        }

        /// The counters, for this computer and for operators.
        func metrics(_ request: Request, _ context: PageRequestContext) async -> PageResponse {
            let peer = context.channel.remoteAddress?.ipAddress
            // A proxy on this computer adds this field to requests of others.
            let isLocal =
                peer.map { peer in AddressRange.loopback.contains { $0.contains(peer) } } == true
                && HTTPField.Name("X-Forwarded-For").map { request.headers[$0] == nil } == true
            if !isLocal {
                do { try await requireOperator(request) } catch {
                    return PageResponse(APIProblem.invalidToken)
                }
            }
            return PageResponse(
                .ok, "text/plain; version=0.0.4; charset=utf-8",
                site.metrics.text(openStores: site.cache.count))
        }

        // MARK: - The operator's API

        private func requireOperator(_ request: Request) async throws {
            guard let text = BearerToken.text(request.headers[values: .authorization]) else {
                throw APIProblem.noToken
            }
            guard try await site.people.directory.bearer(ofToken: text, .operator) != nil else {
                throw APIProblem.invalidToken
            }
        }

        /// Reads the JSON object of a body; empty for another body.
        func fields(
            _ request: Request, _ context: PageRequestContext, _ server: HealthServer
        ) async -> OperatorFields {
            let deadline = Deadline(server.limits.stallTimeout, context.channel)
            defer { deadline.cancel() }
            guard let body = try? await request.body.collect(upTo: server.limits.bodyBytes) else {
                return OperatorFields()
            }
            let data = Data(body.readableBytesView)
            return (try? JSONDecoder().decode(OperatorFields.self, from: data)) ?? OperatorFields()
        }

        /// Answers a call of an operator.
        func operated(
            _ request: Request, _ body: @escaping @Sendable (OperatorCalls) throws -> JSONText
        ) async -> PageResponse {
            do {
                try await requireOperator(request)
                let calls = OperatorCalls(
                    people: site.people, now: Date.now.timeIntervalSinceReferenceDate)
                let json = try await BlockingWork.people.run { try body(calls) }
                return PageResponse(json, status: 200)
            } catch let problem as APIProblem {
                return PageResponse(problem)
            } catch let error as PeopleError {
                return PageResponse(APIProblem(error))
            } catch {
                return PageResponse(APIProblem.unavailable("The database failed. Try again."))
            }
        }
    }

    /// The members of a body for the operator's API. Others are ignored.
    struct OperatorFields: Codable, Sendable {
        var name: String?
        /// The most bytes; 0 for no limit.
        var quota: Int64?
        var aggregatedOnly: Bool?
    }

    /// The calls of the operator's API. They block.
    struct OperatorCalls {
        let people: People
        let now: Double

        func list() throws -> JSONText {
            .object([
                "people": .array(
                    try people.list().map { person in
                        .object([
                            "person": .string(person.person), "name": .text(person.name),
                            "disabled": .bool(person.disabledAt != nil),
                            "entries": .integer(Int(person.entries)),
                            "bytes": .integer(Int(person.bytes)),
                            "quota": person.quota.map { .integer(Int($0)) } ?? .null,
                        ])
                    })
            ])
        }

        func create(_ fields: OperatorFields) throws -> JSONText {
            let (person, token) = try people.create(
                named: fields.name ?? "", quota: fields.quota.flatMap { $0 > 0 ? $0 : nil }, at: now
            )
            return .object(["person": .string(person), "token": .string(token.text)])
        }

        func act(_ action: String, on person: String, _ fields: OperatorFields) throws -> JSONText {
            switch action {
            case "devices", "tokens":
                let kind: PersonToken.Kind = action == "devices" ? .device : .reading
                let scope = ReadScope(isAggregatedOnly: fields.aggregatedOnly == true)
                let token = try people.directory.addToken(
                    kind, named: fields.name ?? "", of: person, scope, at: now)
                return .object([
                    "id": .string(token.identifier), "token": .string(token.text),
                ])
            case "revoke":
                try people.directory.revokeToken(fields.name ?? "", of: person, at: now)
            case "disable": try people.setDisabled(person, at: now)
            case "enable": try people.setDisabled(person, at: nil)
            case "quota":
                try people.setQuota(fields.quota.flatMap { $0 > 0 ? $0 : nil }, of: person)
            default: throw APIProblem.notFound
            }
            return .object(["done": .bool(true)])
        }

        func erase(_ person: String) throws -> JSONText {
            let receipt = try people.erase(person, at: now)
            return .object([
                "person": .string(receipt.person), "entries": .integer(receipt.entries),
                "copies": .integer(receipt.copies), "receipts": .integer(receipt.receipts),
                "tokens": .integer(receipt.tokens), "keys": .integer(receipt.keys),
                "nodesWithin": .integer(receipt.nodesWithin),
            ])
        }
    }

    extension APIProblem {
        fileprivate init(_ error: PeopleError) {
            self =
                switch error {
                case .unknownPerson, .unknownDevice: .notFound
                case .invalidName, .deviceNameTaken: .request(error.description)
                default: .unavailable(error.description)
                }
        }
    }
#endif
