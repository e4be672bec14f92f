import Foundation
import Synchronization

/// A file that leads the browser to the pages, readable by its owner alone and removed once the browser
/// has come, the token has expired, or the program ends.
final class BrowserHandover: Sendable {
    /// What the folder's name begins with; the process's number and six random characters follow.
    static let prefix = "openhealth-open-"
    private static let fileName = "open.html"
    /// Seconds after which no token is valid any more, whatever process a number belongs to now.
    private static let oldest = 600.0

    private let folders: [String]
    private let made = Mutex<String?>(nil)

    /// - Parameter folders: Where it may be, the best first.
    init(folders: [String]) { self.folders = folders }

    /// Writes the file into a folder of its own.
    ///
    /// - Returns: Its address; nil if it can't be written anywhere.
    func write(_ text: String) -> URL? {
        for folder in folders {
            var template = Array("\(folder)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(
                decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            made.withLock { $0 = path }
            let file = path + "/" + Self.fileName
            if BrowserHandover.write(text, to: file) { return URL(fileURLWithPath: file) }
            remove()
        }
        return nil
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return (try? file.write(contentsOf: Data(text.utf8))) != nil
    }

    /// Removes the file and its folder; nothing the second time.
    func remove() {
        let path = made.withLock { path in
            defer { path = nil }
            return path
        }
        if let path { Self.remove(path) }
    }

    /// Removes what processes left that were killed: their tokens died with them.
    func removeLeftovers(now: Date = .now) {
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasPrefix(Self.prefix) {
                let path = folder + "/" + name
                // Of a link itself, not of what it leads to.
                guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
                    facts[.type] as? FileAttributeType == .typeDirectory,
                    (facts[.ownerAccountID] as? NSNumber)?.uint32Value == getuid(),
                    let changed = facts[.modificationDate] as? Date
                else { continue }
                let age = now.timeIntervalSince(changed)
                if age > Self.oldest || !Self.isRunning(name) { Self.remove(path) }
            }
        }
    }

    /// Whether the process whose number a folder's name has is there.
    private static func isRunning(_ name: String) -> Bool {
        guard let number = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), number > 0
        else { return false }
        return kill(number, 0) == 0 || errno != ESRCH
    }

    private static func remove(_ path: String) {
        unlink(path + "/" + fileName)
        rmdir(path)
    }
}

/// Where a file can be that the browser reads and no other account does.
enum HandoverFolder {
    /// The best first.
    ///
    /// Browsers from a snap read no hidden folder, no other program's runtime folder, and a `/tmp` of
    /// their own: where one is installed, the home folder comes first. A browser of Flatpak is given
    /// the file by its portal wherever it is.
    static func candidates(
        _ environment: [String: String], besideStore store: String, snaps: String = "/snap/bin"
    ) -> [String] {
        var folders: [String] = []
        let home = StorePath.home(environment)
        if hasBrowser(snaps), home.hasPrefix("/") { folders.append(home) }
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            folders.append(runtime)
        }
        let store = URL(fileURLWithPath: store).standardizedFileURL.path
        let folder = store.lastIndex(of: "/").map { String(store[..<$0]) } ?? ""
        folders.append(folder.isEmpty ? "/" : folder)
        return folders.filter(isOurs)
    }

    private static let browsers = ["firefox", "chromium", "brave", "opera", "vivaldi"]

    private static func hasBrowser(_ snaps: String) -> Bool {
        browsers.contains { FileManager.default.fileExists(atPath: snaps + "/" + $0) }
    }

    /// Whether a folder is the account's own, so that no other one can exchange what is in it.
    private static func isOurs(_ folder: String) -> Bool {
        let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        guard let facts = try? FileManager.default.attributesOfItem(atPath: folder),
            facts[.type] as? FileAttributeType == .typeDirectory,
            (facts[.ownerAccountID] as? NSNumber)?.uint32Value == getuid(),
            let mode = (facts[.posixPermissions] as? NSNumber)?.intValue
        else { return false }
        return mode & 0o022 == 0
    }
}
