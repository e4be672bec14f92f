import Foundation

/// The files of the repository that the laws apply to, read once.
struct SourceTree: Sendable {
    static let current = Result { try SourceTree(root: repository) }

    let files: [SourceFile]

    /// The repository's root, three levels above this file.
    static let repository = URL(filePath: #filePath)
        .resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let folders = [
        ".ci", ".github", "Benchmarks", "Documentation", "Examples", "Python", "Review", "Shims",
        "Sources", "Tests", "Tools",
    ]
    static let corpus = "Review/Corpus/"
    static let rootFiles = [
        ".spi.yml", "ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md",
        "Makefile", "PRIVACY.md", "Package.swift", "README.md", "SECURITY.md",
    ]

    init(root: URL) throws {
        var paths = Self.rootFiles
        for folder in Self.folders {
            guard
                let walk = FileManager.default.enumerator(
                    atPath: root.appending(path: folder).path())
            else { continue }
            for case let path as String in walk where !Self.isBuildProduct(path) {
                paths.append("\(folder)/\(path)")
            }
        }
        // Code with deliberate mistakes is exempt from all laws.
        paths.removeAll { $0.hasPrefix(Self.corpus) }
        files = paths.sorted().compactMap { path in
            // Folders and binary files have no lines to check.
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
                .map { SourceFile(path: path, text: $0) }
        }
    }

    private static func isBuildProduct(_ path: String) -> Bool {
        path.split(separator: "/").contains {
            $0.hasPrefix(".build") || $0 == "__pycache__" || $0 == ".mypy_cache"
        }
    }

    var swift: [SourceFile] { files.filter { $0.isSwift } }
}
