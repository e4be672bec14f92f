import Foundation
import Synchronization

/// A temporary file that redirects the browser to the pages, so that their address with its token
/// isn't visible to other accounts. Only its owner can read it. It is removed when the browser has
/// used the token, the token has expired, or the program ends.
final class BrowserHandover: Sendable {
    /// The prefix of the name of the file's folder. The process identifier, a hyphen and six random
    /// characters follow.
    static let prefix = "openhealth-open-"
    private static let fileName = "open.html"
    /// The age in seconds above which a folder is removed even if its process identifier is in use,
    /// perhaps by another process.
    private static let oldest = 600.0

    private let folders: [String]
    private let createdFolder = Mutex<String?>(nil)

    /// - Parameter folders: The folders to try, in order of preference.
    init(folders: [String]) { self.folders = folders }

    /// Writes the file into a new folder that only its owner can access.
    ///
    /// - Returns: The file's URL; nil if no folder is writable.
    func write(_ text: String) -> URL? {
        for folder in folders {
            var template = Array("\(folder)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(
                decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            createdFolder.withLock { $0 = path }
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

    /// Removes the file and its folder, if they exist.
    func remove() {
        let path = createdFolder.withLock { path in
            defer { path = nil }
            return path
        }
        if let path { Self.remove(path) }
    }

    /// Removes the files of processes that no longer run, and files that are older than ten
    /// minutes.
    ///
    /// - Parameter now: The current time.
    func removeLeftovers(now: Date = .now) {
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasPrefix(Self.prefix) {
                let path = folder + "/" + name
                // These are the attributes of a link itself, not of its target.
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

    /// Returns whether the process whose identifier is in a folder's name is running.
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

/// The folders in which a file for the browser may be written.
enum HandoverFolder {
    /// Returns the folders in order of preference. Folders that are writable for other accounts, or
    /// that belong to them, are left out.
    ///
    /// A browser installed as a snap can't read hidden folders or other programs' runtime folders,
    /// and has its own `/tmp`. If there is one, the home folder comes first. `$XDG_RUNTIME_DIR` and
    /// the store's folder follow. A Flatpak browser gets the file through a portal, wherever it is.
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

    /// Returns whether a folder belongs to this account and no other can write to it, so that no
    /// other can replace the file.
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

/// Starts the default browser, without a shell.
enum WebBrowser {
    #if os(macOS)
        private static let command = "open"
    #else
        private static let command = "xdg-open"
    #endif

    /// Opens a file in the browser. If that fails, prints an address on standard error.
    static func open(_ file: URL, orPrint address: String) {
        guard let program = InstalledProgram.path(of: command) else {
            return printAddress(address)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { if $0.terminationStatus != 0 { printAddress(address) } }
        do { try process.run() } catch { printAddress(address) }
    }

    static func printAddress(_ address: String) {
        Message.write("No browser could be started. Open this address in a browser: \(address)")
    }
}
