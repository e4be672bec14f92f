import Foundation
import HealthStorage

/// Every file that openhealth keeps for one person or for all of them.
struct KeptFiles {
    /// Files and folders that are there, in order of their names.
    let paths: [String]
    /// The databases among them, which another process may have open.
    let databases: [String]
    /// The names of those whose files they are; "health" is the person without `--as`.
    let persons: Int

    /// What SQLite keeps beside a file.
    private static let besideDatabase = ["", "-wal", "-shm", "-journal"]
    /// What follows a store's name without its ending.
    private static let databases = [WeightDiary.file, "watch.sqlite"].map { "." + $0 }
    private static let photos = ".weight-mirror.photos"
    private static let pages = ".pages.cache"

    /// - Parameters:
    ///   - store: The path of a person's store.
    ///   - others: Whether the stores of `--as` beside it are meant, too.
    init(store: String, others: Others) {
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
        // Copies that killed exports have left beside the store are somebody's data, too.
        if others == .included {
            let place = folder.count > 1 ? String(folder.dropLast()) : folder
            StagedFile.forEachOrphan(in: place) { path in
                if let name = path.split(separator: "/").last { found.insert(String(name)) }
            }
        }
        paths = found.sorted().map { folder + $0 }
        self.databases = databases.sorted()
        persons = owners.count
    }

    enum Others { case included, left }

    private enum Kind { case database, other }

    /// What a file is to a person; nil if it is none of theirs.
    private static func kind(of name: String, owner: String, store: String) -> Kind? {
        // BesideStore drops ".sqlite" and nothing else.
        let base = store.hasSuffix(".sqlite") ? owner : store
        for database in [store] + databases.map({ base + $0 }) {
            if name == database { return .database }
            if besideDatabase.contains(where: { name == database + $0 }) { return .other }
            // Set aside, being unreadable.
            if database != store, name.hasPrefix(database + ".") { return .other }
        }
        if name == base + photos || name == base + pages || name == store + ".lock" {
            return .other
        }
        // What an import or a page that was cut off has left.
        let isLeftover =
            besideDatabase.contains { name == store + ".importing" + $0 }
            || name.hasPrefix("." + base + pages + ".") || isPartial(name, of: store)
        return isLeftover ? .other : nil
    }

    /// "health.sqlite.4711-0.partial": a copy of a store that was not finished.
    private static func isPartial(_ name: String, of store: String) -> Bool {
        guard name.hasPrefix(store + "."), name.hasSuffix(".partial") else { return false }
        return name.dropFirst(store.count + 1).dropLast(".partial".count)
            .allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-") }
    }

    /// The names, without their ending, of stores that `--as` has made beside one, also of those of
    /// which only something beside them is left.
    private static func persons(
        beside stem: String, _ ending: String, in folder: String, _ names: [String]
    ) -> Set<String> {
        var persons: Set<String> = []
        let remains = databases + [photos, pages]
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
