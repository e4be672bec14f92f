/// Finds the records of an Apple Health export at a path, by content instead of by name.
///
/// ```swift
/// let source = try ExportLocator.locate("\(folder)/export.zip")
/// source.name   // "apple_health_export/export.xml"
/// ```
/// The name of the main file is localized, that of `export_cda.xml` usually isn't, and either can
/// be the larger (ExportFormat §1). The first bytes of every file are therefore read. An export
/// begins with the document type or root element `HealthData`, after optional comments and
/// processing instructions.
package enum ExportLocator {
    /// The maximum number of bytes read of each file.
    package static let headByteCount = 16 << 10
    /// The number of bytes that suffice for nearly all files.
    static let shortHeadByteCount = 512
    /// The maximum number of files below the searched folder, and of names directly in any folder.
    /// Twenty years of workouts have some thousands of routes.
    package static let maximumFiles = 50_000
    /// The maximum number of folders, including the searched one. An export has a handful.
    package static let maximumFolders = 1_000
    /// The maximum depth of folders below the searched one.
    package static let maximumDepth = 16

    /// Finds the single export at `path`: a zip, a folder, or the XML file itself.
    ///
    /// In a folder or zip the export may be at any depth within the limits. In a folder it may also
    /// be in a zip. A single file may also be a zip with other bytes before it.
    ///
    /// - Parameter path: The file or folder to search.
    /// - Returns: The export found.
    /// - Throws: ``ArchiveError``: `severalExports`, `notAnExport`, `notAZip`,
    ///   `unsupportedEncoding` for UTF-16, `folderTooLarge` above the limits, `notFound`, `empty`,
    ///   or the reason why a file or zip can't be read.
    /// - Complexity: O(*n* log *n*) in the number of files, including those in zips, with up to 16
    ///   KiB read of each.
    package static func locate(_ path: String) throws(ArchiveError) -> ExportSource {
        if let tree = try FileTree(path: path) { return try locate(in: tree, path: path) }
        let file = try RandomAccessFile(path: path)
        guard file.byteCount > 0 else { throw ArchiveError(.empty, in: path) }
        let candidate = ExportSource.Candidate(
            path: path.split(separator: "/").last.map(String.init) ?? path,
            byteCount: file.byteCount, storedByteCount: file.byteCount, location: .file(path))
        switch ArchiveError.Finding(head: try candidate.location.head(in: nil)) {
        case .export: return ExportSource(path: path, found: candidate, among: [])
        case .utf16: throw ArchiveError(.unsupportedEncoding("UTF-16"), in: path)
        case .zip: return try locate(in: ZipArchive(file: file))
        case let finding: return try locate(behind: finding, in: file)
        }
    }

    /// Looks for a zip that begins later in the file, such as a self-extracting one. Without a zip,
    /// throws `notAZip` if the file's name ends with `.zip`, and `notAnExport` otherwise.
    private static func locate(
        behind finding: ArchiveError.Finding, in file: RandomAccessFile
    ) throws(ArchiveError) -> ExportSource {
        do throws(ArchiveError) {
            return try locate(in: ZipArchive(file: file))
        } catch {
            guard error.code == .noDirectory else { throw error }
            let isNamedZip = file.path.lowercased().hasSuffix(".zip")
            let code = isNamedZip ? .notAZip : ArchiveError.Code.notAnExport(finding)
            throw ArchiveError(code, in: file.path)
        }
    }

    private static func locate(in archive: ZipArchive) throws(ArchiveError) -> ExportSource {
        let candidates = archive.entries.map {
            ExportSource.Candidate(
                path: $0.path, byteCount: $0.byteCount, storedByteCount: $0.compressedByteCount,
                location: .entry($0, archive: archive.path))
        }
        return try choose(among: candidates, path: archive.path, archive: archive)
    }

    private static func locate(
        in tree: FileTree, path: String
    ) throws(ArchiveError) -> ExportSource {
        let candidates = tree.files.map {
            ExportSource.Candidate(
                path: $0.relativePath, byteCount: $0.byteCount, storedByteCount: $0.byteCount,
                location: .file($0.path))
        }
        var zips: [String: ExportSource] = [:]
        for candidate in candidates {
            guard case .file(let file) = candidate.location,
                case .zip? = try? candidate.location.finding(in: nil),
                let found = try zipped(file)
            else { continue }
            zips[candidate.path] = found
        }
        guard !zips.isEmpty else { return try choose(among: candidates, path: path, archive: nil) }
        do throws(ArchiveError) {
            let found = try choose(among: candidates, path: path, archive: nil)
            throw ArchiveError(.severalExports(([found.name] + zips.keys).sorted()), in: path)
        } catch {
            var names = Array(zips.keys)
            switch error.code {
            case .severalExports(let others): names = Set(others).union(names).sorted()
            case .notAnExport: break
            default: throw error
            }
            guard names.count == 1, let only = zips[names[0]] else {
                throw ArchiveError(.severalExports(names), in: path)
            }
            return only
        }
    }

    /// Returns the export in a zip within a folder; nil if there is none, or if the zip or its
    /// export can't be read. Throws only `severalExports`, if the zip contains several.
    private static func zipped(_ path: String) throws(ArchiveError) -> ExportSource? {
        do throws(ArchiveError) {
            return try locate(in: ZipArchive(path: path))
        } catch {
            if case .severalExports = error.code { throw error }
            return nil
        }
    }

    private static func choose(
        among candidates: [ExportSource.Candidate], path: String, archive: ZipArchive?
    ) throws(ArchiveError) -> ExportSource {
        var exports: [ExportSource.Candidate] = []
        var failure: ArchiveError?
        var finding = ArchiveError.Finding.nothingFound
        for candidate in candidates where candidate.byteCount > 0 {
            do throws(ArchiveError) {
                switch try candidate.location.finding(in: archive) {
                case .export: exports.append(candidate)
                case .utf16:
                    failure = ArchiveError(
                        .unsupportedEncoding("UTF-16"), in: "\(path)/\(candidate.path)")
                case .clinicalDocument: finding = .clinicalDocument
                case .otherXML, .zip, .other, .nothingFound: break
                }
            } catch {
                // Thrown only if no file is an export: damage to other files doesn't matter.
                failure = failure ?? error
            }
        }
        guard let found = exports.first else {
            throw failure ?? ArchiveError(.notAnExport(finding), in: path)
        }
        guard exports.count == 1 else {
            throw ArchiveError(.severalExports(exports.map(\.path).sorted()), in: path)
        }
        return ExportSource(path: path, found: found, among: candidates)
    }
}

