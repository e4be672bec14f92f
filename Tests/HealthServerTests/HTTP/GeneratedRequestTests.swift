import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

/// Generated values for every parameter of every page.
@Suite("Responses to generated requests")
struct GeneratedRequestTests {
    private static let torture = TestTier.isTorture
    private static let seeds: [UInt64] = torture ? Array(1...40) : [1, 2]
    private static let requests = torture ? 1500 : 150
    /// A limit far above the size of the largest page.
    private static let maximumBytes = 4 << 20

    /// Creates a store with samples at some days, including the limits of dates.
    private static func store(_ starts: [Double]) throws -> RecordedStore {
        let file = try RecordedStore()
        for start in starts {
            try file.add("stepCount", "Watch", start, start + 600, 600, .watch)
            try file.add("stepCount", "Phone", start + 300, start + 900, 1201, .phone)
            try file.add("heartRate", "Watch", start, start, 60, .watch)
            try file.add("bodyMass", "Scale", start, start, 82.4)
            try file.add("sleepAnalysis", "Watch", start + 3600, start + 30_000, 3, .watch)
        }
        try file.write()
        return file
    }

    private static func isExpected(_ request: GeneratedRequest, _ response: RawResponse) -> Bool {
        let statuses: Set = [200, 303, 400, 404, 413]
        // The framework's limit for request heads is reported without one of our pages.
        let isTooLong = request.target.utf8.count > 16_000
        return statuses.contains(response.status)
            || isTooLong && [0, 431].contains(response.status)
    }

    @Test(
        "with a page or with what is wrong, never with an error of its own, and goes on",
        arguments: seeds)
    func anyRequest(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let recent = (0..<40).map { 731_000_000 + Double($0) * 86_400 }
        // From the first year that an import accepts to the last, 1862 to 2139.
        let far: [Double] = [-4_386_268_800, 86_400, 4_354_732_800]
        for (starts, zone) in [(recent, "GMT"), (recent + far, "Pacific/Apia")] {
            let file = try Self.store(starts)
            let running = try await RunningServer(
                store: file.path, timeZone: TimeZone(identifier: zone) ?? .gmt)
            let cookie = try await running.signIn()
            let key = try #require(try await running.csrf("/why?day=2024-03-10&out=Watch", cookie))
            for number in 0..<Self.requests {
                let request = GeneratedRequest(&random, key: key)
                let headers =
                    request.method == "POST"
                    ? [
                        "Content-Type: application/x-www-form-urlencoded",
                        "Sec-Fetch-Site: same-origin",
                    ] : []
                let response = try await running.send(
                    request.target, request.method, cookie: cookie, headers: headers,
                    body: request.body)
                #expect(
                    Self.isExpected(request, response),
                    "seed \(seed), \(zone), request \(number): \(request): \(response.status)")
                #expect(response.text.utf8.count < Self.maximumBytes, "seed \(seed): \(request)")
            }
            let failures = running.recorded.notices.withLock { $0 }.filter {
                if case .failed = $0 { true } else { false }
            }
            #expect(failures == [], "seed \(seed)")
        }
    }

    @Test(
        "days before 15 October 1582 are days like others, those of no year are refused",
        arguments: [
            ("/sleep?day=0000-12-31", 400), ("/?day=0000-12-31", 400),
            ("/sleep?day=0001-01-01", 200),
            ("/sleep?day=1582-10-10", 200), ("/?day=1582-10-10", 200),
            ("/?period=month&day=1582-10-10", 200), ("/why?day=1582-10-10", 200),
            ("/type?from=1582-10-01&to=1582-10-20&by=day", 200),
            ("/type?from=9999-12-01&to=9999-12-31", 200), ("/sleep?day=9999-12-31", 200),
            ("/why?day=9999-12-31", 200), ("/?day=10000-01-01", 400), ("/?day=2011-12-30", 400),
            ("/sleep?day=2011-12-30", 400), ("/why?day=2011-12-30", 400),
        ])
    func edges(target: String, status: Int) async throws {
        let file = try Self.store([731_000_000])
        let running = try await RunningServer(
            store: file.path, timeZone: try #require(TimeZone(identifier: "Pacific/Apia")))
        let cookie = try await running.signIn()
        let response = try await running.send(target, cookie: cookie)
        #expect(response.status == status, "\(response.body.suffix(400))")
        if target.contains("0000-12-31") {
            #expect(response.body.contains("choose a day from 0001-01-01 to 9999-12-31"))
        }
        if target.contains("2011-12-30") {
            #expect(response.body.contains("The day 2011-12-30 doesn’t exist in Pacific/Apia."))
        }
    }

    @Test("the first and the last supported day have no links beyond them")
    func links() async throws {
        let file = try Self.store([731_000_000])
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        for day in ["0001-01-01", "9999-12-31"] {
            for page in [
                "/?day=", "/?period=week&day=", "/?period=month&day=", "/why?day=",
                "/type/stepCount?period=week&day=",
            ] {
                let body = try await running.send(page + day, cookie: cookie).body
                let links = try Markup(body).all("a").compactMap { $0.attributes["href"] }
                    .filter { $0.contains("day=") || $0.contains("from=") }
                #expect(!links.isEmpty)
                for link in links {
                    #expect(try await running.send(link, cookie: cookie).status == 200, "\(link)")
                }
            }
        }
    }
}
