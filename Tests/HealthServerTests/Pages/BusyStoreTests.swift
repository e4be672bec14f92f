import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("A store during a write by another process")
struct BusyStoreTests {
    /// Holds the store's write lock, and optionally the import lock, until it is released.
    private final class Writer {
        private let queue: DatabaseQueue
        private let lock: Int32

        init(_ path: String, importing: Bool) throws {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            lock = open(path + ".lock", O_CREAT | O_RDWR, 0o600)
            if importing { #expect(flock(lock, LOCK_EX | LOCK_NB) == 0) }
        }

        func end() {
            try? queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            close(lock)
        }
    }

    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.add("stepCount", "Phone", 86_700, 87_300, 1201, .phone)
        try file.write()
        return file
    }

    @Test(
        "pages answer from its last state, and what can't be saved says why",
        arguments: [
            (true, "an import is running"), (false, "another program is writing to the store"),
        ])
    func served(importing: Bool, words: String) async throws {
        let file = try store()
        let writer = try Writer(file.path, importing: importing)
        defer { writer.end() }
        do {
            #expect(SampleStore.isBeingImported(into: file.path) == importing)
            let running = try await RunningServer(store: file.path)
            let cookie = try await running.signIn()
            let pages = ["/", "/type", "/sleep", "/workouts", "/weight", "/data", "/check-up"]
            for page in pages {
                #expect(try await running.send(page, cookie: cookie).status == 200, "\(page)")
            }
            let why = try await running.send("/why?out=Watch", cookie: cookie)
            #expect(why.body.contains("<b>1,201</b> steps"))
            let key = try #require(
                try Markup(why.body).all("input").first { $0.attributes["name"] == "csrf" }?
                    .attributes["value"])
            let response = try await running.send(
                "/why", "POST", cookie: cookie,
                headers: [
                    "Content-Type: application/x-www-form-urlencoded",
                    "Sec-Fetch-Site: same-origin",
                ], body: "csrf=\(key)&metric=stepCount&out=Watch")
            #expect(response.status == 503)
            #expect(response.body.contains("Nothing was saved: \(words)."))
        }
    }
}
