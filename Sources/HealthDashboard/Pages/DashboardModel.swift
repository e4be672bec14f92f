import Foundation
public import Observation

/// A page for a view to show: what was known at once, then what is true, and what changes
/// meanwhile.
///
/// ```swift
/// let model = DashboardModel(service: service, cache: cache, metrics: TodayPage.watched,
///     question: setting.question("day \(day)")) { service throws(Unavailability) in
///     try await TodayPage(of: service, on: day, setting: setting)
/// }
/// await model.open()     // .cached within milliseconds, .fresh behind; then follows changes
/// ```
/// What was kept is shown as such even if nothing has changed since, until that is known.
@Observable @MainActor
public final class DashboardModel<Shown: Page> {
    /// What there is to show.
    public private(set) var state: ViewState<Shown> = .nothingYet

    @ObservationIgnored private let service: any HealthService
    @ObservationIgnored private let cache: DashboardCache
    @ObservationIgnored private let metrics: [Metric]
    @ObservationIgnored private let question: String
    @ObservationIgnored private let compose:
        @Sendable (any HealthService) async throws(Unavailability) -> Shown
    @ObservationIgnored private let isEmpty: @Sendable (Shown) -> Bool

    /// - Parameters:
    ///   - metrics: All that the page shows; those that were never asked for may be among them.
    ///   - question: What the page answers, with everything it depends on beside the data:
    ///     ``PageSetting/question(_:)``.
    ///   - isEmpty: Whether a page has nothing to show.
    ///   - compose: Makes the page.
    public init(
        service: any HealthService, cache: DashboardCache, metrics: [Metric], question: String,
        isEmpty: @escaping @Sendable (Shown) -> Bool = { _ in false },
        compose: @escaping @Sendable (any HealthService) async throws(Unavailability) -> Shown
    ) {
        self.service = service
        self.cache = cache
        self.metrics = metrics
        self.question = question
        self.isEmpty = isEmpty
        self.compose = compose
    }

    /// Shows what was kept, refreshes, and follows changes until the task is cancelled.
    public func open() async {
        // Listening begins before reading: no change falls between.
        let changes = service.changes
        await showKept()
        await refresh()
        for await _ in changes { await refresh() }
    }

    /// Shows what was kept, as such; nothing if there is nothing, or something newer is shown.
    public func showKept() async {
        guard let kept = await cache.page(Shown.self, for: question), case .nothingYet = state
        else { return }
        state = .cached(kept.page, asOf: kept.page.freshness.asOf)
    }

    /// Reads anew what has changed, and shows it.
    public func refresh() async {
        if let shown = state.value {
            var page = shown
            page.freshness.isCurrent = false
            state = .cached(page, asOf: page.freshness.asOf)
        }
        do throws(Unavailability) {
            let page = try await cache.current(question, of: metrics, in: service) {
                [compose, service] () async throws(Unavailability) in try await compose(service)
            }
            state =
                isEmpty(page)
                ? .empty(asOf: page.freshness.asOf) : .fresh(page, asOf: page.freshness.asOf)
        } catch {
            state = .unavailable(
                error, last: state.value, asOf: state.value?.freshness.asOf)
        }
    }
}
