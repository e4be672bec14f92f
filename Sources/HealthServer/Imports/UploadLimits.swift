import Foundation

/// Limits on the exports that browsers upload.
package struct UploadLimits: Sendable {
    /// The maximum size of a file, in bytes.
    package var bytes = 8_000_000_000
    /// The space that must stay free on the disk, in bytes.
    package var reservedBytes = 1_000_000_000
    /// The time without data from the browser after which its connection is closed. It can take
    /// twice as long.
    package var stallTimeout = Duration.seconds(30)
    /// Returns the free space of the disk with a folder in bytes; nil if it is unknown.
    package var freeBytes: @Sendable (_ folder: String) -> Int? = { folder in
        // A disk whose free space can't be read is checked by its writes alone.
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (facts?[.systemFreeSize] as? NSNumber)?.intValue
    }

    /// Creates the default limits.
    package init() {}
}
