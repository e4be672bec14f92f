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
        let cookie = try await running.signIn()
        let wanted = #"{"day":"2024-03-10T00:00:00Z","steps":8214}"# + "\n"
        for target in ["/trends.json", "/.json"] {
            let response = try await running.send(target, cookie: cookie)
            #expect(response.body == wanted)
            #expect(response.headers["content-type"] == "application/json; charset=utf-8")
        }
        let accepted = try await running.send(
            "/trends", cookie: cookie, headers: ["Accept: application/json"])
        #expect(accepted.body == wanted)
        let browser = try await running.send(
            "/trends", cookie: cookie, headers: ["Accept: text/html,application/json;q=0.1"])
        #expect(browser.body.hasPrefix("<p>8214 steps"))
        #expect(browser.headers["content-type"] == "text/html; charset=utf-8")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let value = try decoder.decode(RunningServer.Steps.self, from: Data(accepted.body.utf8))
        #expect(value.day == RunningServer.value.day)
    }

    @Test(
        "every response has the same security headers, and none names the software",
        arguments: [
            "/", "/trends", "/trends?metric=x", "/workouts/1.json", "/none", "/broken",
            "/style.css",
            "/script.js", "/events", "/?token=1", "*",
        ])
    func headers(target: String) async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        for key in [cookie, nil] {
            for method in ["GET", "HEAD", "POST", "DELETE"] where target != "/events" || key == nil
            {
                let response = try await running.send(target, method, cookie: key)
                let what = "\(method) \(target) \(response.status)"
                #expect(
                    response.headers["content-security-policy"]
                        == "default-src 'none'; style-src 'self'; script-src 'self'; "
                        + "img-src 'self' data:; connect-src 'self'; form-action 'self'; "
                        + "frame-ancestors 'none'; base-uri 'none'", "\(what)")
                #expect(response.headers["referrer-policy"] == "no-referrer", "\(what)")
                #expect(response.headers["x-content-type-options"] == "nosniff", "\(what)")
                #expect(response.headers["cache-control"] == "no-store", "\(what)")
                #expect(response.headers["cross-origin-opener-policy"] == "same-origin", "\(what)")
                #expect(
                    response.headers["cross-origin-resource-policy"] == "same-origin", "\(what)")
                #expect(response.headers["server"] == nil, "\(what)")
                #expect(!response.text.lowercased().contains("hummingbird"), "\(what)")
                if method == "HEAD" { #expect(response.body.isEmpty, "\(what)") }
            }
        }
    }

    @Test("style and script need no session; names after a path reach the page")
    func filesAndNames() async throws {
        let running = try await RunningServer()
        #expect(try await running.send("/style.css").body == "p{}")
        #expect(
            try await running.send("/script.js").headers["content-type"]?.hasPrefix(
                "text/javascript")
                == true)
        let cookie = try await running.signIn()
        let named = try await running.send("/workouts/A%20b.json", cookie: cookie)
        #expect(named.body.contains(#""note":"A b""#))
        #expect(try await running.send("/workouts/", cookie: cookie).status == 200)
        #expect(try await running.send("/workouts/a/b", cookie: cookie).status == 404)
        #expect(try await running.send("/trends/x", cookie: cookie).status == 404)
        #expect(try await running.send("/workouts/none", cookie: cookie).status == 404)
    }

    @Test(
        "a page's error is sent as HTML and as JSON, with markup escaped")
    func refusals() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let page = try await running.send("/trends?metric=%3Cscript%3E", cookie: cookie)
        #expect(page.status == 400)
        #expect(page.body.contains("“&lt;script&gt;” is no metric."))
        let json = try await running.send("/trends.json?metric=x", cookie: cookie)
        #expect(json.status == 400)
        #expect(json.body == "{\"error\":\"“x” is no metric.\"}\n")
        #expect(json.headers["content-type"] == "application/json; charset=utf-8")
    }

    @Test("an unexpected failure reveals no value to the browser or the terminal")
    func leak() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let response = try await running.send("/broken?day=2024-03-10", cookie: cookie)
        #expect(response.status == 500)
        #expect(!response.text.contains("8214"))
        let notices = running.recorded.notices.withLock { "\($0)" }
        #expect(notices.contains("/broken failed (LeakingError)."))
        #expect(!notices.contains("8214"))
        #expect(!notices.contains("2024-03-10"))
    }

    @Test("one connection serves request after request")
    func keptAlive() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let client = try RawClient(port: running.port)
        for _ in 0..<20 {
            await client.send(
                running.request("/trends.json", cookie: cookie, headers: ["Connection: keep-alive"])
            )
            #expect(await client.receive(until: "}\n").contains("HTTP/1.1 200"))
        }
    }
}
