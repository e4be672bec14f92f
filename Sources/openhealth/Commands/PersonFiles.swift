import Foundation
import HealthStorage

/// The files that openhealth keeps for one person or for all people of a folder.
struct PersonFiles {
    /// The existing files and folders, sorted by name.
    let paths: [String]
    /// The paths of databases among them, which another process may have open.
    let databases: [String]
    /// The number of people with files. The person without `--as` counts too.
    let persons: Int

    /// The suffixes of a database's files: its own name, and those of SQLite's auxiliary files.
    private static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]
    /// The suffixes of a person's databases other than the store, after the store's base name.
    private static let databases = [
        WeightDiary.file, "watch.sqlite", "push.sqlite", AccessDirectory.suffix,
    ].map { "." + $0 }
    private static let photos = ".weight-mirror.photos"
    private static let pages = ".pages.cache"
    /// The folder with what the last restore replaced.
    private static let replaced = ".before-restore"
    private static let calls = "." + AssistantFiles.logSuffix
    /// The folder with a simulated person's store.
    private static let sample = ".sample"

    /// Finds the files.
    ///
    /// - Parameters:
    ///   - store: The path of a person's store.
    ///   - others: Whether to include the stores beside it that were created with `--as`.
    init(store: String, others: OtherPersons) {
        let slash = store.lastIndex(of: "/").map(store.index(after:)) ?? store.startIndex
        let folder = String(store[..<slash])
        let file = String(store[slash...])
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: folder.isEmpty ? "." : folder)) ?? []
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let (stem, ending) = (
            String(file[..<(dot ?? file.endIndex)]), String(file[(dot ?? file.endIndex)...])
        )
        var stems: Set<String> = [stem]
        if others == .included {
            stems.formUnion(Self.persons(beside: stem, ending, in: folder, names))
        }
        var found: Set<String> = []
        var databases: Set<String> = []
        var owners: Set<String> = []
        for name in names {
            for owner in stems {
                guard let kind = Self.kind(of: name, owner: owner, store: owner + ending) else {
                    continue
                }
                found.insert(name)
                owners.insert(owner)
                if kind == .database { databases.insert(folder + name) }
            }
        }
        // Temporary files of exports that were killed also contain personal data.
        if others == .included {
            let directory = folder.count > 1 ? String(folder.dropLast()) : folder
            StagedFile.forEachOrphan(in: directory) { path in
                if let name = path.split(separator: "/").last { found.insert(String(name)) }
            }
        }
        paths = found.sorted().map { folder + $0 }
        self.databases = databases.sorted()
        persons = owners.count
    }

    enum OtherPersons { case included, excluded }

    private enum Kind { case database, other }

    /// Returns the kind of a file; nil if it doesn't belong to the person.
    private static func kind(of name: String, owner: String, store: String) -> Kind? {
        // ``SidecarFiles`` removes only the suffix ".sqlite" from a store's name.
        let base = store.hasSuffix(".sqlite") ? owner : store
        for database in [store] + databases.map({ base + $0 }) {
            if name == database { return .database }
            if databaseSuffixes.contains(where: { name == database + $0 }) { return .other }
            // A damaged database that was renamed.
            if database != store, name.hasPrefix(database + ".") { return .other }
        }
        let files = [photos, pages, sample, replaced, calls, calls + ".1"].map { base + $0 }
        if files.contains(name) || name == store + ".lock" { return .other }
        // Left by an interrupted import, or by an interrupted write of cached pages.
        let isLeftover =
            databaseSuffixes.contains { name == store + ".importing" + $0 }
            || name.hasPrefix("." + base + pages + ".") || isPartial(name, of: store)
        return isLeftover ? .other : nil
    }

    /// Returns whether a name is that of an unfinished copy or upload, such as
    /// "health.sqlite.4711-0.partial" or "health.sqlite.upload.4711-0.partial".
    private static func isPartial(_ name: String, of store: String) -> Bool {
        guard name.hasPrefix(store + "."), name.hasSuffix(".partial") else { return false }
        return name.dropFirst(store.count + 1).dropLast(".partial".count)
            .trimmingPrefix("upload.")
            .allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-") }
    }

    /// Returns the base names of the stores beside one that were created with `--as`. A name counts
    /// even if only its diary, positions, photos or cached pages are left.
    private static func persons(
        beside stem: String, _ ending: String, in folder: String, _ names: [String]
    ) -> Set<String> {
        var persons: Set<String> = []
        let remains = databases + [photos, pages, replaced, calls, calls + ".1"]
        for name in names where name.hasPrefix(stem + "-") {
            if !ending.isEmpty, name.hasSuffix(ending), FileUse.isStore(folder + name) {
                persons.insert(String(name.dropLast(ending.count)))
            }
            for suffix in remains where name.hasSuffix(suffix) {
                persons.insert(String(name.dropLast(suffix.count)))
            }
        }
        return persons
    }
}
