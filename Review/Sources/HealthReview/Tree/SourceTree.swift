import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What lies under the given paths: which files are read, which are left out and why.
///
/// Folders first, links after them: a file is named by the path that needs no link, if there is one.
struct SourceTree {
    private(set) var files: [FoundFile] = []
    private(set) var unread: [ReviewOutcome.Unread] = []
    /// Folders left out, by name, with how often.
    private(set) var leftOut: [String: Int] = [:]
    private(set) var excluded = 0

    private let isExcluded: (_ absolute: String) -> Bool
    private var visited: Set<String> = []
    private var links: [Link] = []

    /// Other people's code, and what builds leave behind.
    static let foreignFolders: Set<String> = [
        "Carthage", "DerivedData", "Pods", "SourcePackages", "checkouts", "node_modules",
    ]

    /// - Parameter isExcluded: Whether the settings leave out what lies at an absolute path.
    /// - Throws: ``ReviewError/missing(_:)`` for a path that leads nowhere.
    init(
        paths: [String], isExcluded: @escaping (_ absolute: String) -> Bool = { _ in false }
    ) throws(ReviewError) {
        self.isExcluded = isExcluded
        for (index, path) in paths.enumerated() {
            guard let canonical = Self.canonical(path) else { throw .missing(path) }
            let given = Self.withoutTrailingSlashes(path)
            let place = Place(shown: given, absolute: canonical, canonical: canonical, root: index)
            switch FileKind.behindLinks(path) {
            case .folder: walk(from: place)
            case .file, .other, .link, nil: addGiven(place)
            }
        }
        // Following a link can find more of them.
        var next = 0
        while next < links.count {
            follow(links[next])
            next += 1
        }
        files.sort { ($0.root, $0.path) < ($1.root, $1.path) }
        unread.sort { $0.path < $1.path }
    }

    /// A folder or a file, as it is shown, where it was reached and where it really is.
    private struct Place {
        var shown: String
        var absolute: String
        var canonical: String
        var root: Int

        func child(_ name: String) -> Place {
            Place(
                shown: shown == "." ? name : shown == "/" ? "/" + name : shown + "/" + name,
                absolute: absolute == "/" ? "/" + name : absolute + "/" + name,
                canonical: canonical == "/" ? "/" + name : canonical + "/" + name, root: root)
        }

        var name: String { String(absolute.split(separator: "/").last ?? "") }
    }

    private struct Link {
        var place: Place
        /// The folder it stands in, as it really is.
        var folder: String
    }

    private mutating func walk(from start: Place) {
        var folders = [start]
        while let folder = folders.popLast() {
            guard visited.insert(folder.canonical).inserted else { continue }
            let names: [String]
            switch FolderListing.read(folder.absolute) {
            case .success(let listing):
                names = listing.names
                if listing.unreadable > 0 {
                    note(folder, "holds names that aren't UTF-8: \(listing.unreadable) left out")
                }
            case .failure(let failure):
                note(folder, failure.reason)
                continue
            }
            for name in names.sorted(by: >) {
                visit(folder.child(name), in: folder, &folders)
            }
        }
    }

    private mutating func visit(_ place: Place, in folder: Place, _ folders: inout [Place]) {
        switch FileKind.at(place.absolute) {
        case .folder:
            if isLeftOut(place.name) {
                leftOut[place.name, default: 0] += 1
            } else if isExcluded(place.absolute) {
                excluded += 1
            } else {
                folders.append(place)
            }
        case .link: links.append(Link(place: place, folder: folder.canonical))
        case .file: add(place)
        case .other:
            if FoundFile.Kind(place.name) != nil { note(place, "no ordinary file") }
        case nil:
            if FoundFile.Kind(place.name) != nil { note(place, "gone while it was looked for") }
        }
    }

    private mutating func follow(_ link: Link) {
        var place = link.place
        if isExcluded(place.absolute) {
            excluded += 1
            return
        }
        guard let canonical = Self.canonical(place.absolute) else {
            // A picture's link may dangle: nobody would have read it.
            let mayMatter = FoundFile.Kind(place.name) != nil || !place.name.contains(".")
            if mayMatter {
                note(
                    place,
                    errno == ELOOP ? "a link that leads to itself" : "a link that leads nowhere")
            }
            return
        }
        place.canonical = canonical
        switch FileKind.at(canonical) {
        case .folder:
            let name = canonical.split(separator: "/").last.map(String.init) ?? ""
            if let foreign = [place.name, name].first(where: isLeftOut) {
                leftOut[foreign, default: 0] += 1
            } else if link.folder == canonical || (link.folder + "/").hasPrefix(canonical + "/")
                || canonical == "/"
            {
                unread.append(
                    ReviewOutcome.Unread(
                        path: place.shown, reason: "a link back to a folder above it, not followed",
                        losesCode: false))
            } else {
                walk(from: place)
            }
        case .file: add(place)
        case .other, .link, nil:
            if FoundFile.Kind(place.name) != nil { note(place, "no ordinary file") }
        }
    }

    private mutating func add(_ place: Place) {
        guard let kind = FoundFile.Kind(place.name) else { return }
        if place.name.hasPrefix(".") {
            leftOut["hidden files", default: 0] += 1
        } else if isExcluded(place.absolute) {
            excluded += 1
        } else if visited.insert(place.canonical).inserted {
            files.append(
                FoundFile(
                    path: place.shown, absolute: place.absolute, kind: kind, root: place.root))
        }
    }

    private mutating func addGiven(_ place: Place) {
        if FoundFile.Kind(place.name) == nil {
            note(place, "neither Swift nor a file of a project")
        } else {
            add(place)
        }
    }

    private mutating func note(_ place: Place, _ reason: String) {
        unread.append(ReviewOutcome.Unread(path: place.shown, reason: reason))
    }

    private func isLeftOut(_ name: String) -> Bool {
        name.hasPrefix(".") || Self.foreignFolders.contains(name)
    }

    static func canonical(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func withoutTrailingSlashes(_ path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
        while path.hasPrefix("./"), path.count > 2 {
            path = path.dropFirst(2).drop { $0 == "/" }
        }
        return path.isEmpty ? "." : String(path)
    }
}

/// A file that a review reads.
struct FoundFile: Sendable {
    enum Kind: Sendable, Equatable {
        case swift
        case project(ProjectFile.Kind)

        /// What a file's name says; nil for files that nobody asked about.
        init?(_ name: String) {
            if name.hasSuffix(".swift") {
                self = .swift
            } else if name.hasSuffix(".plist") {
                self = .project(.propertyList)
            } else if name.hasSuffix(".entitlements") {
                self = .project(.entitlements)
            } else if ["project.yml", "project.yaml"].contains(name) || name.hasSuffix(".xcconfig")
            {
                self = .project(.buildSettings)
            } else if name == "project.pbxproj" {
                self = .project(.xcodeProject)
            } else {
                return nil
            }
        }
    }

    /// As findings name it: from the path that was given.
    let path: String
    /// From the file system's root, links kept.
    let absolute: String
    let kind: Kind
    /// Which of the given paths led here.
    let root: Int
}
