public import Foundation
import HealthStorage

extension HealthServer {
    /// A server of all pages of a store.
    ///
    /// - Parameters:
    ///   - timeZone: Where days begin; nil for the store's home zone, else the system's.
    ///   - cache: Where pages are kept between runs; nil for nowhere.
    /// - Throws: `StoreError` if there is no store that can be read.
    public convenience init(
        storeAt path: String, timeZone: TimeZone? = nil, listening: Listening = .loopback,
        port: Int = 0, cache: URL? = nil, limits: Limits = Limits()
    ) throws {
        let pages = try StorePages(storeAt: path, timeZone: timeZone, cache: cache)
        Task.detached(priority: .background) { await pages.prepare() }
        // A connection of its own: the number it tells is this connection's, and never waits for a
        // page.
        let looked = try SampleStore(at: path, access: .reading)
        self.init(
            pages.site, listening: listening, port: port, limits: limits,
            revision: { try? looked.dataVersion() })
    }
}
