public import Foundation
import HealthStorage

extension HealthServer {
    /// A server of all pages of a store.
    ///
    /// - Parameter timeZone: Where days begin; nil for the store's home zone, else the system's.
    /// - Throws: `StoreError` if there is no store that can be read.
    public convenience init(
        storeAt path: String, timeZone: TimeZone? = nil, listening: Listening = .loopback,
        port: Int = 0, limits: Limits = Limits()
    ) throws {
        // A connection of its own: the number it tells is this connection's, and never waits for a
        // page.
        let looked = try SampleStore(at: path, access: .reading)
        self.init(
            Site(pages: []), listening: listening, port: port, limits: limits,
            revision: { try? looked.dataVersion() })
    }
}
