import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// Responses and their headers.
@Suite struct PageResponseTests {
    @Test("a page's JSON is its value, by suffix or by what the client accepts")
    func json() async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let wanted = #"{"day":"2024-03-10T00:00:00Z","steps":8214}"# + "\n"
        for target in ["/trends.json", "/.json"] {
            let answer = try await running.ask(target, cookie: cookie)
            #expect(answer.body == wanted)
            #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
        }
        let accepted = try await running.ask(
            "/trends", cookie: cookie, headers: ["Accept: application/json"])
        #expect(accepted.body == wanted)
        let browser = try await running.ask(
            "/trends", cookie: cookie, headers: ["Accept: text/html,application/json;q=0.1"])
        #expect(browser.body.hasPrefix("<p>8214 steps"))
        #expect(browser.headers["content-type"] == "text/html; charset=utf-8")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let value = try decoder.decode(RunningServer.Steps.self, from: Data(accepted.body.utf8))
        #expect(value.day == RunningServer.value.day)
    }

    @Test(
        "every answer has the same guarding headers, and none says what made it",
        arguments: [
            "/", "/trends", "/trends?metric=x", "/workouts/1.json", "/none", "/broken",
            "/style.css",
            "/script.js", "/events", "/?token=1", "*",
        ])
    func headers(target: String) async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        for key in [cookie, nil] {
            for method in ["GET", "HEAD", "POST", "DELETE"] where target != "/events" || key == nil
            {
                let answer = try await running.ask(target, method, cookie: key)
                let what = "\(method) \(target) \(answer.status)"
                #expect(
                    answer.headers["content-security-policy"]
                        == "default-src 'none'; style-src 'self'; script-src 'self'; "
                        + "img-src 'self' data:; connect-src 'self'; form-action 'self'; "
                        + "frame-ancestors 'none'; base-uri 'none'", "\(what)")
                #expect(answer.headers["referrer-policy"] == "no-referrer", "\(what)")
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(what)")
                #expect(answer.headers["cache-control"] == "no-store", "\(what)")
                #expect(answer.headers["cross-origin-opener-policy"] == "same-origin", "\(what)")
                #expect(answer.headers["cross-origin-resource-policy"] == "same-origin", "\(what)")
                #expect(answer.headers["server"] == nil, "\(what)")
                #expect(!answer.text.lowercased().contains("hummingbird"), "\(what)")
                if method == "HEAD" { #expect(answer.body.isEmpty, "\(what)") }
            }
        }
    }

    @Test("style and script are there before anyone has a key; names behind a path reach the page")
    func filesAndNames() async throws {
        let running = try await RunningServer()
        #expect(try await running.ask("/style.css").body == "p{}")
        #expect(
            try await running.ask("/script.js").headers["content-type"]?.hasPrefix(
                "text/javascript")
                == true)
        let cookie = try await running.enter()
        let named = try await running.ask("/workouts/A%20b.json", cookie: cookie)
        #expect(named.body.contains(#""note":"A b""#))
        #expect(try await running.ask("/workouts/", cookie: cookie).status == 200)
        #expect(try await running.ask("/workouts/a/b", cookie: cookie).status == 404)
        #expect(try await running.ask("/trends/x", cookie: cookie).status == 404)
        #expect(try await running.ask("/workouts/none", cookie: cookie).status == 404)
    }

    @Test(
        "what a page can't answer is said in its words, as page and as JSON, and markup stays text")
    func refusals() async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let page = try await running.ask("/trends?metric=%3Cscript%3E", cookie: cookie)
        #expect(page.status == 400)
        #expect(page.body.contains("“&lt;script&gt;” is no metric."))
        let json = try await running.ask("/trends.json?metric=x", cookie: cookie)
        #expect(json.status == 400)
        #expect(json.body == "{\"error\":\"“x” is no metric.\"}\n")
        #expect(json.headers["content-type"] == "application/json; charset=utf-8")
    }

    @Test("an unexpected failure tells neither browser nor terminal a value")
    func leak() async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let answer = try await running.ask("/broken?day=2024-03-10", cookie: cookie)
        #expect(answer.status == 500)
        #expect(!answer.text.contains("8214"))
        let notices = running.notes.notices.withLock { "\($0)" }
        #expect(notices.contains("/broken failed (Leak)."))
        #expect(!notices.contains("8214"))
        #expect(!notices.contains("2024-03-10"))
    }

    @Test("one connection serves request after request")
    func keptAlive() async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let client = try RawClient(port: running.port)
        for _ in 0..<20 {
            await client.send(
                running.request("/trends.json", cookie: cookie, headers: ["Connection: keep-alive"])
            )
            #expect(await client.receive(until: "}\n").contains("HTTP/1.1 200"))
        }
    }
}
