#if Server
    import Foundation
    import HTTPTypes
    import HealthIntake
    import HealthStorage
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    extension HealthServer {
        /// Adds the addresses to which devices send data.
        ///
        /// They need a token in each request and accept no cookie, so neither the host nor the
        /// origin is checked: a browser adds no token by itself.
        func addReceiving(
            to router: Router<PageRequestContext>, _ report: @escaping @Sendable (Notice) -> Void
        ) {
            for endpoint in IntakeEndpoint.all {
                router.post(RouterPath(endpoint.path)) { [self] request, context in
                    let answer = await answer(endpoint, request, context, report)
                    return response(answer, to: request, context.channel)
                }
                // The read API answers GET there.
                if endpoint.dialect == .changes { continue }
                router.get(RouterPath(endpoint.path)) { [self] request, context in
                    response(PageResponse(IntakeRefusal.wrongMethod), to: request, context.channel)
                }
            }
            router.post("/api/v1/sdk/users/:user/logs") { [self] request, context in
                let answer = await answerToLogs(request, context)
                return response(answer, to: request, context.channel)
            }
            router.get("/api/apple/status") { [self] request, context in
                let answer = await answerToStatus(request, context, report)
                return response(answer, to: request, context.channel)
            }
            for path in ["/api/health", "/health"] {
                router.get(RouterPath(path)) { [self] request, context in
                    let answer = await answerToHealth(request)
                    return response(answer, to: request, context.channel)
                }
            }
        }

        // MARK: - Data

        private func answer(
            _ endpoint: IntakeEndpoint, _ request: Request, _ context: PageRequestContext,
            _ report: @Sendable (Notice) -> Void
        ) async -> PageResponse {
            let timeout = receiver?.limits.bodyTimeout ?? limits.stallTimeout
            let deadline = Deadline(timeout, context.channel)
            var receiving = BodyReceiving(request)
            var device: SendingDevice?
            do {
                guard let receiver else { throw IntakeRefusal.notReceiving }
                let known = try await authenticated(request, context, receiver)
                device = known
                try receiver.begin(known)
                defer { receiver.end(known) }
                let (body, digest) = try await receiving.receive(for: receiver)
                deadline.cancel()
                let headers = IntakeHeaders(request.headers)
                let delivery = Receiver.Delivery(
                    device: known, dialect: endpoint.dialect,
                    idempotencyKey: endpoint.dialect.hasIdempotencyKeys
                        ? headers["Idempotency-Key"].map { String($0.prefix(200)) } : nil,
                    headers: headers, body: body, bodyDigest: digest,
                    receivedAt: Date.now.timeIntervalSinceReferenceDate)
                let settled = try await receiver.receipt(for: delivery)
                return PageResponse(
                    IntakeAnswer(settled, endpoint.dialect, headers, user: context.user))
            } catch {
                let refusal = IntakeRefusal(error)
                if refusal == .unavailable { report(.receivingFailed(error)) }
                // A full queue of many people would only grow with a write for each refusal.
                if let receiver, let device, refusal != .queueFull || device.person == nil {
                    await receiver.note(refusal, of: device, endpoint.dialect)
                }
                await receiving.drain()
                deadline.cancel()
                return PageResponse(refusal.shown(to: audience))
            }
        }

        /// Returns the device with the token of a request: in a header field, or in the path.
        ///
        /// - Throws: ``IntakeRefusal/badToken``; `StoreError` if tokens can't be checked now.
        private func authenticated(
            _ request: Request, _ context: PageRequestContext, _ receiver: Receiver
        ) async throws -> SendingDevice {
            var tokens = DeviceCredential.tokens(request.headers)
            if let token = context.parameters.get("token") { tokens.append(token) }
            guard var device = try await receiver.destination.device(forTokens: tokens) else {
                throw IntakeRefusal.badToken
            }
            device.origin = context.channel.remoteAddress?.ipAddress
            connections.markAuthenticated(context.channel)
            context.record?.note(actor: device.token)
            return device
        }

        // MARK: - Other addresses of the apps

        /// Accepts the log of an app, which contains no health data, and drops it.
        private func answerToLogs(
            _ request: Request, _ context: PageRequestContext
        ) async -> PageResponse {
            guard let receiver else { return PageResponse(IntakeRefusal.notReceiving) }
            let deadline = Deadline(limits.stallTimeout, context.channel)
            defer { deadline.cancel() }
            var receiving = BodyReceiving(request)
            await receiving.drain()
            do {
                _ = try await authenticated(request, context, receiver)
            } catch { return PageResponse(IntakeRefusal(error).shown(to: audience)) }
            let json = JSONText.object([
                "status_code": .integer(202), "response": .string("Received"),
                "user_id": .string(context.user),
            ])
            return PageResponse(json, status: 202)
        }

        /// Answers with the number and time range of the samples of each type, as HealthSave shows
        /// them.
        private func answerToStatus(
            _ request: Request, _ context: PageRequestContext,
            _ report: @Sendable (Notice) -> Void
        ) async -> PageResponse {
            guard let receiver else { return PageResponse(IntakeRefusal.notReceiving) }
            do {
                let device = try await authenticated(request, context, receiver)
                let types = try await receiver.destination.contents(for: device)
                return PageResponse(StatusSummary.json(types), status: 200)
            } catch {
                let refusal = IntakeRefusal(error)
                if refusal == .unavailable { report(.receivingFailed(error)) }
                return PageResponse(refusal.shown(to: audience))
            }
        }

        /// Answers that the server runs. A wrong token is reported, since apps check theirs here.
        private func answerToHealth(_ request: Request) async -> PageResponse {
            let tokens = DeviceCredential.tokens(request.headers)
            if let receiver, !tokens.isEmpty,
                (try? await receiver.destination.knows(tokens)) == false
            {
                return PageResponse(IntakeRefusal.badToken.shown(to: audience))
            }
            return PageResponse(JSONText.object(["status": .string("ok")]), status: 200)
        }
    }

    extension PageRequestContext {
        /// The user in the path of a request of Open Wearables; empty for none. The device is the
        /// one with the token, whatever user is named.
        fileprivate var user: String {
            let text = parameters.get("user") ?? ""
            return text.removingPercentEncoding ?? text
        }
    }

    extension HealthServer.Notice {
        /// A request with data that can't be stored. Only the store's errors have a description,
        /// since others can contain anything.
        fileprivate static func receivingFailed(_ error: any Error) -> HealthServer.Notice {
            var reason = (error as? StoreError)?.description ?? "\(type(of: error))"
            #if People
                reason = PeopleMiddleware.sentence(error) ?? reason
            #endif
            return .failed("Data of a device can’t be stored now: \(reason)")
        }
    }

    extension PageResponse {
        init(_ json: JSONText, status: Int) {
            self.init(
                HTTPResponse.Status(code: status), ServedPage.Format.json.contentType,
                json.text + "\n")
        }

        init(_ answer: IntakeAnswer) { self.init(answer.json, status: answer.status) }

        init(_ refusal: IntakeRefusal) {
            self.init(refusal.json, status: refusal.status)
            if let seconds = refusal.retryAfter { headers[.retryAfter] = String(seconds) }
            if refusal.status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"openhealth\"" }
            if refusal == .wrongMethod { headers[.allow] = "POST" }
        }
    }
#endif
