#if Server
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore

    /// Answers a device's request to an address that no app's format has. Without it, the request
    /// would be refused for having no session, as if the token were wrong.
    struct UnknownDeviceAddressMiddleware: RouterMiddleware {
        let server: HealthServer

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            let isRead = context.target?.isAPI == true && request.method != .post
            let tokens = isRead ? [] : DeviceCredential.tokens(request.headers)
            guard !tokens.isEmpty, let receiver = server.receiver,
                let device = try? await receiver.destination.device(forTokens: tokens)
            else { return try await next(request, context) }
            context.record?.note(actor: device.token)
            let answer = PageResponse(IntakeRefusal.unknownAddress)
            return server.response(answer, to: request, context.channel)
        }
    }
#endif
