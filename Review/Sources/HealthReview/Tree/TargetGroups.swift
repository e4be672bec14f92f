/// Groups files into the targets that compile them, as far as folders show it.
///
/// In a package each `Sources/X` and `Tests/X` is a target. In an Xcode project's folder, all files
/// outside nested packages form one target. Otherwise each given path is one.
struct TargetGroups {
    struct Group {
        let name: String
        /// The folder whose property lists apply to the code.
        let folder: String
        var kind = Target.Kind.app
        var files: [FoundFile] = []
    }

    private(set) var groups: [Group] = []
    private let paths: [String]
    private var places: [String: Int] = [:]
    private var roots: [String: Root?] = [:]

    /// Groups the Swift files.
    ///
    /// - Parameters:
    ///   - files: All files found.
    ///   - paths: The given paths, absolute.
    init(files: [FoundFile], paths: [String]) {
        self.paths = paths
        for file in files where file.kind == .swift {
            let (key, group) = group(of: file)
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append(group)
            }
            groups[place].files.append(file)
        }
    }

    /// A folder that holds a package or an Xcode project.
    private struct Root {
        var folder: String
        var isPackage: Bool
        var isXcode: Bool
    }

    /// Returns the project files that apply to a group: those inside its folder, or else those of
    /// the enclosing Xcode project.
    mutating func projectFiles(of group: Group, among all: [FoundFile]) -> [FoundFile] {
        let folders = Set(group.files.map(\.absolute.parentFolder))
        let roots = Set(folders.compactMap { root(above: $0)?.folder })
        // Not those of an example's project, which has its own root.
        let own = all.filter { file in
            guard file.absolute.isInside(group.folder) else { return false }
            guard let around = root(above: file.absolute.parentFolder)?.folder,
                around != group.folder, around.isInside(group.folder)
            else { return true }
            return roots.contains(around)
        }
        if !own.isEmpty { return own }
        var folder = group.folder.parentFolder
        while let around = root(above: folder) {
            let found = all.filter { $0.absolute.isInside(around.folder) }
            if around.isXcode, !found.isEmpty { return found }
            if around.folder == "/" { break }
            folder = around.folder.parentFolder
        }
        return []
    }

    private mutating func group(of file: FoundFile) -> (key: String, group: Group) {
        let start = paths[file.root]
        guard let root = root(above: file.absolute.parentFolder) else {
            let folder = start.hasSuffix(".swift") ? start.parentFolder : start
            return ("given \(file.root)", Group(name: start.lastName, folder: folder))
        }
        let parts = file.absolute.dropFirst(root.folder.count).split(separator: "/")
        if root.isPackage, parts.count > 2, ["Sources", "Tests"].contains(parts[0]) {
            return (
                "\(root.folder)/\(parts[0])/\(parts[1])",
                Group(name: String(parts[1]), folder: root.folder, kind: .library)
            )
        }
        // Package files outside its targets are grouped by the given path.
        let key = root.isXcode ? root.folder : "\(root.folder) given \(file.root)"
        return (key, Group(name: root.folder.lastName, folder: root.folder))
    }

    /// Returns the nearest root at or above a folder.
    private mutating func root(above folder: String) -> Root? {
        if let known = roots[folder] { return known }
        var found: Root?
        let names = (try? FolderListing.read(folder).get().names) ?? []
        let isPackage = names.contains("Package.swift")
        let isXcode = names.contains { $0.hasSuffix(".xcodeproj") }
        if isPackage || isXcode {
            found = Root(folder: folder, isPackage: isPackage, isXcode: isXcode)
        } else if folder != "/" {
            found = root(above: folder.parentFolder)
        }
        roots[folder] = found
        return found
    }
}
