import Foundation
import HealthServer
import HealthTesting
import Testing

/// Signing in, and requests without a session.
@Suite struct SessionAccessTests {
    @Test("the token opens one session, redirects without itself, and becomes invalid")
    func token() async throws {
        let running = try await RunningServer()
        let signInAddress = running.signInAddress
        let first = try await running.send(signInAddress)
        #expect(first.status == 303)
        #expect(first.headers["location"] == "/")
        let setting = try #require(first.headers["set-cookie"])
        #expect(setting.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let cookie = try #require(first.cookie)
        #expect(cookie.hasPrefix("openhealth-\(running.port)="))
        #expect(cookie.count == "openhealth-\(running.port)=".count + 64)
        #expect(try await running.send("/", cookie: cookie).status == 200)
        let second = try await running.send(signInAddress)
        #expect(second.status == 401)
        #expect(second.headers["set-cookie"] == nil)
        #expect(second.body.contains("openhealth open"))
        // A signed-in browser is only redirected.
        #expect(try await running.send(signInAddress, cookie: cookie).status == 303)
        #expect(running.signInAddress != signInAddress)
        let other = try await running.signIn()
        #expect(other != cookie)
        #expect(try await running.send("/", cookie: cookie).status == 200)
        #expect(try await running.send("/", cookie: other).status == 200)
    }

    @Test("the redirect keeps the rest of the address and its host")
    func redirection() async throws {
        let running = try await RunningServer()
        let token = running.signInAddress.dropFirst(2)
        let kept = try await running.send("/trends?by=week&\(token)&from=a%20b%26")
        #expect(kept.headers["location"] == "/trends?by=week&from=a%20b%26")
        let cookie = try #require(kept.cookie)
        for path in ["//evil.example/", "/\\evil.example", "/none", "/%2F%2Fevil.example"] {
            let response = try await running.send("\(path)?token=1", cookie: cookie)
            #expect(response.headers["location"] == "/", "\(path)")
        }
    }

    @Test(
        "a missing, wrong, shorter or longer key is refused on every page, with what to do",
        arguments: ["/", "/trends", "/workouts/1", "/events", "/none", "/trends.json", "/?token="])
    func refused(path: String) async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let keys: [String?] = [
            nil, String(cookie.dropLast()), cookie + "0", "openhealth-1=" + cookie.suffix(64),
            cookie.prefix(cookie.count - 64) + String(repeating: "0", count: 64), "=;=;;",
        ]
        for key in keys {
            let response = try await running.send(path, cookie: key)
            #expect(response.status == 401, "\(key ?? "none")")
            #expect(response.body.contains("openhealth open"))
            #expect(!response.body.contains("8214"))
        }
    }

    @Test("another host's name is rejected, whatever its address")
    func rebinding() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let port = running.port
        for host in [
            "127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)",
        ] {
            #expect(
                try await running.send("/", host: host, cookie: cookie).status == 200, "\(host)")
        }
        for host in [
            "evil.example", "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1",
            "127.0.0.1.evil:\(port)",
            "localhost.evil.example:\(port)", "192.168.1.1:\(port)", ":\(port)", "",
        ] {
            let response = try await running.send(running.signInAddress, host: host, cookie: cookie)
            #expect(response.status == 421 || response.status == 400, "\(host)")
            #expect(response.cookie == nil)
        }
    }

    @Test("on an external address, IP addresses and configured names are accepted")
    func listening() async throws {
        let running = try await RunningServer(
            listening: .address("127.0.0.1", names: ["health.example"]))
        let cookie = try await running.signIn()
        let port = running.port
        for host in ["health.example", "Health.Example:443", "192.168.1.1:\(port)"] {
            #expect(
                try await running.send("/", host: host, cookie: cookie).status == 200, "\(host)")
        }
        for host in ["evil.example:\(port)", "192.168.1.1:1", "1.2.3.evil:\(port)"] {
            #expect(
                try await running.send("/", host: host, cookie: cookie).status == 421, "\(host)")
        }
    }

    @Test("a ninth session replaces the first")
    func manySessions() async throws {
        let running = try await RunningServer()
        var cookies: [String] = []
        for _ in 0..<9 { cookies.append(try await running.signIn()) }
        var statuses: [Int] = []
        for cookie in cookies {
            statuses.append(try await running.send("/", cookie: cookie).status)
        }
        #expect(statuses == [401] + Array(repeating: 200, count: 8))
    }
}
