/// Finds the file of an export's folder `attachments` that an identifier refers to.
///
/// An `Attachment` element has an identifier and no path, and no public document says how the two
/// are related. So the identifier is compared with parts of each path, the most specific first:
/// the file's name, the name without its extension, and the folder in which the file is alone. The
/// first part by which exactly one file matches decides; if several match, none is returned.
///
/// ```swift
/// let files = AttachmentFileIndex(["attachments/7D1F.pdf", "attachments/9A/scan.jpg"])
/// files.index(of: "7D1F")   // 0
/// files.index(of: "9a")     // 1
/// ```
package struct AttachmentFileIndex {
    /// The files by part of their paths. The index of a file; nil if several files have the part.
    private var byName: [String: Int?] = [:]
    private var byStem: [String: Int?] = [:]
    private var byFolder: [String: Int?] = [:]

    /// Creates an index.
    ///
    /// - Parameter paths: The paths of the files in the export. Equal paths count as several files.
    /// - Complexity: O(paths).
    package init(_ paths: [String]) {
        for (index, path) in paths.enumerated() {
            let parts = path.split(separator: "/").map { $0.lowercased() }
            guard let name = parts.last else { continue }
            AttachmentFileIndex.add(name, index, to: &byName)
            AttachmentFileIndex.add(AttachmentFileIndex.stem(name), index, to: &byStem)
            // The first folder is the one of all attachments.
            if parts.count > 2 {
                AttachmentFileIndex.add(parts[parts.count - 2], index, to: &byFolder)
            }
        }
    }

    /// Returns the file that an identifier refers to.
    ///
    /// - Parameter identifier: The identifier. Of a path only the last component counts, and upper
    ///   and lower case are equal.
    /// - Returns: The index of the path; nil if no file matches, or several do.
    /// - Complexity: O(length).
    package func index(of identifier: String) -> Int? {
        guard let name = identifier.split(separator: "/").last?.lowercased() else { return nil }
        for files in [byName, byStem, byFolder] {
            if let found = files[name] { return found }
        }
        return nil
    }

    private static func add(_ part: String, _ index: Int, to files: inout [String: Int?]) {
        files[part] = .some(files.keys.contains(part) ? nil : index)
    }

    private static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
