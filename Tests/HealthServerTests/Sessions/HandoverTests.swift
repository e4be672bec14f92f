import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

/// A sign-in token that is passed to a browser through a file.
@Suite struct HandoverTests {
    private func end(
        _ running: RunningServer, lasting lifetime: Duration
    ) -> (path: String, ends: AsyncStream<HealthServer.HandoverEnd>) {
        let (ends, continuation) = AsyncStream.makeStream(of: HealthServer.HandoverEnd.self)
        let address = running.server.handover(lasting: lifetime) { continuation.yield($0) }
        let path = address.firstIndex(of: "?").map { "/" + address[$0...] } ?? "/"
        return (path, ends)
    }

    @Test("the token opens one session, and the printed token stays valid")
    func once() async throws {
        let running = try await RunningServer()
        let printed = running.signInAddress
        let (path, ends) = end(running, lasting: .seconds(3600))
        #expect(path != printed)
        let response = try await running.send(path)
        #expect(response.status == 303)
        let cookie = try #require(response.cookie)
        #expect(await ends.first { _ in true } == .redeemed)
        #expect(try await running.send(path).status == 401)
        #expect(try await running.send("/", cookie: cookie).status == 200)
        #expect(running.signInAddress == printed)
        #expect(try await running.send(printed).status == 303)
    }

    @Test("an expired token opens no session")
    func expiry() async throws {
        let running = try await RunningServer()
        let (path, ends) = end(running, lasting: .milliseconds(1))
        #expect(await ends.first { _ in true } == .expired)
        #expect(try await running.send(path).status == 401)
        #expect(try await running.send(running.signInAddress).status == 303)
    }

    @Test("a browser that follows the file's link gets a redirect page with its cookie")
    func fromFile() async throws {
        let running = try await RunningServer()
        let (path, _) = end(running, lasting: .seconds(3600))
        let led = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
        let response = try await running.send(path, headers: led)
        #expect(response.status == 200)
        #expect(response.body.contains("http-equiv=\"refresh\" content=\"0;url=/\""))
        #expect(!response.body.contains("token"))
        #expect(response.headers["referrer-policy"] == "no-referrer")
        let cookie = try #require(response.cookie)
        #expect(try await running.send("/", cookie: cookie).status == 200)
        #expect(try await running.send(path, headers: led).status == 401)
    }

    @Test("the file's page contains the address as markup, and no script")
    func page() throws {
        let page = HealthServer.page(leadingTo: "http://127.0.0.1:1/?a=\"<b>&token=1")
        #expect(
            page.contains("content=\"0;url=http://127.0.0.1:1/?a=&quot;&lt;b&gt;&amp;token=1\""))
        #expect(page.contains("name=\"referrer\" content=\"no-referrer\""))
        #expect(!page.contains("<script") && !page.contains("<b>"))
    }
}
