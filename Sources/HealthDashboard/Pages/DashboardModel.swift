import Foundation
public import Observation

/// An observable view model of a page. It shows the cached page first, then the current one, and
/// follows later changes.
///
/// ```swift
/// let model = DashboardModel(
///     service: service, cache: cache, metrics: SummaryPage.watched,
///     cacheKey: context.cacheKey("day \(day)")
/// ) { service async throws(Unavailability) in
///     try await SummaryPage(of: service, on: day, context: context)
/// }
/// await model.open()     // .cached within milliseconds, then .fresh; follows changes
/// ```
/// A cached page is shown as ``ViewState/cached(_:asOf:)`` until it is known that nothing has
/// changed, or a new page was read.
@Observable @MainActor
public final class DashboardModel<Shown: Page> {
    /// What the view shows.
    public private(set) var state: ViewState<Shown> = .loading

    @ObservationIgnored private let service: any HealthService
    @ObservationIgnored private let cache: DashboardCache
    @ObservationIgnored private let metrics: [Metric]
    @ObservationIgnored private let cacheKey: String
    @ObservationIgnored private let compose:
        @Sendable (any HealthService) async throws(Unavailability) -> Shown
    @ObservationIgnored private let isEmpty: @Sendable (Shown) -> Bool

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - service: The service that is read and observed.
    ///   - cache: The cache of pages.
    ///   - metrics: All metrics of the page, including those without requested authorization.
    ///   - cacheKey: The cache key, which contains everything the page depends on besides the data;
    ///     see ``PageContext/cacheKey(_:)``.
    ///   - isEmpty: Returns whether a page has nothing to show.
    ///   - compose: Makes the page.
    public init(
        service: any HealthService, cache: DashboardCache, metrics: [Metric], cacheKey: String,
        isEmpty: @escaping @Sendable (Shown) -> Bool = { _ in false },
        compose: @escaping @Sendable (any HealthService) async throws(Unavailability) -> Shown
    ) {
        self.service = service
        self.cache = cache
        self.metrics = metrics
        self.cacheKey = cacheKey
        self.isEmpty = isEmpty
        self.compose = compose
    }

    /// Shows the cached page, refreshes it and follows changes until the task is cancelled.
    public func open() async {
        // Subscribes before reading, so that no change is missed.
        let changes = service.changes
        await showCached()
        await refresh()
        for await _ in changes { await refresh() }
    }

    /// Shows the cached page, unless there is none or ``state`` is no longer ``ViewState/loading``.
    public func showCached() async {
        guard let cached = await cache.page(Shown.self, for: cacheKey), case .loading = state
        else { return }
        state = .cached(cached.page, asOf: cached.page.freshness.asOf)
    }

    /// Shows the current page: the cached one if nothing has changed since, else a new one.
    /// Meanwhile, a page that is already shown is marked as not current. If reading fails, the
    /// state becomes ``ViewState/unavailable(_:last:asOf:)``.
    public func refresh() async {
        if let shown = state.value {
            var page = shown
            page.freshness.isCurrent = false
            state = .cached(page, asOf: page.freshness.asOf)
        }
        do throws(Unavailability) {
            let page = try await cache.current(cacheKey, of: metrics, in: service) {
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
