import HealthTesting
import Testing

/// The page, file or error for an address, in all its spellings.
@Suite struct RouteTests {
    @Test(
        "an address leads to the same page whatever slashes, escapes and suffixes it is written with"
    )
    func addresses() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let statuses: [(String, Int)] = [
            ("/", 200), ("//", 200), ("///", 404), ("/.json", 200),
            ("/trends", 200), ("/trends/", 200), ("/trends//", 404), ("//trends", 404),
            ("/trends/x", 404), ("/TRENDS", 404), ("/%74rends", 200), ("/trends.json", 200),
            ("/trends.json/", 404), ("/trends%2F", 200), ("/%2Ftrends", 404),
            ("/workouts", 200), ("/workouts/", 200), ("/workouts//", 200), ("/workouts/1", 200),
            ("/workouts/1/", 200), ("/workouts/1//", 404), ("/workouts//1", 404),
            ("/workouts/a%2Fb", 404), ("/workouts/:name", 200), ("/workouts/*", 200),
            ("/workouts/%2500", 200), ("/workouts/%00", 400), ("/workouts/none", 404),
            ("/:name", 404), ("/*", 404), ("/**", 404), ("/events//", 404), ("/none", 404),
            ("/style.css", 200), ("/style.css/", 200), ("/style.css.json", 200),
            ("//style.css", 404), ("/style.css//", 404), ("/style.css/x", 404),
        ]
        for (target, status) in statuses {
            #expect(try await running.send(target, cookie: cookie).status == status, "\(target)")
        }
    }

    @Test("a name after a page's path is decoded")
    func names() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        for (target, name) in [
            ("/workouts/a%20b.json", "a b"), ("/workouts/%2500.json", "%00"),
            ("/workouts/%C3%BC+x.json", "ü+x"), ("/workouts/%7Bid%7D.json", "{id}"),
        ] {
            let body = try await running.send(target, cookie: cookie).body
            #expect(body.contains("\"note\":\"\(name)\""), "\(target) \(body)")
        }
        #expect(!(try await running.send("/workouts//.json", cookie: cookie).body).contains("note"))
    }

    @Test("an unsupported method gives 405, an unknown address 404")
    func methods() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let own = "Origin: http://\(running.host)"
        let statuses: [(String, String, Int, Int)] = [
            ("HEAD", "/trends", 200, 401), ("POST", "/trends", 405, 401),
            ("POST", "/why", 400, 401), ("POST", "/none", 404, 401),
            ("POST", "/style.css", 404, 401), ("HEAD", "/style.css", 200, 200),
            ("HEAD", "/events", 404, 401), ("POST", "/events", 404, 401),
            ("DELETE", "/trends", 405, 405), ("PUT", "/style.css", 405, 405),
            ("OPTIONS", "/none", 405, 405), ("GET", "/none", 404, 401),
            ("POST", "/workouts/1", 405, 401), ("GET", "*", 400, 400),
        ]
        for (method, target, known, unknown) in statuses {
            let what = "\(method) \(target)"
            let response = try await running.send(target, method, cookie: cookie, headers: [own])
            #expect(response.status == known, "\(what)")
            #expect(
                response.headers["allow"] == (known == 405 ? "GET, HEAD, POST" : nil), "\(what)")
            #expect(
                try await running.send(target, method, headers: [own]).status == unknown, "\(what)")
        }
    }
}
