/// Follows one batch of deleted objects: if all of them go and none was looked at, an app that
/// mirrors the store keeps what is no longer there.
///
/// Each deleted object of the batch holds the receipt and marks it when it is asked anything.
final class DeletionReceipt: Sendable {
    private let diagnostics: Diagnostics
    private let types: [String]
    private let count: Int
    private let isRead = Locked(false)

    /// - Parameter types: Identifiers of what the query asked for.
    init(types: [String], count: Int, diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        self.types = types
        self.count = count
    }

    /// An object of the batch was looked at.
    func markRead() { isRead { $0 = true } }

    deinit {
        if count > 0, !isRead({ $0 }) {
            diagnostics.record(.deletionsNotRead(types: types, count: count))
        }
    }
}
