import Foundation
import HealthEngine
import Testing

@testable import HealthDashboard

/// The cache with damaged files. The numbers must be correct in all cases.
@Suite final class DashboardCacheDamageTests: Sendable {
    private let revisions: [Metric: Revision] = [.steps: Revision("7")]
    private let folder: URL
    private var file: URL { folder.appendingPathComponent("pages.cache") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DashboardCacheDamage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func page(_ sentence: String) -> SleepPage {
        SleepPage(
            freshness: Freshness(asOf: Date(timeIntervalSinceReferenceDate: 7), isCurrent: true),
            timeZone: "UTC", days: [CivilDate(2024, 3, 10)], nights: [], chosen: nil,
            sentence: sentence)
    }

    /// Returns the page of a new process: the cached one, or "new" if it was computed.
    private func shown(at revisions: [Metric: Revision]? = nil) async throws -> SleepPage {
        try await DashboardCache(at: file).current(
            "q", of: [.steps], at: revisions ?? self.revisions
        ) { () async throws(Unavailability) in page("new") }
    }

    @Test(
        "a file truncated anywhere or with any flipped bit is ignored and replaced"
    )
    func everyByte() async throws {
        await DashboardCache(at: file).store(page("8,214 steps"), for: "q", revisions: revisions)
        let whole = try Data(contentsOf: file)
        #expect(try await shown().sentence == "8,214 steps")
        for index in whole.indices {
            var damaged = [whole.prefix(index)]
            for bit in [0, 5] {
                var turned = whole
                turned[index] ^= 1 << bit
                damaged.append(turned)
            }
            for (kind, data) in damaged.enumerated() {
                try data.write(to: file)
                // Changed letters make another query's key. Nothing else may be returned.
                let cached = await DashboardCache(at: file).page(SleepPage.self, for: "q")
                #expect(cached == nil, "byte \(index), \(kind)")
                #expect(try await shown().sentence == "new", "byte \(index), \(kind)")
            }
            let again = await DashboardCache(at: file).page(SleepPage.self, for: "q")
            #expect(again?.page.sentence == "new", "byte \(index)")
        }
    }

    @Test("a file of another version, program or format is ignored and replaced")
    func foreign() async throws {
        await DashboardCache(at: file).store(page("8,214 steps"), for: "q", revisions: revisions)
        let whole = try Data(contentsOf: file)
        let body = whole.dropFirst(DashboardCacheFile.header.count)
        let others: [Data] = [
            "", "SQLite format 3\u{0}", "openhealth pages 3\n[]\n",
            "openhealth pages 3\n[{\"key\":\"\",\"revisions\":{},\"length\":-1}]\n",
        ].map { (text: String) in Data(text.utf8) }
        let heads: [Data] = ["openhealth pages 1\n", "openhealth pages 10\n", "\n"].map {
            (head: String) in Data(head.utf8) + body
        }
        let sizes: [Data] = [
            whole + whole, whole + Data([0]), Data(count: 64),
            Data(repeating: 0xff, count: 2 * DashboardCacheFile.maximumBytes + 1),
        ]
        for foreign in others + heads + sizes {
            try foreign.write(to: file)
            #expect(await DashboardCache(at: file).page(SleepPage.self, for: "q") == nil)
            #expect(try await shown().sentence == "new")
            #expect(try await shown().sentence == "new")
            #expect(try Data(contentsOf: file).count < 2000)
        }
    }

    @Test("if the file can't be written, pages are composed each time, and no other file changes")
    func nowhere() async throws {
        // A folder in place of the file, also a non-empty one.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        for _ in 0..<2 { #expect(try await shown().sentence == "new") }
        let held = file.appendingPathComponent("held")
        try Data("8214".utf8).write(to: held)
        for _ in 0..<2 { #expect(try await shown().sentence == "new") }
        #expect(try Data(contentsOf: held) == Data("8214".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pages.cache"])
        // A file in place of the folder.
        let beneath = DashboardCache(at: held.appendingPathComponent("deep/pages.cache"))
        await beneath.store(page("kept"), for: "q", revisions: revisions)
        #expect(await beneath.page(SleepPage.self, for: "q")?.page.sentence == "kept")
        #expect(try Data(contentsOf: held) == Data("8214".utf8))
    }

    @Test("two processes that write at once leave one complete file")
    func twoWriters() async throws {
        let caches = (0..<8).map { _ in DashboardCache(at: file) }
        await withTaskGroup(of: Void.self) { group in
            for (number, cache) in caches.enumerated() {
                group.addTask { [revisions] in
                    for _ in 0..<20 {
                        await cache.store(
                            self.page("\(number)"), for: "q", revisions: revisions)
                    }
                }
            }
        }
        let cached = try #require(await DashboardCache(at: file).page(SleepPage.self, for: "q"))
        #expect((0..<8).contains(try #require(Int(cached.page.sentence))))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pages.cache"])
    }
}