extension ArchiveError.Finding {
    var sentence: String {
        switch self {
        case .clinicalDocument:
            "it is the clinical document (export_cda.xml); the records are in the other XML file"
        case .otherXML: "the XML is not HealthData"
        case .utf16: "it is encoded in UTF-16"
        case .zip: "it is a zip"
        case .nothingFound: "it contains no file that starts with HealthData"
        case .export, .other: "it does not start with HealthData"
        }
    }

    /// Determines a file's kind from its first bytes. Never ``nothingFound``.
    init(head: [UInt8]) {
        var remaining = head[...]
        if remaining.starts(with: [0x50, 0x4B, 3, 4]) || remaining.starts(with: [0x50, 0x4B, 5, 6])
        {
            self = .zip
            return
        }
        if let narrow = Self.narrowed(head) {
            self = Self.firstName(in: narrow[...]) == Array("HealthData".utf8) ? .utf16 : .other
            return
        }
        if remaining.starts(with: [0xEF, 0xBB, 0xBF]) { remaining = remaining.dropFirst(3) }
        switch Self.firstName(in: remaining).map({ String(decoding: $0, as: UTF8.self) }) {
        case "HealthData": self = .export
        case "ClinicalDocument": self = .clinicalDocument
        case nil: self = .other
        case _?: self = .otherXML
        }
    }

    /// Returns the low byte of each code unit of what looks like UTF-16; nil for anything else.
    private static func narrowed(_ head: [UInt8]) -> [UInt8]? {
        guard head.count >= 4 else { return nil }
        let isLittle = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0x3C, 0])
        let isBig = head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0, 0x3C])
        guard isLittle || isBig else { return nil }
        let first = head[0] == 0x3C || head[0] == 0 ? 0 : 2
        return stride(from: first + (isLittle ? 0 : 1), to: head.count, by: 2).map { head[$0] }
    }

    /// Returns the name of the document type or root element, whichever is first, up to the first
    /// byte that is not an ASCII letter, `_`, `:` or non-ASCII. Skips white space, comments and
    /// processing instructions before it. Returns nil if neither follows.
    private static func firstName(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var remaining = bytes
        while true {
            remaining = remaining.drop { $0 == 0x20 || (9...13).contains($0) }
            if remaining.starts(with: Array("<!--".utf8)) {
                guard let after = remaining.dropFirst(4).after("-->") else { return nil }
                remaining = after
            } else if remaining.starts(with: Array("<?".utf8)) {
                guard let after = remaining.after("?>") else { return nil }
                remaining = after
            } else {
                break
            }
        }
        if remaining.starts(with: Array("<!DOCTYPE".utf8)) {
            remaining = remaining.dropFirst(9).drop { $0 == 0x20 || (9...13).contains($0) }
        } else if remaining.first == UInt8(ascii: "<") {
            remaining = remaining.dropFirst()
        } else {
            return nil
        }
        let name = remaining.prefix { byte in
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 128
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return name.isEmpty ? nil : Array(name)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the bytes after the first `terminator`, or nil if it is missing.
    fileprivate func after(_ terminator: String) -> ArraySlice<UInt8>? {
        let pattern = Array(terminator.utf8)
        var remaining = self
        while let index = remaining.firstIndex(of: pattern[0]) {
            remaining = remaining[index...]
            if remaining.starts(with: pattern) { return remaining.dropFirst(pattern.count) }
            remaining = remaining.dropFirst()
        }
        return nil
    }
}
