extension String {
    /// Returns whether an absolute path is inside a folder.
    func isInside(_ folder: String) -> Bool {
        folder == "/" || hasPrefix(folder + "/")
    }

    /// The enclosing folder: "/a" for "/a/b", "/" for "/a", "." for "a".
    var parentFolder: String {
        guard let end = lastIndex(of: "/") else { return "." }
        return end == startIndex ? "/" : String(self[..<end])
    }

    var lastName: String { split(separator: "/").last.map(String.init) ?? self }

    /// Returns an absolute path relative to a folder: "b/c", or "../d".
    func path(from folder: String) -> String {
        guard hasPrefix("/"), folder.hasPrefix("/") else { return self }
        let (here, there) = (folder.split(separator: "/"), split(separator: "/"))
        let common = zip(here, there).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: here.count - common)
        return (up + there.dropFirst(common).map(String.init)).joined(separator: "/")
    }
}
