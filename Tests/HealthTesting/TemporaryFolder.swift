import Foundation

/// A temporary folder for a test, removed when the value is released.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates the folder.
    ///
    /// - Throws: An error of the file system.
    public init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("OpenHealthKitTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and creates its enclosing folders.
    ///
    /// - Parameters:
    ///   - name: The path of the file, relative to the folder.
    ///   - bytes: The content.
    /// - Returns: The path of the file.
    /// - Throws: An error of the file system.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Writes a text file and creates its enclosing folders.
    ///
    /// - Parameters:
    ///   - name: The path of the file, relative to the folder.
    ///   - text: The content, written as UTF-8.
    /// - Returns: The path of the file.
    /// - Throws: An error of the file system.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }
}
