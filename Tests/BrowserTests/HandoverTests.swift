import Foundation
import HealthServer
import HealthTesting
import Testing

extension BrowserTests {
    /// How `serve --open` signs a browser in.
    @Suite(.inTestAll) struct HandoverTests {
        private struct History: Decodable {
            struct Entry: Decodable {
                var url: String
                var userTypedURL: String
            }
            var entries: [Entry]
        }

        @Test("a file signs a browser in, and the token is in no address, referrer or history")
        func file() async throws {
            let (tab, _) = try await Browser.shared.tab()
            // Another server, for which this browser has no cookie.
            let person = try await ServedPerson(.watchWearer)
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("BrowserTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let address = person.handover()
            let token = try #require(address.split(separator: "=").last)
            let file = folder.appendingPathComponent("open.html")
            try Data(HealthServer.page(leadingTo: address).utf8).write(to: file)
            try await tab.navigate(to: file.absoluteString)
            try await tab.wait(
                "for the first page",
                untilTrue: """
                    location.href === '\(person.base)/' && document.readyState === 'complete' \
                    && document.querySelector('main .answer') !== null
                    """)
            #expect(try await tab.value("document.referrer.includes('token')") == false)
            let history = try await tab.send("Page.getNavigationHistory", as: History.self)
            let addresses = history.entries.flatMap { [$0.url, $0.userTypedURL] }
            #expect(addresses.contains(person.base + "/"))
            #expect(addresses.filter { $0.contains(token) } == [])
            // The session remains, and the token can't be used again.
            try await tab.load(person.base + "/type")
            #expect(try await tab.value("document.querySelectorAll('figure.chart').length > 0"))
            try await tab.navigate(to: address)
            try await tab.wait(
                "for the page without the token", untilTrue: "location.href === '\(person.base)/'")
        }
    }
}
