import Foundation
import Testing

@testable import HealthStorage

@Suite("A file that appears when it is complete")
struct StagedFileTests {
    private let place: TemporaryStore
    private var folder: String { place.folder.path }

    init() throws { place = try TemporaryStore() }

    private func stage(_ name: String, _ existing: StagedFile.Existing, _ text: String) throws {
        let file = try StagedFile(at: folder + "/" + name, over: existing)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.temporaryPath))
        try file.commit()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    @Test("a store and the files beside it are never replaced", arguments: ["", "-wal", ".lock"])
    func stores(suffix: String) throws {
        let store = try SampleStore(at: folder + "/health.sqlite", access: .creating)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link", withDestinationPath: folder + "/health.sqlite")
        for path in ["health.sqlite", "link"] {
            #expect { try stage(path + suffix, .file, "mine") } throws: {
                "\($0)".contains("a health store")
            }
        }
        try store.close()
        #expect { try stage("health.sqlite", .file, "mine") } throws: {
            "\($0)".contains("is a health store")
        }
        #expect(try SampleStore(at: folder + "/health.sqlite", access: .reading).check() == [])
    }

    @Test("a link is followed: the file behind it is replaced, and the link stays")
    func links() throws {
        try stage("real", .nothing, "old")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link", withDestinationPath: "real")
        #expect { try stage("link", .nothing, "new") } throws: {
            guard case .fileExists(let path)? = ($0 as? StoreError)?.reason else { return false }
            return path.hasSuffix("/real")
        }
        try stage("link", .file, "new")
        #expect(try text("real") == "new")
        let kind = try FileManager.default.attributesOfItem(atPath: folder + "/link")[.type]
        #expect(kind as? FileAttributeType == .typeSymbolicLink)
    }
}
