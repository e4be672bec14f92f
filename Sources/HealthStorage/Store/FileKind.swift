import Foundation

/// What a path leads to, looked at without opening it: a pipe would wait for its other end, and a device
/// may never end.
package enum FileKind: Sendable {
    case nothing, file, folder
    /// A pipe, a socket or a device, by the word for it.
    case other(String)

    /// A link is followed.
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

    /// What it is where no file is, as a person says it.
    package var words: String? {
        switch self {
        case .nothing, .file: nil
        case .folder: "a folder"
        case .other(let words): words
        }
    }
}

/// The largest size that the system lets this process's files have.
package enum FileSizeLimit {
    /// In bytes; nil where there is none.
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

    /// Makes a write beyond the limit fail with `EFBIG` instead of ending the process.
    package static func reportInsteadOfEnding() { signal(SIGXFSZ, SIG_IGN) }

    /// Why a write failed, by the system's error number: a full disk and the limit are said in words
    /// that help.
    package static func reason(_ code: Int32) -> String {
        switch code {
        case EFBIG: tooLarge
        case ENOSPC, EDQUOT: "the disk is full: make room and try again"
        default: String(cString: strerror(code))
        }
    }

    /// What SQLite's error of input or output means for a write; nil where there is no limit that it
    /// could have met.
    package static var hint: String? { bytes == nil ? nil : tooLarge }

    private static var tooLarge: String {
        guard let bytes else { return "the file is too large for this file system" }
        return
            "files may not grow beyond \(bytes / 1024) KB here: raise the limit (ulimit -f) and try "
            + "again"
    }
}
