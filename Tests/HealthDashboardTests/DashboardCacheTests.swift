import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthDashboard

/// The cache's file, valid and damaged.
@Suite struct DashboardCacheTests {
    private let revisions: [Metric: Revision] = [.steps: Revision("7")]

    private func page(_ sentence: String = "8,214 steps") -> SleepPage {
        SleepPage(
            freshness: Freshness(asOf: Date(timeIntervalSinceReferenceDate: 7), isCurrent: true),
            timeZone: "UTC", days: [CivilDate(2024, 3, 10)], nights: [], chosen: nil,
            sentence: sentence)
    }

    private func file() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString).appendingPathComponent("pages.cache")
    }

    @Test(
        "the next process reads a stored page as not current; only its owner can read the file"
    )
    func nextProcess() async throws {
        let file = file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        await DashboardCache(at: file).store(page(), for: "q", revisions: revisions)
        let cached = try #require(await DashboardCache(at: file).page(SleepPage.self, for: "q"))
        #expect(cached.page.sentence == "8,214 steps")
        #expect(!cached.page.freshness.isCurrent)
        #expect(cached.isCurrent(revisions))
        #expect(!cached.isCurrent([.steps: Revision("8")]))
        #expect(!cached.isCurrent([:]))
        #expect(await DashboardCache(at: file).page(SleepPage.self, for: "other") == nil)
        let upgraded = DashboardCache(at: file, program: "openhealth 2")
        #expect(await upgraded.page(SleepPage.self, for: "q") == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("a damaged file is ignored and replaced")
    func damage() async throws {
        let entry = DashboardCacheFile.Entry(
            key: "k", revisions: ["a": "1"], body: Data("{\"steps\":8214}".utf8))
        let data = try #require(DashboardCacheFile.data(of: [entry, entry]))
        #expect(DashboardCacheFile.entries(of: data) == [entry, entry])
        for index in data.indices {
            var damaged = data
            damaged[index] ^= 1
            let read = DashboardCacheFile.entries(of: damaged)
            #expect(read == nil || read == [entry, entry], "byte \(index)")
            #expect(DashboardCacheFile.entries(of: data.prefix(index)) == nil, "cut at \(index)")
        }
        #expect(DashboardCacheFile.entries(of: data + Data([1])) == nil)
        let file = file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for foreign in [
            "", "openhealth pages 1\n[]\n", "SQLite format 3", "openhealth pages 3\n[{",
        ] {
            try Data(foreign.utf8).write(to: file)
            let cache = DashboardCache(at: file)
            #expect(await cache.page(SleepPage.self, for: "q") == nil)
            await cache.store(page(), for: "q", revisions: revisions)
            #expect(await DashboardCache(at: file).page(SleepPage.self, for: "q") != nil)
        }
    }

    @Test("the newest pages are kept within the limits of number and size")
    func bounds() async throws {
        let cache = DashboardCache(at: nil)
        for number in 0..<100 {
            await cache.store(page("\(number)"), for: "\(number)", revisions: revisions)
        }
        #expect(await cache.page(SleepPage.self, for: "99")?.page.sentence == "99")
        #expect(await cache.page(SleepPage.self, for: "0") == nil)
        let big = DashboardCacheFile.Entry(
            key: "big", revisions: [:], body: Data(count: DashboardCacheFile.maximumBytes))
        #expect(DashboardCacheFile.bounded([big, big]).count == 1)
    }

    @Test("a page whose metrics have no revision is never current")
    func unknownRevision() async throws {
        let service = FakeHealthService()
        let cache = DashboardCache(at: nil)
        for _ in 0..<2 {
            _ = try await cache.current("q", of: [.steps, .sleep], at: revisions) {
                () async throws(Unavailability) in
                _ = try await service.metrics()
                return page()
            }
        }
        #expect(await service.requestCount == 2)
    }
}
