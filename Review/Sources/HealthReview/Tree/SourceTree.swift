import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files below the given paths: which are read, which are skipped and why.
///
/// Folders are searched before links, so a file gets a path without a link if there is one.
struct SourceTree {
    private(set) var files: [FoundFile] = []
    private(set) var unread: [ReviewOutcome.Unread] = []
    /// The number of skipped folders, by name.
    private(set) var skipped: [String: Int] = [:]
    private(set) var excluded = 0

    private let isExcluded: (_ absolute: String) -> Bool
    private var visited: Set<String> = []
    private var links: [Link] = []

    /// Folders of third-party code and build products.
    static let foreignFolders: Set<String> = [
        "Carthage", "DerivedData", "Pods", "SourcePackages", "checkouts", "node_modules",
    ]

    /// Searches the given paths.
    ///
    /// - Parameters:
    ///   - paths: The files and folders to search.
    ///   - isExcluded: Whether the settings exclude an absolute path.
    /// - Throws: ``ReviewError/missing(_:)`` for a path that doesn't exist.
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
            case .file, .other, .link, nil: addArgument(place)
            }
        }
        // A followed link can add more links.
        var next = 0
        while next < links.count {
            follow(links[next])
            next += 1
        }
        files.sort { ($0.root, $0.path) < ($1.root, $1.path) }
        unread.sort { $0.path < $1.path }
    }

    /// A folder or a file, with its displayed, absolute and canonical path.
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
        /// The canonical path of the enclosing folder.
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
            if isSkipped(place.name) {
                skipped[place.name, default: 0] += 1
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
            // Only links that may lead to reviewed files are reported; a broken link to an image
            // isn't.
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
            if let foreign = [place.name, name].first(where: isSkipped) {
                skipped[foreign, default: 0] += 1
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
            skipped["hidden files", default: 0] += 1
        } else if isExcluded(place.absolute) {
            excluded += 1
        } else if visited.insert(place.canonical).inserted {
            files.append(
                FoundFile(
                    path: place.shown, absolute: place.absolute, kind: kind, root: place.root))
        }
    }

    private mutating func addArgument(_ place: Place) {
        if FoundFile.Kind(place.name) == nil {
            note(place, "neither Swift nor a file of a project")
        } else {
            add(place)
        }
    }

    private mutating func note(_ place: Place, _ reason: String) {
        unread.append(ReviewOutcome.Unread(path: place.shown, reason: reason))
    }

    private func isSkipped(_ name: String) -> Bool {
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

        /// Returns the kind for a file name; nil for files that a review ignores.
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
            } else if name == "plugin.xml" {
                self = .project(.pluginManifest)
            } else if name == "project.pbxproj" {
                self = .project(.xcodeProject)
            } else {
                return nil
            }
        }
    }

    /// The path that findings use, starting with the given path.
    let path: String
    /// The absolute path, with links unresolved.
    let absolute: String
    let kind: Kind
    /// The index of the given path that led here.
    let root: Int
}
