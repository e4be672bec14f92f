import Foundation

/// The kind of file at a path, determined without opening it.
///
/// Opening a pipe can block, and a device can be endless.
package enum FileKind: Sendable {
    case nothing, file, folder
    /// A pipe, a socket or a device, as text such as "a pipe".
    case other(String)

    /// Inspects the file at a path. Symbolic links are followed. A path that can't be inspected
    /// counts as `nothing`.
    package init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .nothing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFIFO: self = .other("a pipe")
        case S_IFSOCK: self = .other("a socket")
        default: self = .other("a device")
        }
    }

    /// The kind as text for a message; nil for a regular file or nothing.
    package var displayName: String? {
        switch self {
        case .nothing, .file: nil
        case .folder: "a folder"
        case .other(let name): name
        }
    }
}

/// The largest file that the system lets this process write (`RLIMIT_FSIZE`).
package enum FileSizeLimit {
    /// The limit in bytes; nil if there is none.
    package static var bytes: UInt64? {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < UInt64(Int64.max) else {
            return nil
        }
        return UInt64(limit.rlim_cur)
    }

    /// Makes a write beyond the limit fail with `EFBIG` instead of terminating the process.
    package static func ignoreSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// The likely cause of a write that fails with `EFBIG` or with an I/O error of SQLite; nil if
    /// no limit is set.
    package static var fault: FileFault? { bytes.map { .sizeLimit(bytes: $0) } }
}
