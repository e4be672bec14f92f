import Foundation
import HTTPTypes
import HealthDashboard
import HealthStorage
import Hummingbird
import HummingbirdCore
import NIOCore

extension HealthServer {
    /// A request as far as it is understood.
    struct Asked {
        var request: Request
        var channel: any Channel
        var target: RequestTarget
        var session: Sessions.Session?
        var format: ServedPage.Format
    }

    /// Answers every request, with the headers that all answers have.
    func respond(
        to request: Request, _ channel: any Channel, _ tell: @Sendable (Notice) -> Void
    ) async -> Response {
        let isJSON = request.head.path.flatMap(RequestTarget.init)?.isJSON ?? false
        let wanted = isJSON ? .json : ServedPage.Format(request)
        do {
            let answer = try await answer(to: request, channel, tell)
            return response(answer, to: request, channel)
        } catch let refusal as Refusal {
            return response(answer(refusal, wanted), to: request, channel)
        } catch {
            tell(.failed("An answer could not be made (\(type(of: error)))."))
            return response(answer(.failed, wanted), to: request, channel)
        }
    }

    private func answer(
        to request: Request, _ channel: any Channel, _ tell: @Sendable (Notice) -> Void
    ) async throws -> Answer {
        try checkHost(request)
        guard let path = request.head.path, let target = RequestTarget(path) else {
            throw Refusal.badAddress
        }
        guard [.get, .head, .post].contains(request.method) else { throw Refusal.method }
        if request.method != .post, request.hasBody { throw Refusal.bodyNotWanted }
        try checkSite(request)
        var asked = Asked(
            request: request, channel: channel, target: target,
            format: target.isJSON ? .json : ServedPage.Format(request))
        if request.method != .post, let file = site.files.first(where: { $0.path == target.path }) {
            return Answer(.ok, file.contentType, file.text)
        }
        asked.session =
            request.cookies(named: cookieName).lazy
            .compactMap { self.sessions.session($0) }.first
        if asked.session != nil { connections.recognize(channel) }
        if let answer = try enter(asked, tell) { return answer }
        guard let session = asked.session else { throw Refusal.noSession }
        if target.path == "/events", request.method == .get {
            return Answer(events: stream(for: session, asked))
        }
        return try await page(asked, session, tell)
    }

    private func checkHost(_ request: Request) throws {
        let check = HostCheck(port: port ?? 0, listening: listening)
        // The first one is the authority; what a proxy makes of two isn't known here.
        guard let host = request.head.authority, !request.headers.contains(.hostField) else {
            throw Refusal.hostHeader
        }
        guard check.accepts(host) else { throw Refusal.host }
    }

    /// Other sites may lead a person here, but not use what is here, and not send anything.
    private func checkSite(_ request: Request) throws {
        let site = request.headers[HTTPField.Name.fetchSite]
        if let site, site != "same-origin", site != "none",
            request.headers[HTTPField.Name.fetchMode] != "navigate" || request.method == .post
        {
            throw Refusal.otherSite
        }
        guard request.method == .post, site != "same-origin" else { return }
        // A browser that doesn't tell the site tells the origin.
        let origin = request.headers[.origin]?.lowercased()
        guard let origin, let host = request.head.authority?.lowercased(),
            origin == "http://" + host || origin == "https://" + host
        else { throw Refusal.otherSite }
    }

    /// Takes a token out of the address; nil if there is none in it.
    private func enter(_ asked: Asked, _ tell: @Sendable (Notice) -> Void) throws -> Answer? {
        guard asked.request.method == .get,
            let token = asked.target.query.first(where: { $0.name == "token" })
        else { return nil }
        // Led to a page of ours, never by what somebody wrote into the address.
        let isKnown = !site.pages(at: asked.target.path).pages.isEmpty
        let address = isKnown ? asked.target.address(without: "token") : "/"
        // A browser that comes from elsewhere, a file that leads here for one, keeps the cookie from
        // what it is redirected to: SameSite=Strict. A page of ours that leads on is no elsewhere.
        let site = asked.request.headers[HTTPField.Name.fetchSite]
        var answer =
            site == "cross-site" || site == "same-site"
            ? Answer(
                .ok, ServedPage.Format.html.contentType, HealthServer.page(leadingTo: address))
            : Answer(redirect: address)
        if let (session, token) = sessions.redeem(token.value) {
            answer.headers[.setCookie] =
                "\(cookieName)=\(session.key.text); Path=/; HttpOnly; SameSite=Strict"
            connections.recognize(asked.channel)
            if token == .printed { tell(.opened(nextURL: url)) }
        } else if asked.session == nil {
            throw Refusal.noSession
        }
        return answer
    }

    /// Browsers keep one jar for all ports of a host.
    private var cookieName: String { "openhealth-\(port ?? 0)" }

    // MARK: - Pages

    private func page(
        _ asked: Asked, _ session: Sessions.Session, _ tell: @Sendable (Notice) -> Void
    ) async throws -> Answer {
        let (pages, name) = site.pages(at: asked.target.path)
        guard !pages.isEmpty else { throw Refusal.notFound }
        let verb: ServedPage.Verb = asked.request.method == .post ? .post : .get
        guard let page = pages.first(where: { $0.verb == verb }) else { throw Refusal.method }
        var question = PageQuestion(
            path: page.path, name: name, query: asked.target.query, formKey: session.formKey.text)
        if verb == .post { question.form = try await form(asked, session) }
        let revision = revision()
        if let revision { sessions.note(revision, shownTo: session) }
        // A form's key is another in each session.
        let address = "\(asked.format) \(session.formKey.text) \(asked.target.address(without: ""))"
        if verb == .get, let revision, let text = kept.text(address, at: revision) {
            return Answer(.ok, asked.format.contentType, text)
        }
        let begin = Date.now
        do {
            switch try await page.body(question, asked.format) {
            case .content(let text):
                if verb == .get, let revision {
                    kept.keep(text, for: address, at: revision, asked: begin)
                }
                return Answer(.ok, asked.format.contentType, text)
            case .elsewhere(let address): return Answer(redirect: address)
            }
        } catch let error as PageError {
            throw Refusal(error)
        } catch let error as Unavailability {
            throw Refusal(error)
        } catch let error as StoreError {
            let refusal = Refusal.store(error)
            if refusal == .failed {
                tell(.failed("\(page.path) could not be made: \(error.description)"))
            }
            throw refusal
        } catch {
            tell(.failed("\(page.path) could not be made (\(type(of: error)))."))
            throw Refusal.failed
        }
    }

    private func form(_ asked: Asked, _ session: Sessions.Session) async throws
        -> [PageQuestion.Field]
    {
        let type = asked.request.headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            throw Refusal.notAForm
        }
        let body: ByteBuffer
        do {
            let deadline = Deadline(limits.stall, asked.channel)
            defer { deadline.cancel() }
            body = try await asked.request.body.collect(upTo: limits.bodyBytes)
        } catch is NIOTooManyBytesError {
            throw Refusal.tooLarge
        } catch {
            throw Refusal.notAForm
        }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self),
            let fields = FormText.fields(text)
        else { throw Refusal.notAForm }
        let key = fields.first { $0.name == "csrf" }?.value ?? ""
        guard session.formKey.matches(key) else { throw Refusal.otherSite }
        return fields.filter { $0.name != "csrf" }
    }
}

/// Closes a connection unless it is cancelled in time.
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

extension Request {
    /// Whether a body is announced.
    var hasBody: Bool {
        headers.contains(.transferEncoding) || (headers[.contentLength].map { $0 != "0" } ?? false)
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
