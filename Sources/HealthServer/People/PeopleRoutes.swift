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
        ///
        /// - Parameter report: Receives the causes of calls that failed.
        func addOperation(
            to router: Router<PageRequestContext>, of site: PeopleSite,
            _ report: @escaping @Sendable (Notice) -> Void
        ) {
            let operation = PeopleOperation(site: site, server: self, report: report)
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
                let answer = await operation.operated(request, context) { calls, _ in
                    try calls.list()
                }
                return response(answer, to: request, context.channel)
            }
            router.post("/v1/people") { [self] request, context in
                let answer = await operation.operated(request, context) { calls, fields in
                    try calls.create(fields)
                }
                return response(answer, to: request, context.channel)
            }
            router.post("/v1/people/:person/:action") { [self] request, context in
                let person = context.parameters.get("person") ?? ""
                let action = context.parameters.get("action") ?? ""
                let answer = await operation.operated(request, context) { calls, fields in
                    try calls.act(action, on: person, fields)
                }
                return response(answer, to: request, context.channel)
            }
            router.delete("/v1/people/:person") { [self] request, context in
                let person = context.parameters.get("person") ?? ""
                let answer = await operation.operated(request, context) { calls, _ in
                    try calls.erase(person)
                }
                return response(answer, to: request, context.channel)
            }
        }
    }

    /// The answers of the addresses for operators.
    struct PeopleOperation {
        let site: PeopleSite
        let server: HealthServer
        let report: @Sendable (HealthServer.Notice) -> Void

        /// Whether the process runs.
        var live: PageResponse { PageResponse(.ok, "text/plain; charset=utf-8", "live\n") }

        /// Whether requests can be answered: home answers, its disk and the cache's aren't full, and the
        /// server isn't ending. If a place
        /// doesn't answer, the people of the others are still served.
        func ready() async -> PageResponse {
            let unready = PageResponse(
                .serviceUnavailable, "text/plain; charset=utf-8", "not ready\n")
            if site.isEnding || !site.cache.isUsable { return unready }
            do {
                let silent = try await site.places.checkConnection()
                let note = silent.isEmpty ? "" : "; places without an answer: \(silent.count)"
                let text = "ready\(note)\n"
                return PageResponse(.ok, "text/plain; charset=utf-8", text)
            } catch { return unready }
        }

        /// The counters, for this computer and for operators.
        func metrics(_ request: Request, _ context: PageRequestContext) async -> PageResponse {
            let peer = context.channel.remoteAddress?.ipAddress
            // A proxy on this computer adds one of these fields to requests of others.
            let isForwarded = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"]
                .compactMap { HTTPField.Name($0) }.contains { request.headers.contains($0) }
            let isLocal =
                peer.map { peer in AddressRange.loopback.contains { $0.contains(peer) } } == true
                && !isForwarded && server.proxies == nil
            if !isLocal {
                do { _ = try await operatorToken(request, context) } catch {
                    return PageResponse(APIProblem.noAccess)
                }
            }
            return PageResponse(
                .ok, "text/plain; version=0.0.4; charset=utf-8",
                site.metrics.text(
                    openStores: site.cache.count, droppedLines: server.log?.dropped ?? 0))
        }

        // MARK: - The operator's API

        /// Returns the public identifier of the operator's token.
        private func operatorToken(
            _ request: Request, _ context: PageRequestContext
        ) async throws -> String {
            guard let text = BearerToken.text(request.headers[values: .authorization]),
                let bearer = try await site.places.bearer(ofToken: text, .operator)
            else { throw APIProblem.noAccess }
            context.record?.note(actor: bearer.token.identifier)
            return bearer.token.identifier
        }

        /// Reads the JSON object of a body; empty without a body.
        ///
        /// - Throws: ``APIProblem`` for another body, or one with unknown members.
        private func fields(
            _ request: Request, _ context: PageRequestContext
        ) async throws -> OperatorFields {
            let deadline = Deadline(server.limits.stallTimeout, context.channel)
            defer { deadline.cancel() }
            let body = try await request.body.collect(upTo: server.limits.bodyBytes)
            let data = Data(body.readableBytesView)
            if data.isEmpty { return OperatorFields() }
            guard let fields = try? JSONDecoder().decode(OperatorFields.self, from: data) else {
                throw APIProblem.request(
                    "The body must be a JSON object with name, quota, place or aggregatedOnly.")
            }
            return fields
        }

        /// Answers a call of an operator, and records it.
        func operated(
            _ request: Request, _ context: PageRequestContext,
            _ body: @escaping @Sendable (OperatorCalls, OperatorFields) throws -> JSONText
        ) async -> PageResponse {
            do {
                let token = try await operatorToken(request, context)
                let fields = try await fields(request, context)
                let now = Date.now.timeIntervalSinceReferenceDate
                let calls = OperatorCalls(places: site.places, now: now)
                let json = try await BlockingWork.people.run { try body(calls, fields) }
                try await site.places.record(
                    AccessRecord(
                        person: context.parameters.get("person") ?? "", at: now, actor: token,
                        action: request.method == .get ? .read : .write,
                        subject: String((context.target?.path ?? "").prefix(100)),
                        origin: context.channel.remoteAddress?.ipAddress, result: 200))
                return PageResponse(json, status: 200)
            } catch let problem as APIProblem {
                return PageResponse(problem)
            } catch let error as PeopleError {
                return PageResponse(APIProblem(error))
            } catch {
                let reason = PeopleMiddleware.sentence(error) ?? "\(type(of: error))"
                report(.failed("A call of an operator failed: \(reason)"))
                return PageResponse(APIProblem.unavailable("The call failed. Try again."))
            }
        }
    }

    /// The members of a body for the operator's API.
    struct OperatorFields: Decodable, Sendable {
        var name: String?
        /// The most bytes; 0 for no limit.
        var quota: Int64?
        var aggregatedOnly: Bool?
        /// The name of the place of a new person.
        var place: String?

        private struct Member: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init() {}

        /// Throws for an unknown member: a misspelt limit would be no limit.
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            for member in members.allKeys {
                switch member.stringValue {
                case "name": name = try members.decode(String.self, forKey: member)
                case "place": place = try members.decode(String.self, forKey: member)
                case "quota": quota = try members.decode(Int64.self, forKey: member)
                case "aggregatedOnly":
                    aggregatedOnly = try members.decode(Bool.self, forKey: member)
                default:
                    throw DecodingError.dataCorruptedError(
                        forKey: member, in: members, debugDescription: "unknown member")
                }
            }
        }
    }

    /// The calls of the operator's API. They block.
    struct OperatorCalls {
        let places: PeoplePlaces
        let now: Double

        func list() throws -> JSONText {
            .object([
                "people": .array(
                    try places.list().map { person in
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
            try requireQuota(fields.quota)
            let (person, token, _) = try places.create(
                named: fields.name ?? "", quota: fields.quota.flatMap { $0 > 0 ? $0 : nil },
                at: fields.place, now: now)
            return .object(["person": .string(person), "token": .string(token.text)])
        }

        func act(_ action: String, on person: String, _ fields: OperatorFields) throws -> JSONText {
            switch action {
            case "devices", "tokens":
                let kind: PersonToken.Kind = action == "devices" ? .device : .reading
                let scope = ReadScope(isAggregatedOnly: fields.aggregatedOnly == true)
                let token = try places.addToken(
                    kind, named: fields.name ?? "", of: person, scope, at: now)
                return .object([
                    "id": .string(token.identifier), "token": .string(token.text),
                ])
            case "revoke":
                try places.people(of: person).directory.revokeToken(
                    fields.name ?? "", of: person, at: now)
            case "disable": try places.people(of: person).setDisabled(person, at: now)
            case "enable": try places.people(of: person).setDisabled(person, at: nil)
            case "quota":
                guard fields.quota != nil else {
                    throw APIProblem.request("quota is missing: bytes, or 0 for no limit.")
                }
                try requireQuota(fields.quota)
                try places.people(of: person).setQuota(
                    fields.quota.flatMap { $0 > 0 ? $0 : nil }, of: person)
            default: throw APIProblem.notFound
            }
            return .object(["done": .bool(true)])
        }

        private func requireQuota(_ quota: Int64?) throws {
            if let quota, quota < 0 {
                throw APIProblem.request("quota must not be negative: bytes, or 0 for no limit.")
            }
        }

        func erase(_ person: String) throws -> JSONText {
            let receipt = try places.erase(person, at: now)
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
                case .invalidName, .deviceNameTaken, .unknownPlace: .request(error.description)
                default: .unavailable(error.description)
                }
        }
    }
#endif
