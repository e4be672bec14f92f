import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The kind of a file system entry.
enum FileKind {
    case file, folder, link
    /// A pipe, a device or a socket, where reading could block.
    case other

    /// Returns the entry's kind without following links; nil if there is none.
    static func at(_ path: String) -> FileKind? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileKind(status) : nil
    }

    /// Returns the kind of the entry, following links.
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
    /// The number of names that aren't UTF-8, which can't be printed or opened here.
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

/// The system's error messages.
enum SystemReason {
    static var last: String { words(errno) }

    static func words(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
