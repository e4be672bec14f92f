public import Foundation
import HealthStorage

extension HealthServer {
    /// A server of all pages of a store.
    ///
    /// - Parameters:
    ///   - timeZone: Where days begin; nil for the store's home zone, else the system's.
    ///   - cache: Where pages are kept between runs; nil for nowhere.
    ///   - weightNotes: The file of the `HealthSync` mirror whose notes and tags stand beside weights;
    ///     it needn't be there, and is not made.
    ///   - stepGoal: Steps a day that the person wants to walk.
    ///   - commandOptions: What leads the command `openhealth` to this store, " --as Anna"; the
    ///     commands that pages suggest end with it.
    /// - Throws: `StoreError` if there is no store that can be read.
    public convenience init(
        storeAt path: String, timeZone: TimeZone? = nil, listening: Listening = .loopback,
        port: Int = 0, cache: URL? = nil, weightNotes: URL? = nil, stepGoal: Double? = nil,
        commandOptions: String = "", limits: Limits = Limits()
    ) throws {
        let notes = weightNotes.map { WeightNotes(at: $0) }
        let pages = try StorePages(
            storeAt: path, timeZone: timeZone, cache: cache, notes: notes, stepGoal: stepGoal,
            commandOptions: commandOptions)
        Task.detached(priority: .background) { await pages.prepare() }
        // A connection of its own: the number it tells is this connection's, and never waits for a
        // page.
        let looked = try SampleStore(at: path, access: .reading)
        self.init(
            pages.site, listening: listening, port: port, limits: limits,
            revision: {
                guard let version = try? looked.dataVersion() else { return nil }
                return version &+ (notes?.stamp ?? 0)
            })
    }
}
