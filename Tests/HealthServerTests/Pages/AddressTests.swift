import HealthEngine
import HealthTesting
import Testing

@testable import HealthServer

@Suite("The addresses of pages, which scripts depend on")
struct AddressTests {
    private let file: RecordedStore

    init() throws {
        file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.write()
    }

    private func running() async throws -> RunningServer {
        try await RunningServer(store: file.path)
    }

    @Test("each page answers as HTML and as JSON")
    func contract() async throws {
        let running = try await running()
        let cookie = try await running.signIn()
        let paths = [
            "/", "/browse", "/sleep", "/workouts", "/data", "/type/stepCount", "/year/stepCount",
            "/compare", "/report",
        ]
        for path in paths {
            let page = try await running.send(path, cookie: cookie)
            #expect(page.status == 200, "\(path)")
            #expect(page.body.hasPrefix("<!DOCTYPE html>"), "\(path)")
            let json = try await running.send(path + ".json", cookie: cookie)
            #expect(json.status == 200 && json.body.hasPrefix("{"), "\(path).json")
        }
    }

    @Test("the page of a year has a square for each of its days")
    func year() async throws {
        let running = try await running()
        let cookie = try await running.signIn()
        let page = try await running.send("/year/stepCount?day=2001-01-02", cookie: cookie)
        let squares = try Markup(page.body).all("path").filter {
            $0.attributes["class"]?.hasPrefix("y") ?? false
        }
        #expect(squares.count == 365)
    }

    @Test("an earlier address leads to the present one, with its query")
    func moved() async throws {
        let running = try await running()
        let cookie = try await running.signIn()
        for (earlier, present) in [
            ("/trends", "/type"), ("/trends.json?metric=stepCount", "/type.json?metric=stepCount"),
            ("/trends?metric=a%26b&by=day", "/type?metric=a%26b&by=day"),
        ] {
            let answer = try await running.send(earlier, cookie: cookie)
            #expect(answer.status == 303 && answer.headers["location"] == present, "\(earlier)")
        }
    }
}
