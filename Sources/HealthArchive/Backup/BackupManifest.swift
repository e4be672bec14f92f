import Foundation

/// The list of a backup's files with their checksums: the entry `manifest.json`.
package struct BackupManifest: Codable, Hashable, Sendable {
    package struct File: Codable, Hashable, Sendable {
        /// The name in the archive, such as "store.sqlite".
        package var name: String
        package var byteCount: Int64
        /// The SHA-256 digest in hexadecimal.
        package var sha256: String

        package init(name: String, byteCount: Int64, sha256: String) {
            (self.name, self.byteCount, self.sha256) = (name, byteCount, sha256)
        }
    }

    /// The text that identifies a backup.
    package static let format = "openhealth backup"
    /// The newest version that this program reads.
    package static let latestVersion = 1

    package var format = Self.format
    package var version = Self.latestVersion
    /// The program that wrote the backup, with its version.
    package var program: String
    /// The time of the backup in ISO 8601, in UTC.
    package var created: String
    package var files: [File]

    package init(program: String, created: String, files: [File]) {
        (self.program, self.created, self.files) = (program, created, files)
    }
}

/// Why a backup can't be written or read.
package enum BackupError: Error, Hashable, CustomStringConvertible {
    /// The file is no backup.
    case notABackup(String)
    /// A later version of the program wrote the backup.
    case newer(String, version: Int)
    /// The manifest and the archive's files differ.
    case incomplete(String, name: String)
    /// A file in the backup differs from its checksum.
    case damaged(String, name: String)
    /// A file can't be read or written.
    case unusableFile(String, reason: String)

    package var description: String {
        switch self {
        case .notABackup(let path): "\(path) is not a backup of openhealth."
        case .newer(let path, let version):
            "\(path) is a backup of version \(version), which only a later version of openhealth "
                + "reads."
        case .incomplete(let path, let name):
            "\(path) is incomplete: \(name) is missing or not in its list of files."
        case .damaged(let path, let name):
            "\(path) is damaged: \(name) differs from its checksum. Nothing was restored."
        case .unusableFile(let path, let reason): "\(path): \(reason)"
        }
    }
}
