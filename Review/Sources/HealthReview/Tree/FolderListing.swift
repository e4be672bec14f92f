import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What stands at a path.
enum FileKind {
    case file, folder, link
    /// A pipe, a device, a socket: reading could take for ever.
    case other

    /// The thing itself, a link being a link; nil if there is nothing.
    static func at(_ path: String) -> FileKind? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileKind(status) : nil
    }

    /// What links lead to.
    static func behindLinks(_ path: String) -> FileKind? {
        var status = stat()
        return stat(path, &status) == 0 ? FileKind(status) : nil
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        default: self = .other
        }
    }
}

/// The names in a folder.
struct FolderListing {
    var names: [String] = []
    /// Names that aren't UTF-8, which nothing here could print or open.
    var unreadable = 0

    struct Failure: Error {
        var reason: String
    }

    static func read(_ path: String) -> Result<FolderListing, Failure> {
        guard let folder = opendir(path) else {
            return .failure(Failure(reason: "can't be opened: \(SystemReason.last)"))
        }
        defer { closedir(folder) }
        var listing = FolderListing()
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            switch name {
            case ".", "..": continue
            case let name?: listing.names.append(name)
            case nil: listing.unreadable += 1
            }
        }
        return .success(listing)
    }
}

/// The system's words for why something failed.
enum SystemReason {
    static var last: String { words(errno) }

    static func words(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
