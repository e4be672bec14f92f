import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// A server of a few pages on a free port, stopped when the value is released.
final class RunningServer: Sendable {
    struct Steps: Codable, Sendable {
        var steps: Double
        var day: Date
        var note: String?
    }

    struct LeakingError: Error, CustomStringConvertible {
        var description: String { "8214 steps are in the error" }
    }

    static let value = Steps(steps: 8214, day: Date(timeIntervalSinceReferenceDate: 731_721_600))

    /// The recorded events.
    final class RecordedEvents: Sendable {
        let notices = Mutex<[HealthServer.Notice]>([])
        let revision = Mutex(1)
        let forms = Mutex<[PageQuery]>([])
    }

    let server: HealthServer
    let recorded = RecordedEvents()

    var port: Int { server.port ?? 0 }
    var host: String { "127.0.0.1:\(port)" }

    /// The most recent sign-in address, without the host: "/?token=…"
    var signInAddress: String {
        let urls = recorded.notices.withLock { $0 }.compactMap { notice -> String? in
            switch notice {
            case .listening(let url), .opened(let url): url
            case .failed, .pageFailed: nil
            }
        }
        return (urls.last?.firstIndex(of: "?")).map { "/" + (urls.last ?? "")[$0...] } ?? "/"
    }

    /// Limits that no slow client reaches. With all tests on few processors, minutes can pass
    /// between opening a connection and sending a request.
    static let longTimeouts: HealthServer.Limits = {
        var limits = HealthServer.Limits()
        (limits.idleTimeout, limits.stallTimeout) = (.seconds(1800), .seconds(1800))
        return limits
    }()

    convenience init(
        listening: HealthServer.Listening = .loopback,
        limits: HealthServer.Limits = RunningServer.longTimeouts, api: ReadAPI? = nil,
        certificate: ServerCertificate? = nil
    ) async throws {
        try await self.init { recorded in
            HealthServer(
                RunningServer.site { form in recorded.forms.withLock { $0.append(form) } },
                listening: listening, limits: limits, api: api, certificate: certificate,
                revision: { recorded.revision.withLock { $0 } })
        }
    }

    /// Starts a server of all pages of a store.
    convenience init(
        store path: String, timeZone: TimeZone = .gmt, weightNotes: URL? = nil,
        stepGoal: Double? = nil
    ) async throws {
        try await self.init { _ in
            try HealthServer(
                storeAt: path, timeZone: timeZone, weightNotes: weightNotes, stepGoal: stepGoal,
                limits: RunningServer.longTimeouts)
        }
    }

    init(_ make: (RecordedEvents) throws -> HealthServer) async throws {
        let recorded = recorded
        server = try make(recorded)
        let server = server
        Task {
            do {
                try await server.run { notice in recorded.notices.withLock { $0.append(notice) } }
            } catch {
                Issue.record("\(error)")
            }
        }
        for _ in 0..<6000 where recorded.notices.withLock({ $0.isEmpty }) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    deinit { server.end() }

    private static func site(_ record: @escaping @Sendable (PageQuery) -> Void) -> Site {
        func page(
            _ path: String, _ matching: ServedPage.PathMatching = .path,
            _ response: @escaping @Sendable (PageQuery) throws -> Steps
        ) -> ServedPage {
            ServedPage(at: path, matching) {
                try response($0)
            } html: { value, query in
                "<p>\(Int(value.steps)) steps \(query.formKey)</p>"
            }
        }
        return Site(
            pages: [
                page("/") { _ in value },
                page("/workouts", .pathAndName) { query in
                    guard query.name != "none" else { throw PageError.notFound("No workout.") }
                    return Steps(steps: 1, day: value.day, note: query.name)
                },
                page("/trends") { query in
                    if let metric = query["metric"] {
                        throw PageError.badRequest("“\(metric)” is no metric.")
                    }
                    return value
                },
                page("/broken") { _ in throw LeakingError() },
                page("/large") { _ in
                    Steps(
                        steps: 1, day: value.day,
                        note: String(repeating: "x", count: 32 << 20))
                },
                page("/why") { _ in value },
                ServedPage(form: "/why") { query in
                    record(query)
                    return "/why?saved=1"
                },
            ],
            files: [
                ServedFile(path: "/style.css", contentType: "text/css; charset=utf-8", text: "p{}"),
                ServedFile(
                    path: "/script.js", contentType: "text/javascript; charset=utf-8", text: "'';"),
            ])
    }

    // MARK: - Requests

    func send(
        _ target: String, _ method: String = "GET", host: String? = nil, cookie: String? = nil,
        headers: [String] = [], body: String = ""
    ) async throws -> RawResponse {
        // The same timeout as the server's: both may be delayed by other tests.
        let client = try RawClient(port: port, timeout: 1800)
        await client.send(
            request(target, method, host: host, cookie: cookie, headers: headers, body: body))
        return RawResponse(await client.receiveAll())
    }

    func request(
        _ target: String, _ method: String = "GET", host: String? = nil, cookie: String? = nil,
        headers: [String] = [], body: String = ""
    ) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? self.host)"]
        if let cookie { lines.append("Cookie: \(cookie)") }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        lines += headers
        if !lines.contains(where: { $0.hasPrefix("Connection:") }) {
            lines.append("Connection: close")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// Signs in with the token and returns the cookie.
    func signIn() async throws -> String { try #require(try await send(signInAddress).cookie) }

    /// Returns the key in the forms of a page.
    func formKey(_ cookie: String) async throws -> String {
        let words = try await send("/", cookie: cookie).body.split { $0 == " " || $0 == "<" }
        return String(try #require(words.first { $0.count == 64 }))
    }

    /// Returns the form key on a page of a store.
    func csrf(_ page: String, _ cookie: String) async throws -> String? {
        try Markup(try await send(page, cookie: cookie).body).all("input")
            .first { $0.attributes["name"] == "csrf" }?.attributes["value"]
    }
}
