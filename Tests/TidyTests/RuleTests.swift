import Testing

/// Tests each law with a deliberate violation and with similar text that is allowed.
@Suite struct RuleTests {
    @Test("a mark of unfinished work is found as a whole word", arguments: unfinishedMarks)
    func strayMarks(mark: String) {
        #expect(file("README.md", "\(mark): later").strayMarks.count == 1)
        #expect(file("Sources/CZlib/shim.h", "/* \(mark) */").strayMarks.count == 1)
        #expect(file("Tools/A.swift", "let a = 1\n// \(mark)").strayMarks.map(\.line) == [2])
        #expect(file("README.md", "\(mark)L and a \(mark)S").strayMarks.isEmpty)
    }

    @Test("a path of one machine is found, a relative one is left alone")
    func machinePaths() {
        let folder = ["", "root", "x"].joined(separator: "/")
        #expect(file("README.md", "see \(folder)").machinePaths.count == 1)
        #expect(file("README.md", "open \"\(folder)\"").machinePaths.count == 1)
        #expect(file("README.md", "see tree\(folder) and ~\(folder)").machinePaths.isEmpty)
    }

    @Test("an unknown host is found")
    func unknownHosts() {
        let scheme = "https:" + "//"
        #expect(file("README.md", "\(scheme)www.swift.org/install").unknownHosts.isEmpty)
        #expect(file("README.md", "\(scheme)packages.internal/simple").unknownHosts.count == 1)
        #expect(file("README.md", "\(scheme)notswift.org").unknownHosts.count == 1)
    }

    private func file(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: path, text: text)
    }
}
