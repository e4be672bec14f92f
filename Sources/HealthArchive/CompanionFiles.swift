import HealthEngine

/// The files beside an export's records, found by the names that its elements give them.
///
/// A name leads to a file of the same export and nowhere else: what counts is its last part, so that
/// no path of an export reaches into the computer's own files.
final class CompanionFiles {
    let source: ExportSource
    let archive: ZipArchive?
    private let byName: [String: ExportSource.Companion]
    private(set) var used: Set<String> = []

    /// The files of an export; its zip's directory is read once for all of them.
    init(_ source: ExportSource) throws(ArchiveError) {
        self.source = source
        archive = try source.archive()
        byName = Dictionary(
            source.companions.map { (CompanionFiles.name($0.path), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The file that a path of an export means; nil if the export lacks it.
    func find(_ path: String) -> ExportSource.Companion? {
        byName[CompanionFiles.name(path)]
    }

    /// The bytes of a file, which counts as used from now on.
    func open(_ companion: ExportSource.Companion) throws(ArchiveError) -> any ByteStream {
        use(companion)
        return try companion.place.open(in: archive)
    }

    /// Notes that it is known what a file is.
    func use(_ companion: ExportSource.Companion) { used.insert(companion.path) }

    func use(_ paths: Set<String>) { used.formUnion(paths) }

    /// The first bytes of a file as text; empty if they can't be read.
    func head(_ companion: ExportSource.Companion) -> String {
        let bytes = try? companion.place.head(in: archive)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// Files that nothing has asked for, by folder.
    var unusedByFolder: [String: Int] {
        var folders: [String: Int] = [:]
        for companion in source.companions where !used.contains(companion.path) {
            let parts = companion.path.split(separator: "/")
            folders[
                parts.count > 1 ? String(parts[parts.count - 2]) : companion.path, default: 0] += 1
        }
        return folders
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
