import Foundation

/// A revision of the repository around the reviewed paths.
///
/// It answers which findings were there before a change. The files are read from the repository's
/// objects into a temporary folder; the work tree and the index stay as they are.
public struct GitRevision: Sendable {
    /// The commit where the change began.
    public let commit: String
    /// The absolute folder of the work tree.
    private let root: String
    private let git: Git

    /// Finds the commit where the change since a revision began: the newest one that the revision
    /// and HEAD have in common.
    ///
    /// - Parameters:
    ///   - name: A branch, a tag or a commit, as git names them.
    ///   - paths: The reviewed files and folders, in one repository.
    /// - Throws: ``ReviewError/revision(_:reason:)`` if git or the revision can't be found, or if
    ///   the history that both share was not fetched.
    public init(since name: String, paths: [String]) throws(ReviewError) {
        let first = paths.first ?? "."
        guard let place = SourceTree.canonical(first) else { throw .missing(first) }
        git = Git(folder: FileKind.at(place) == .folder ? place : place.parentFolder)
        let top = try git.line(["rev-parse", "--show-toplevel"], of: name)
        guard let root = SourceTree.canonical(top) else { throw .missing(top) }
        self.root = root
        for path in paths {
            guard let place = SourceTree.canonical(path) else { throw .missing(path) }
            guard place == root || place.isInside(root) else {
                throw .revision(name, reason: "\(path) is outside of the repository \(root)")
            }
        }
        let other = try git.line(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"],
            of: name, failure: "there is no such revision; a shallow clone may lack it")
        commit = try git.line(
            ["merge-base", other, "HEAD"], of: name,
            failure: "shares no history with HEAD; fetch it whole (fetch-depth: 0)")
    }

    /// Removes the findings that the revision has too, and counts them in
    /// ``ReviewOutcome/unchanged``.
    ///
    /// A finding counts as old if its rule found the same line's text in the same file, or in a
    /// file that has moved. So a change that makes an old line wrong is reported.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of `review`.
    ///   - review: The review of the work tree, whose paths and settings apply to the revision.
    ///   - baseline: What was removed from the outcome before. It isn't subtracted again.
    /// - Throws: ``ReviewError`` if the revision can't be read.
    /// - Complexity: That of one more review.
    public func hideOld(
        in outcome: inout ReviewOutcome, of review: Review, after baseline: Baseline? = nil
    ) throws(ReviewError) {
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "openhealth-review-" + UUID().uuidString).path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        try extract(to: temporary)
        let tree = SourceTree.canonical(temporary) ?? temporary
        var old = review
        old.paths = review.paths.compactMap { path in
            let relative = SourceTree.canonical(path)?.path(from: root) ?? ""
            let moved = relative.isEmpty ? tree : tree + "/" + relative
            return FileKind.behindLinks(moved) == nil ? nil : moved
        }
        let folder = review.settings.folder.path(from: root)
        old.settings.folder = folder.isEmpty ? tree : tree + "/" + folder
        guard !old.paths.isEmpty else { return }
        let before = outcome.findings.count
        let known = Baseline(of: try old.run(), in: tree).moved(to: root)
        _ = (baseline.map { known.without($0) } ?? known).remove(from: &outcome)
        outcome.unchanged += before - outcome.findings.count
    }

    /// Writes the revision's files that reviews read into a folder.
    private func extract(to folder: String) throws(ReviewError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .revision(commit, reason: "no folder for its files: \(folder)")
        }
        let index = Git(folder: root, index: folder + "/.index")
        _ = try index.output(["read-tree", commit], of: commit)
        let names = try index.output(["ls-files", "-z"], of: commit)
        let read = names.split(separator: 0).filter { name in
            FoundFile.Kind(String(decoding: name, as: UTF8.self).lastName) != nil
        }
        guard !read.isEmpty else { return }
        let list = folder + "/.names"
        guard
            FileManager.default.createFile(
                atPath: list, contents: Data(read.joined(separator: [0])) + [0])
        else { throw .revision(commit, reason: "its files can't be written to \(folder)") }
        _ = try index.output(
            ["checkout-index", "-z", "--stdin", "--prefix=" + folder + "/"], of: commit,
            input: list)
    }
}

/// Runs git in a folder.
struct Git: Sendable {
    let folder: String
    /// The index file that git uses; nil for the repository's own.
    var index: String?

    /// Returns the first line of git's output.
    func line(
        _ arguments: [String], of name: String, failure: String? = nil
    ) throws(ReviewError) -> String {
        let text = String(
            decoding: try output(arguments, of: name, failure: failure), as: UTF8.self)
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Returns git's output.
    ///
    /// - Parameters:
    ///   - name: The revision, for the error.
    ///   - input: The file that git reads as its input.
    ///   - failure: The reason if git fails; nil for git's own words.
    func output(
        _ arguments: [String], of name: String, input: String = "/dev/null",
        failure: String? = nil
    ) throws(ReviewError) -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        // A hook's variables would make git take another folder or index for the repository's.
        var environment = ProcessInfo.processInfo.environment.filter {
            !["GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE"].contains($0.key)
        }
        environment["GIT_INDEX_FILE"] = index
        process.environment = environment
        // A file takes any number of errors; a pipe that nobody reads would block git.
        let log = FileManager.default.temporaryDirectory
            .appending(path: "openhealth-review-" + UUID().uuidString + ".log")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: log) }
        guard FileManager.default.createFile(atPath: log, contents: nil),
            let errors = FileHandle(forUpdatingAtPath: log)
        else { throw .revision(name, reason: "no temporary file: \(log)") }
        defer { try? errors.close() }
        let out = Pipe()
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = out
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw .revision(name, reason: "git can't be run")
        }
        let bytes = out.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let words = (try? FileHandle(forReadingAtPath: log)?.read(upToCount: 4096)) ?? Data()
            let own = String(decoding: words, as: UTF8.self).split(separator: "\n").first
            throw .revision(name, reason: failure ?? own.map(String.init) ?? "git failed")
        }
        return bytes
    }
}
