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

    @Test("the token opens one session and leaves the printed one as it is")
    func once() async throws {
        let running = try await RunningServer()
        let printed = running.entrance
        let (path, ends) = end(running, lasting: .seconds(3600))
        #expect(path != printed)
        let answer = try await running.ask(path)
        #expect(answer.status == 303)
        let cookie = try #require(answer.cookie)
        #expect(await ends.first { _ in true } == .redeemed)
        #expect(try await running.ask(path).status == 401)
        #expect(try await running.ask("/", cookie: cookie).status == 200)
        #expect(running.entrance == printed)
        #expect(try await running.ask(printed).status == 303)
    }

    @Test("after its time the token opens nothing")
    func expiry() async throws {
        let running = try await RunningServer()
        let (path, ends) = end(running, lasting: .milliseconds(1))
        #expect(await ends.first { _ in true } == .expired)
        #expect(try await running.ask(path).status == 401)
        #expect(try await running.ask(running.entrance).status == 303)
    }

    @Test("a browser that a file leads here is led on by a page of ours, so that it has its cookie")
    func fromFile() async throws {
        let running = try await RunningServer()
        let (path, _) = end(running, lasting: .seconds(3600))
        let led = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
        let answer = try await running.ask(path, headers: led)
        #expect(answer.status == 200)
        #expect(answer.body.contains("http-equiv=\"refresh\" content=\"0;url=/\""))
        #expect(!answer.body.contains("token"))
        #expect(answer.headers["referrer-policy"] == "no-referrer")
        let cookie = try #require(answer.cookie)
        #expect(try await running.ask("/", cookie: cookie).status == 200)
        #expect(try await running.ask(path, headers: led).status == 401)
    }

    @Test("the page of the file holds the address as markup, and no script")
    func page() throws {
        let page = HealthServer.page(leadingTo: "http://127.0.0.1:1/?a=\"<b>&token=1")
        #expect(
            page.contains("content=\"0;url=http://127.0.0.1:1/?a=&quot;&lt;b&gt;&amp;token=1\""))
        #expect(page.contains("name=\"referrer\" content=\"no-referrer\""))
        #expect(!page.contains("<script") && !page.contains("<b>"))
    }
}
