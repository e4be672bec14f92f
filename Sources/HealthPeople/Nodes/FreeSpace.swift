import Foundation

/// The space of disks. A full one makes each write fail, so a node says that it isn't ready.
enum FreeSpace {
    /// Below this number of bytes a disk counts as full.
    private static let minimum: UInt64 = 1 << 20

    /// Returns whether a path's disk has room; true if it can't be asked.
    static func isLeft(at path: String) -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return true }
        let (bytes, overflow) = UInt64(status.f_bavail)
            .multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow || bytes >= minimum
    }
}
