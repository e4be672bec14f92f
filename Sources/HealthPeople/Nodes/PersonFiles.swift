import Foundation

/// The files of a person's store in a node's cache: "1.sqlite", "2.sqlite" and so on. A store that
/// is built again gets a new name, because readers can have the old file open.
enum PersonFiles {
    /// Returns the path of the newest store, and removes older ones; nil for none.
    static func newest(in folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Left by a process that was killed.
        for name in names where name.hasPrefix("copy-") { unlink("\(folder)/\(name)") }
        let numbers = numbers(in: folder)
        for number in numbers.dropLast() { remove("\(folder)/\(number).sqlite") }
        return numbers.last.map { "\(folder)/\($0).sqlite" }
    }

    /// Creates the folder, and returns the highest number of a store in it; 0 for none.
    static func lastNumber(in folder: String) throws(PeopleError) -> Int {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw .cacheFailed(folder) }
        return numbers(in: folder).last ?? 0
    }

    /// Removes a store, with the files that SQLite keeps beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(path + suffix) }
    }

    private static func numbers(in folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            name.hasSuffix(".sqlite") ? Int(name.dropLast(7)) : nil
        }.sorted()
    }
}
