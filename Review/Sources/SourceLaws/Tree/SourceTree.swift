import Foundation
import Synchronization

/// The Swift files of a repository that the laws apply to.
public struct SourceTree: Sendable {
    /// The parsed files.
    public let files: [SourceFile]

    static let folders = [
        "Benchmarks", "Examples", "Review", "Shims", "Sources", "Tests", "Tools",
    ]
    static let rootFiles = ["Package.swift"]
    /// The folder of the review's test cases. They contain deliberate mistakes and aren't read.
    static let corpus = "Review/Corpus/"

    /// Creates a source tree from files that are parsed already.
    ///
    /// - Parameter files: The files.
    public init(files: [SourceFile]) { self.files = files }

    /// Reads and parses a repository's Swift files, on all processors.
    ///
    /// These are `Package.swift` and the files in the folders that the laws cover, for example
    /// `Sources` and `Tests`. Files in `Review/Corpus` or a folder named `.build…` are left out.
    ///
    /// - Parameter root: The repository's root.
    /// - Throws: ``SourceTreeError/noSource(_:)`` if there are no such files, since an empty tree
    ///   would pass every law; ``SourceTreeError/unreadable(_:)`` if a file can't be read as UTF-8.
    public init(root: String) throws(SourceTreeError) {
        let base = URL(filePath: root, directoryHint: .isDirectory)
        let paths = Self.paths(under: base)
        guard !paths.isEmpty else { throw .noSource(root) }
        let parsed = Mutex<[String: SourceFile]>([:])
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            let path = paths[index]
            guard let text = try? String(contentsOf: base.appending(path: path), encoding: .utf8)
            else { return }
            let file = SourceFile(path: path, text: text)
            parsed.withLock { $0[path] = file }
        }
        let files = parsed.withLock { $0 }
        if let lost = paths.first(where: { files[$0] == nil }) { throw .unreadable(lost) }
        self.files = paths.compactMap { files[$0] }
    }

    /// The files outside folders named `Generated`.
    public var handwritten: [SourceFile] { files.filter { !$0.isGenerated } }

    private static func paths(under base: URL) -> [String] {
        var paths = rootFiles.filter {
            FileManager.default.fileExists(atPath: base.appending(path: $0).path())
        }
        for folder in folders {
            let walk = FileManager.default.enumerator(atPath: base.appending(path: folder).path())
            while let path = walk?.nextObject() as? String {
                if path.hasSuffix(".swift"), !isBuildProduct(path) {
                    paths.append("\(folder)/\(path)")
                }
            }
        }
        return paths.filter { !$0.hasPrefix(corpus) }.sorted()
    }

    private static func isBuildProduct(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".build") }
    }
}

/// Why a repository, or a folder of it, couldn't be read.
public enum SourceTreeError: Error, CustomStringConvertible {
    /// There are no Swift files to read under this path.
    case noSource(String)
    /// The file at this path, relative to the repository's root, couldn't be read as UTF-8.
    case unreadable(String)

    public var description: String {
        switch self {
        case .noSource(let root): "\(root): no Swift files of this repository"
        case .unreadable(let path): "\(path): can't be read as UTF-8"
        }
    }
}
