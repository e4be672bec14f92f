import Foundation
import HealthServer
import HealthTesting
import Testing

/// Signing in, and requests without a session.
@Suite struct SessionAccessTests {
    @Test("the token opens one session, leads to the address without it, and is spent")
    func token() async throws {
        let running = try await RunningServer()
        let entrance = running.entrance
        let first = try await running.ask(entrance)
        #expect(first.status == 303)
        #expect(first.headers["location"] == "/")
        let setting = try #require(first.headers["set-cookie"])
        #expect(setting.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let cookie = try #require(first.cookie)
        #expect(cookie.hasPrefix("openhealth-\(running.port)="))
        #expect(cookie.count == "openhealth-\(running.port)=".count + 64)
        #expect(try await running.ask("/", cookie: cookie).status == 200)
        let second = try await running.ask(entrance)
        #expect(second.status == 401)
        #expect(second.headers["set-cookie"] == nil)
        #expect(second.body.contains("openhealth open"))
        // A signed-in browser is only redirected.
        #expect(try await running.ask(entrance, cookie: cookie).status == 303)
        #expect(running.entrance != entrance)
        let other = try await running.enter()
        #expect(other != cookie)
        #expect(try await running.ask("/", cookie: cookie).status == 200)
        #expect(try await running.ask("/", cookie: other).status == 200)
    }

    @Test("the rest of the address is kept, and leads nowhere else")
    func redirection() async throws {
        let running = try await RunningServer()
        let token = running.entrance.dropFirst(2)
        let kept = try await running.ask("/trends?by=week&\(token)&from=a%20b%26")
        #expect(kept.headers["location"] == "/trends?by=week&from=a%20b%26")
        let cookie = try #require(kept.cookie)
        for path in ["//evil.example/", "/\\evil.example", "/none", "/%2F%2Fevil.example"] {
            let answer = try await running.ask("\(path)?token=1", cookie: cookie)
            #expect(answer.headers["location"] == "/", "\(path)")
        }
    }

    @Test(
        "a missing, wrong, shorter or longer key is refused on every page, with what to do",
        arguments: ["/", "/trends", "/workouts/1", "/events", "/none", "/trends.json", "/?token="])
    func refused(path: String) async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let keys: [String?] = [
            nil, String(cookie.dropLast()), cookie + "0", "openhealth-1=" + cookie.suffix(64),
            cookie.prefix(cookie.count - 64) + String(repeating: "0", count: 64), "=;=;;",
        ]
        for key in keys {
            let answer = try await running.ask(path, cookie: key)
            #expect(answer.status == 401, "\(key ?? "none")")
            #expect(answer.body.contains("openhealth open"))
            #expect(!answer.body.contains("8214"))
        }
    }

    @Test("another host's name is refused, be its address ours or not")
    func rebinding() async throws {
        let running = try await RunningServer()
        let cookie = try await running.enter()
        let port = running.port
        for host in [
            "127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)",
        ] {
            #expect(try await running.ask("/", host: host, cookie: cookie).status == 200, "\(host)")
        }
        for host in [
            "evil.example", "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1",
            "127.0.0.1.evil:\(port)",
            "localhost.evil.example:\(port)", "192.168.1.1:\(port)", ":\(port)", "",
        ] {
            let answer = try await running.ask(running.entrance, host: host, cookie: cookie)
            #expect(answer.status == 421 || answer.status == 400, "\(host)")
            #expect(answer.cookie == nil)
        }
    }

    @Test("where it listens to others, addresses and the names it was told are its own")
    func listening() async throws {
        let running = try await RunningServer(
            listening: .address("127.0.0.1", names: ["health.example"]))
        let cookie = try await running.enter()
        let port = running.port
        for host in ["health.example", "Health.Example:443", "192.168.1.1:\(port)"] {
            #expect(try await running.ask("/", host: host, cookie: cookie).status == 200, "\(host)")
        }
        for host in ["evil.example:\(port)", "192.168.1.1:1", "1.2.3.evil:\(port)"] {
            #expect(try await running.ask("/", host: host, cookie: cookie).status == 421, "\(host)")
        }
    }

    @Test("the ninth browser takes the place of the first")
    func manySessions() async throws {
        let running = try await RunningServer()
        var cookies: [String] = []
        for _ in 0..<9 { cookies.append(try await running.enter()) }
        var statuses: [Int] = []
        for cookie in cookies { statuses.append(try await running.ask("/", cookie: cookie).status) }
        #expect(statuses == [401] + Array(repeating: 200, count: 8))
    }
}
