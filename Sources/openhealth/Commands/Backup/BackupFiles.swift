import Foundation
import HealthServer
import HealthStorage

/// The files of a person that belong in a backup, and their names in it.
///
/// Positions of `watch` and `push` are left out: they apply to the original store only. Cached
/// pages are made anew.
struct BackupFiles {
    /// The name of the store in a backup.
    static let store = "store.sqlite"
    private static let photos = "weight-mirror.photos"
    private static let databases = [WeightDiary.file, AccessDirectory.suffix]

    /// The path of the person's store.
    let path: String

    /// Returns the databases that exist, by their names in the backup.
    func existingDatabases() -> [(name: String, path: String)] {
        let others = Self.databases.map { ("store." + $0, SidecarFiles.path(path, $0)) }
        return [(Self.store, path)]
            + others.filter { FileManager.default.fileExists(atPath: $0.1) }
    }

    /// Returns the photos of the weight diary, by their names in the backup.
    func photos() -> [(name: String, path: String)] {
        let folder = SidecarFiles.path(path, Self.photos)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }
            .map { ("store.\(Self.photos)/\($0)", folder + "/" + $0) }
    }

    /// Returns where a file of a backup belongs; nil for a name that no version writes.
    func destination(of name: String) -> String? {
        if name == Self.store { return path }
        guard name.hasPrefix("store.") else { return nil }
        let suffix = String(name.dropFirst("store.".count))
        if Self.databases.contains(suffix) { return SidecarFiles.path(path, suffix) }
        let parts = suffix.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.photos, !parts[1].isEmpty, parts[1] != "..",
            !parts[1].hasPrefix(".")
        else { return nil }
        return SidecarFiles.path(path, Self.photos) + "/" + parts[1]
    }

    /// The folder that keeps what a restore has replaced.
    var replaced: String { SidecarFiles.path(path, "before-restore") }
}

/// A folder that only its owner can use and that is removed at the end. Its name shows which store
/// it belongs to, so that `delete` finds it after a crash.
final class WorkFolder {
    let path: String

    /// - Throws: ``CommandError`` if it can't be created.
    init(beside store: String) throws {
        let process = ProcessInfo.processInfo.processIdentifier
        for attempt in 0..<100 {
            let name = "\(store).\(process)-\(attempt).partial"
            if mkdir(name, 0o700) == 0 {
                path = name
                return
            }
            if errno != EEXIST { break }
        }
        throw CommandError(
            "No folder can be created beside \(store.printable): "
                + String(cString: strerror(errno)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
