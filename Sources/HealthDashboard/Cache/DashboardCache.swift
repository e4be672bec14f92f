public import Foundation

/// Pages as they were last shown, in one small file, so that the next opening has something to show
/// at once.
///
/// A page counts as current only while each of its metrics has the revision it was made from; zone,
/// calendar, goal and day are part of the question. A new page replaces the whole old one, what it
/// no longer holds too. A file that is damaged, newer or somebody else's is as none, and is
/// replaced.
///
/// ```swift
/// let cache = DashboardCache(at: file)
/// let kept = await cache.page(TodayPage.self, for: question)   // nil, or the page with its revisions
/// await cache.keep(page, for: question, revisions: revisions)
/// ```
/// Nothing it does fails: what can't be kept is read again next time. Holds health data: the file
/// is for its owner alone (0600).
public actor DashboardCache {
    /// A page as it was kept.
    public struct Kept<Shown: Page>: Sendable {
        public var page: Shown
        /// What was stored of its metrics when it was made; by identifier.
        public var revisions: [String: Revision]

        /// Whether nothing has changed since: every revision is known, and is as it was.
        public func isCurrent(_ now: [Metric: Revision]) -> Bool {
            !revisions.isEmpty
                && Dictionary(now.map { ($0.key.identifier, $0.value) }) { first, _ in first }
                    == revisions
        }
    }

    private let file: URL?
    private let program: String
    private var entries: [DashboardCacheFile.Entry]?

    /// - Parameters:
    ///   - file: nil for a cache that ends with the process.
    ///   - program: Who makes the pages, with its version: what another one made is not shown.
    public init(at file: URL?, program: String = "") {
        self.file = file
        self.program = program
    }

    /// The page kept for a question; its freshness says that it is not known to be current.
    ///
    /// - Complexity: O(bytes of the file) at first, then O(bytes of the page).
    public func page<Shown: Page>(_ type: Shown.Type, for question: String) -> Kept<Shown>? {
        let key = key(type, question)
        guard let entry = loaded().first(where: { $0.key == key }),
            var page = try? JSONDecoder().decode(Shown.self, from: entry.body)
        else { return nil }
        page.freshness.isCurrent = false
        return Kept(page: page, revisions: entry.revisions.mapValues { Revision($0) })
    }

    /// Keeps a page in place of what was kept for the question.
    public func keep<Shown: Page>(
        _ page: Shown, for question: String, revisions: [Metric: Revision]
    ) {
        guard let body = try? JSONEncoder().encode(page) else { return }
        let key = key(Shown.self, question)
        var entries = loaded().filter { $0.key != key }
        let texts = revisions.map { ($0.key.identifier, $0.value.text) }
        entries.insert(
            DashboardCacheFile.Entry(
                key: key, revisions: Dictionary(texts) { first, _ in first }, body: body), at: 0)
        self.entries = DashboardCacheFile.bounded(entries)
        save()
    }

    /// The page for a question as it is now: the kept one where nothing has changed since, else a
    /// new one, which is kept.
    ///
    /// - Parameters:
    ///   - metrics: All that the page shows; where a revision of one is missing, it is made anew.
    ///   - compose: Makes the page.
    public func current<Shown: Page>(
        _ question: String, of metrics: [Metric], in service: some HealthService,
        compose: @Sendable () async throws(Unavailability) -> Shown
    ) async throws(Unavailability) -> Shown {
        // Asked first: what changes while the page is being made makes it old.
        let revisions = try await service.revisions(of: metrics)
        return try await current(question, of: metrics, at: revisions, compose: compose)
    }

    /// The page for a question at revisions that were asked before.
    public func current<Shown: Page>(
        _ question: String, of metrics: [Metric], at revisions: [Metric: Revision],
        compose: @Sendable () async throws(Unavailability) -> Shown
    ) async throws(Unavailability) -> Shown {
        let isKnown = Set(metrics).isSubset(of: revisions.keys)
        if isKnown, let kept = page(Shown.self, for: question), kept.isCurrent(revisions) {
            var page = kept.page
            page.freshness.isCurrent = true
            return page
        }
        let page = try await compose()
        keep(page, for: question, revisions: isKnown ? revisions : [:])
        return page
    }

    /// Forgets everything, in the file too.
    public func clear() {
        entries = []
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private func key<Shown: Page>(_ type: Shown.Type, _ question: String) -> String {
        "\(program) \(Shown.path) \(question)"
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
