public import Foundation

/// A file cache of pages, so that a page can be shown immediately when it is opened again.
///
/// A cached page is current only while all its metrics have the revisions that were read before the
/// page was made. The cache key must contain everything else that the page depends on;
/// ``PageContext/cacheKey(_:)`` adds time zone, first weekday, goal and day. A file that is damaged
/// or has another format is ignored, and replaced when a page is stored. The newest pages are
/// cached: at most 32, with at most 4 MiB in total.
///
/// ```swift
/// let cache = DashboardCache(at: file)
/// let cached = await cache.page(SummaryPage.self, for: cacheKey)   // nil without one
/// await cache.store(page, for: cacheKey, revisions: revisions)
/// ```
/// Failures are ignored: a page that cannot be stored is read again the next time. The file
/// contains health data and is readable only by its owner (0600).
public actor DashboardCache {
    /// A cached page.
    public struct CachedPage<Shown: Page>: Sendable {
        /// The page.
        public var page: Shown
        /// The revisions of the page's metrics, read before it was made, by metric identifier.
        /// Empty if not all were known.
        public var revisions: [String: Revision]

        /// Returns whether all revisions are known and unchanged.
        ///
        /// - Parameter now: The current revisions of the page's metrics, and of no others.
        /// - Returns: Whether the page is current.
        public func isCurrent(_ now: [Metric: Revision]) -> Bool {
            !revisions.isEmpty
                && Dictionary(now.map { ($0.key.identifier, $0.value) }) { first, _ in first }
                    == revisions
        }
    }

    private let file: URL?
    private let program: String
    private var entries: [DashboardCacheFile.Entry]?

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - file: The file, which need not exist; nil for a cache in memory.
    ///   - program: The program that makes the pages, with its version. Pages of other programs in
    ///     the file are not returned.
    public init(at file: URL?, program: String = "") {
        self.file = file
        self.program = program
    }

    /// Returns the cached page for a cache key. Its freshness is marked as not current.
    ///
    /// - Parameters:
    ///   - type: The type of the page.
    ///   - cacheKey: The cache key; see ``PageContext/cacheKey(_:)``.
    /// - Returns: The page with its revisions; nil if there is none.
    /// - Complexity: O(n) for n bytes of the file on first use, then O(m) for m bytes of the page.
    public func page<Shown: Page>(_ type: Shown.Type, for cacheKey: String) -> CachedPage<Shown>? {
        let key = key(type, cacheKey)
        guard let entry = loaded().first(where: { $0.key == key }),
            var page = try? JSONDecoder().decode(Shown.self, from: entry.body)
        else { return nil }
        page.freshness.isCurrent = false
        return CachedPage(page: page, revisions: entry.revisions.mapValues { Revision($0) })
    }

    /// Stores a page, and replaces the one for the same cache key. The oldest pages are removed
    /// while there are more than 32 pages, or more than 4 MiB in total. Errors are ignored.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - cacheKey: The cache key.
    ///   - revisions: The revisions of the page's metrics, read before the page was made.
    public func store<Shown: Page>(
        _ page: Shown, for cacheKey: String, revisions: [Metric: Revision]
    ) {
        guard let body = try? JSONEncoder().encode(page) else { return }
        let key = key(Shown.self, cacheKey)
        var entries = loaded().filter { $0.key != key }
        let texts = revisions.map { ($0.key.identifier, $0.value.text) }
        entries.insert(
            DashboardCacheFile.Entry(
                key: key, revisions: Dictionary(texts) { first, _ in first }, body: body), at: 0)
        self.entries = DashboardCacheFile.bounded(entries)
        save()
    }

    /// Returns the current page for a cache key: the cached one if nothing has changed since, else
    /// a new one, which is stored.
    ///
    /// - Parameters:
    ///   - cacheKey: The cache key.
    ///   - metrics: All metrics of the page. If a revision is missing, a new page is made.
    ///   - service: The service for the revisions.
    ///   - compose: Makes a new page.
    /// - Returns: The page.
    /// - Throws: ``Unavailability`` of the service or of `compose`.
    public func current<Shown: Page>(
        _ cacheKey: String, of metrics: [Metric], in service: some HealthService,
        compose: @Sendable () async throws(Unavailability) -> Shown
    ) async throws(Unavailability) -> Shown {
        // Revisions are read first, so that a change during composition makes the page stale.
        let revisions = try await service.revisions(of: metrics)
        return try await current(cacheKey, of: metrics, at: revisions, compose: compose)
    }

    /// Returns the current page for a cache key, for callers that have read the revisions already.
    ///
    /// - Parameters:
    ///   - cacheKey: The cache key.
    ///   - metrics: All metrics of the page. If a revision is missing, a new page is made.
    ///   - revisions: The current revisions of `metrics`, read before this call.
    ///   - compose: Makes a new page.
    /// - Returns: The page.
    /// - Throws: ``Unavailability`` of `compose`.
    public func current<Shown: Page>(
        _ cacheKey: String, of metrics: [Metric], at revisions: [Metric: Revision],
        compose: @Sendable () async throws(Unavailability) -> Shown
    ) async throws(Unavailability) -> Shown {
        let isKnown = Set(metrics).isSubset(of: revisions.keys)
        if isKnown, let cached = page(Shown.self, for: cacheKey), cached.isCurrent(revisions) {
            var page = cached.page
            page.freshness.isCurrent = true
            return page
        }
        let page = try await compose()
        store(page, for: cacheKey, revisions: isKnown ? revisions : [:])
        return page
    }

    /// Removes all pages and the file.
    public func clear() {
        entries = []
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private func key<Shown: Page>(_ type: Shown.Type, _ cacheKey: String) -> String {
        "\(program) \(Shown.path) \(cacheKey)"
    }

    private func loaded() -> [DashboardCacheFile.Entry] {
        if let entries { return entries }
        let data = file.flatMap { DashboardCacheFile.read($0) }
        let loaded = data.flatMap { DashboardCacheFile.entries(of: $0) } ?? []
        entries = loaded
        return loaded
    }

    private func save() {
        guard let file, let entries, let data = DashboardCacheFile.data(of: entries) else { return }
        DashboardCacheFile.write(data, to: file)
    }
}
