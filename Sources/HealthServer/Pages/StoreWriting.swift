package import HealthStorage
import Synchronization

/// Runs a body that writes to a store.
///
/// - Parameter body: Writes to the store that it receives. It blocks.
/// - Throws: `StoreError` if the store can't be written, and errors of `body`.
package typealias StoreWriting =
    @Sendable (_ body: @escaping @Sendable (SampleStore) throws -> Void) async throws -> Void

/// The connection through which pages write to their store; opened at the first write.
final class PageConnection: Sendable {
    private let path: String
    private let opened = Mutex<SampleStore?>(nil)

    /// - Parameter path: The path of the store.
    init(storeAt path: String) { self.path = path }

    /// Runs a body with the store. Calls run one after the other.
    func write(_ body: (SampleStore) throws -> Void) throws {
        try opened.withLock { opened in
            let store = try opened ?? SampleStore(at: path, access: .writing)
            opened = store
            try body(store)
        }
    }
}
