import Foundation
import HealthStorage

/// The connection through which received data is written.
///
/// Before each request the file is compared with the opened one. If another file has its path by
/// now, for example because the store was restored, that one is opened: data must not be
/// acknowledged that goes to a deleted file.
///
/// Unchecked, because its state changes without a lock: only the serial queue of
/// ``StoreDestination`` that stores requests calls it.
final class WritingStore: @unchecked Sendable {
    private struct FileIdentity: Equatable {
        var device: Int
        var number: Int

        init?(_ path: String) {
            let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
                let device = facts[.systemNumber] as? NSNumber,
                let number = facts[.systemFileNumber] as? NSNumber
            else { return nil }
            (self.device, self.number) = (device.intValue, number.intValue)
        }
    }

    private let path: String
    private var opened: (store: SampleStore, identity: FileIdentity)?

    init(at path: String) { self.path = path }

    /// Returns the store.
    ///
    /// - Throws: `StoreError` if there is none, or if it can't be written.
    func store() throws -> SampleStore {
        guard let identity = FileIdentity(path) else {
            opened = nil
            throw StoreError(.noStore(at: path))
        }
        if let opened, opened.identity == identity { return opened.store }
        opened = nil
        let store = try SampleStore(at: path, access: .writing)
        opened = (store, identity)
        return store
    }
}
