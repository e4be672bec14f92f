import Foundation

/// A temporary folder that only this account can read, for copies of stores. It is removed with the
/// last reference.
final class PrivateFolder {
    let path: String

    /// Creates the folder.
    ///
    /// - Throws: ``PeopleError/cacheFailed(_:)``.
    init() throws(PeopleError) {
        path = NSTemporaryDirectory() + "/openhealth-" + HexadecimalText.random()
        guard mkdir(path, 0o700) == 0 else { throw .cacheFailed(path) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
