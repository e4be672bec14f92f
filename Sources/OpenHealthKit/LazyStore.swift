import Foundation
import HealthStorage

/// A store that is opened when it is first needed, so that making a handle costs nothing and
/// can't fail.
final class LazyStore: Sendable {
    private let opened: Locked<SampleStore?>
    private let open: @Sendable () throws -> SampleStore

    init(_ open: @escaping @Sendable () throws -> SampleStore) {
        self.opened = Locked(nil)
        self.open = open
    }

    /// The store; a failure is tried again the next time.
    func callAsFunction() throws(HKError) -> SampleStore {
        do {
            return try opened { store in
                if let store { return store }
                let new = try open()
                store = new
                return new
            }
        } catch {
            throw HKError(reporting: error)
        }
    }
}
