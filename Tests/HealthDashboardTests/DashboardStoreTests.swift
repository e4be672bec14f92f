import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The model over a store file that another connection writes to.
@Suite @MainActor struct DashboardStoreTests {
    private let day = CivilDate(2024, 3, 10)
    private let context: PageContext
    private let noon: Date

    init() throws {
        let calendar = Calendar.gregorian(in: .gmt)
        let start = try #require(calendar.interval(of: CivilDate(2024, 3, 10))?.start)
        noon = start + 43_200
        context = PageContext(now: start + 80_000, calendar: calendar)
    }

    private func model(
        _ service: any HealthService, _ cache: DashboardCache
    ) -> DashboardModel<SummaryPage> {
        let (day, context) = (day, context)
        return DashboardModel(
            service: service, cache: cache, metrics: SummaryPage.watched,
            cacheKey: context.cacheKey("day"), isEmpty: { $0.tiles.isEmpty }
        ) { service async throws(Unavailability) in
            try await SummaryPage(of: service, on: day, context: context)
        }
    }

    /// Saves steps through a separate connection, like another process.
    private func save(_ count: Double, at start: Date, in store: SampleStore) throws -> SampleUUID {
        let start = start.timeIntervalSinceReferenceDate
        let type = try #require(Catalogue.type(identifier: Metric.steps.identifier))
        var batch = SampleBatch(samples: [
            Sample(
                type: type.code, origin: 0, start: start, end: start + 60, created: start,
                value: count)
        ])
        batch.sources = [Source(name: "Phone", bundleIdentifier: "org.example.phone")]
        batch.origins = [Origin(source: 0, version: "1", unit: "count")]
        let uuid = try #require(SampleUUID(UUID().uuidString))
        try store.save(batch, uuids: [uuid], at: start)
        return uuid
    }

    /// Waits until the model shows `steps` steps and reports that they are current.
    private func waitForFresh(_ model: DashboardModel<SummaryPage>, _ steps: Double?) async throws {
        func isThere() -> Bool {
            switch model.state {
            case .fresh(let page, _): page.steps?.value == steps && page.freshness.isCurrent
            case .empty: steps == nil
            default: false
            }
        }
        for _ in 0..<3000 where !isThere() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isThere(), "\(model.state)")
    }

    @Test("changes by another connection update the page from cached to fresh")
    func followed() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DashboardStore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("health.sqlite").path
        let other = try SampleStore(at: path, access: .creating)
        var saved = [try save(100, at: noon, in: other)]
        let file = folder.appendingPathComponent("pages.cache")
        let service = HealthKitService(
            store: try HKHealthStore(
                path: path, configuration: HealthStoreConfiguration(authorization: .assumed)),
            calendar: context.calendar)
        let first = model(service, DashboardCache(at: file))
        await first.refresh()
        try await waitForFresh(first, 100)
        // The next launch shows the cached page before the service is queried, and doesn't call it
        // current.
        saved.append(try save(20, at: noon + 600, in: other))
        let second = model(service, DashboardCache(at: file))
        await second.showCached()
        guard case .cached(let kept, _) = second.state else {
            Issue.record("shown as \(second.state)")
            return
        }
        #expect(kept.steps?.value == 100 && !kept.freshness.isCurrent)
        let opening = Task { await second.open() }
        defer { opening.cancel() }
        try await waitForFresh(second, 120)
        saved.append(try save(3, at: noon + 1200, in: other))
        try await waitForFresh(second, 123)
        try other.delete(saved, by: "org.example.phone")
        try await waitForFresh(second, nil)
        // Deleted values are also removed from the file.
        let third = model(service, DashboardCache(at: file))
        await third.showCached()
        #expect(third.state.value?.steps?.value == nil)
    }
}
