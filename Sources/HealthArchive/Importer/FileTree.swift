#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The regular files below a folder, sorted by path relative to it, without the files that macOS
/// adds.
///
/// Symbolic links are followed, but each file and folder is visited once: a link to a parent
/// doesn't loop, and a second link to an export isn't a second export. Unreadable folders below the
/// given one are skipped.
struct FileTree {
    struct File {
        var path: String
        var relativePath: String
        var byteCount: Int64
    }

    private(set) var files: [File] = []

    private struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    /// Lists a folder; nil if `path` is not a folder.
    ///
    /// - Throws: ``ArchiveError``: `folderTooLarge` above the limits of ``ExportLocator``, or the
    ///   reason why the folder itself can't be read.
    init?(path: String) throws(ArchiveError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw RandomAccessFile.error(errno, in: path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
        var entered: Set<Identity> = []
        var waiting = [(path: path, relativePath: "", depth: 0)]
        var folders = 1
        while let folder = waiting.popLast() {
            let prefix = folder.relativePath.isEmpty ? "" : folder.relativePath + "/"
            guard stat(folder.path, &status) == 0, entered.insert(Self.identity(status)).inserted,
                let names = Self.names(in: folder.path, maximum: ExportLocator.maximumFiles)
            else {
                if folder.depth == 0 { throw RandomAccessFile.error(errno, in: path) }
                continue
            }
            for name in names where !ZipEntry.isMacJunk(name) {
                let place = folder.path + "/" + name
                guard stat(place, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders += 1
                    guard folder.depth < ExportLocator.maximumDepth,
                        folders <= ExportLocator.maximumFolders
                    else { throw ArchiveError(.folderTooLarge(stoppedAt: place), in: path) }
                    waiting.append((place, prefix + name, folder.depth + 1))
                } else if status.st_mode & S_IFMT == S_IFREG,
                    entered.insert(Self.identity(status)).inserted
                {
                    let size = Int64(status.st_size)
                    files.append(
                        File(path: place, relativePath: prefix + name, byteCount: size))
                }
            }
            guard files.count <= ExportLocator.maximumFiles,
                names.count <= ExportLocator.maximumFiles
            else { throw ArchiveError(.folderTooLarge(stoppedAt: folder.path), in: path) }
        }
        files.sort { $0.relativePath < $1.relativePath }
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Returns the names in a folder, sorted, so that the search doesn't depend on the file system;
    /// nil if the folder can't be opened. Of more than `most` names, returns any `most` + 1.
    private static func names(in path: String, maximum: Int) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count <= maximum, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
