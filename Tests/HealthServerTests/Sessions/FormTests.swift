import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// Requests that change data.
@Suite struct FormTests {
    private let form = "Content-Type: application/x-www-form-urlencoded"

    @Test("a form of the server's pages is accepted and followed by a redirect")
    func taken() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let key = try await running.formKey(cookie)
        for site in ["Sec-Fetch-Site: same-origin", "Origin: http://\(running.host)"] {
            let response = try await running.send(
                "/why?day=2024-03-10", "POST", cookie: cookie, headers: [form, site],
                body: "csrf=\(key)&order=a+b&order=%C3%A9")
            #expect(response.status == 303)
            #expect(response.headers["location"] == "/why?saved=1")
        }
        let taken = running.recorded.forms.withLock { $0 }
        #expect(taken.count == 2)
        #expect(taken.first?.form == [.init("order", "a b"), .init("order", "é")])
        #expect(taken.first?["day"] == "2024-03-10")
    }

    @Test("a form of another site, without the key, or in another format changes nothing")
    func refused() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let other = try await running.signIn()
        let key = try await running.formKey(cookie)
        let own = "Sec-Fetch-Site: same-origin"
        let body = "csrf=\(key)&order=a"
        let wrong: [(headers: [String], body: String, cookie: String?, status: Int)] = [
            ([form], body, cookie, 403),
            ([form, "Sec-Fetch-Site: cross-site"], body, cookie, 403),
            ([form, "Sec-Fetch-Site: same-site"], body, cookie, 403),
            ([form, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], body, cookie, 403),
            ([form, "Origin: null"], body, cookie, 403),
            ([form, "Origin: http://evil.example"], body, cookie, 403),
            ([form, "Origin: http://127.0.0.1:1"], body, cookie, 403),
            ([form, own], "order=a", cookie, 403),
            ([form, own], "csrf=&order=a", cookie, 403),
            ([form, own], body, other, 403),
            ([form, own], body, nil, 401),
            ([own, "Content-Type: text/plain"], body, cookie, 400),
            ([own], body, cookie, 400),
            ([form, own], body + "&x=%ZZ", cookie, 400),
        ]
        for (headers, body, cookie, status) in wrong {
            let response = try await running.send(
                "/why", "POST", cookie: cookie, headers: headers, body: body)
            #expect(response.status == status, "\(headers) \(body)")
        }
        #expect(
            try await running.send("/", "POST", cookie: cookie, headers: [form, own], body: body)
                .status
                == 405)
        #expect(running.recorded.forms.withLock { $0.isEmpty })
    }

    @Test("another site may link to a page but not embed or read it")
    func embedding() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let led = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
        #expect(try await running.send("/", cookie: cookie, headers: led).status == 200)
        for site in ["cross-site", "same-site"] {
            for mode in ["no-cors", "cors"] {
                let headers = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: \(mode)"]
                #expect(try await running.send("/", cookie: cookie, headers: headers).status == 403)
            }
        }
    }
}
