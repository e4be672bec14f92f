import HTTPTypes
import HealthDashboard
import HealthStorage
import Hummingbird
import HummingbirdCore
import NIOCore

/// What goes back for a request, before the headers that all answers have.
struct Answer {
    enum Body {
        case text(String)
        case events(ResponseBody)
    }

    var status: HTTPResponse.Status
    var headers = HTTPFields()
    var body: Body

    init(_ status: HTTPResponse.Status, _ contentType: String, _ text: String) {
        self.status = status
        body = .text(text)
        headers[.contentType] = contentType
    }

    init(redirect address: String) {
        status = .seeOther
        body = .text("")
        headers[.location] = address
    }

    init(events: ResponseBody) {
        status = .ok
        body = .events(events)
        headers[.contentType] = "text/event-stream; charset=utf-8"
    }
}

extension HealthServer {
    func answer(_ refusal: Refusal, _ format: ServedPage.Format) -> Answer {
        let text: String
        switch format {
        case .html: text = site.errorPage(refusal.notice)
        case .json:
            text = (try? PageJSON.text(["error": refusal.notice.sentence])) ?? "{}\n"
        }
        var answer = Answer(
            HTTPResponse.Status(code: refusal.notice.status), format.contentType, text)
        if refusal == .method { answer.headers[.allow] = "GET, HEAD, POST" }
        return answer
    }

    func response(_ answer: Answer, to request: Request, _ channel: any Channel) -> Response {
        var headers = answer.headers
        for (name, value) in HealthServer.everyHeader { headers[name] = value }
        switch answer.body {
        case .events(let body): return Response(status: answer.status, headers: headers, body: body)
        case .text(let text):
            let buffer = ByteBuffer(string: text)
            headers[.contentLength] = String(buffer.readableBytes)
            guard request.method != .head else {
                return Response(status: answer.status, headers: headers)
            }
            // What else a refused request would send isn't waited for.
            let isLast = answer.status.code >= 400 && request.hasBody
            if isLast { headers[.connection] = "close" }
            let stall = limits.stall
            return Response(
                status: answer.status, headers: headers,
                body: ResponseBody(contentLength: buffer.readableBytes) { writer in
                    let deadline = Deadline(stall, channel)
                    defer { deadline.cancel() }
                    try await writer.write(buffer)
                    try await writer.finish(nil)
                    if isLast { channel.close(promise: nil) }
                })
        }
    }

    static let everyHeader: [(HTTPField.Name, String)] =
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                    + "base-uri 'none'"
            ),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Embedder-Policy", "require-corp"),
            (
                "Permissions-Policy",
                "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            ),
            ("Vary", "Accept, Cookie"),
        ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}

/// Why a request isn't answered with a page.
struct Refusal: Error, Equatable {
    var notice: ErrorNotice

    init(_ status: Int, _ title: String, _ sentence: String) {
        notice = ErrorNotice(status: status, title: title, sentence: sentence)
    }

    static let badAddress = Refusal(
        400, "No such address", "This address can't be read. The pages begin at “/”.")
    static let notAForm = Refusal(
        400, "Nothing was changed", "What was sent is no form of these pages.")
    static let noSession = Refusal(
        401, "Opened from the terminal",
        "This browser has no key to these pages, or the one in the address was used before. Run "
            + "“openhealth open” again, or follow the newest address it has printed.")
    static let otherSite = Refusal(
        403, "Nothing was changed",
        "The request came from another site, or from a page that is too old. Load the page again.")
    static let notFound = Refusal(
        404, "No such page", "There is nothing at this address. The pages begin at “/”.")
    static let method = Refusal(
        405, "Not possible here", "This address can be looked at, or takes a form; nothing else.")
    static let tooLarge = Refusal(
        413, "Too much", "More was sent than any form of these pages holds. Nothing was changed.")
    static let bodyNotWanted = Refusal(400, "Too much", "This address takes no body.")
    static let hostHeader = Refusal(
        400, "Not this server", "A request names one host, and this one none or several.")
    static let host = Refusal(
        421, "Not this server",
        "These pages are asked for by the address that “openhealth” has printed.")
    static let failed = Refusal(
        500, "This page could not be made",
        "Something went wrong here; your data is as it was. Look it over with: openhealth check")

    init(_ error: PageError) {
        self =
            switch error {
            case .badQuestion(let sentence): Refusal(400, "That can't be asked", sentence)
            case .notFound(let sentence): Refusal(404, "Not found", sentence)
            case .unavailable(let sentence): Refusal(503, "Not now", sentence)
            }
    }

    init(_ error: Unavailability) {
        let sentence =
            switch error {
            case .locked: "The device is locked. Unlock it and load the page again."
            case .noHealthData: "This device has no health data."
            case .notAsked: "No permission to read was ever asked for."
            case .failed(let sentence): sentence
            }
        self = Refusal(503, "Not now", sentence)
    }

    /// The sentence of a store's error holds no health value, but may hold a path.
    static func store(_ error: StoreError) -> Refusal {
        switch error.code {
        case .busy:
            Refusal(
                503, "Not now",
                "Another process is writing the store. Load the page again when it is done.")
        case .unknownType, .unknownSource, .ambiguousSource, .invalidArgument:
            Refusal(400, "That can't be asked", error.description)
        case .unknownSample: Refusal(404, "Not found", error.description)
        default: .failed
        }
    }
}

extension ServedPage.Format {
    /// What a request would rather have.
    init(_ request: Request) {
        let accept = request.headers[values: .accept].joined(separator: ",")
        self = accept.contains("application/json") && !accept.contains("text/html") ? .json : .html
    }

    var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .json: "application/json; charset=utf-8"
        }
    }
}
