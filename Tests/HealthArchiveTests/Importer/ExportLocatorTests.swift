import Foundation
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Finding an export")
struct ExportLocatorTests {
    private let folder: TemporaryFolder
    private let export = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        ]>
        <HealthData locale="en_US">
        </HealthData>
        """
    private let clinical = """
        <?xml version="1.0"?>
        <?xml-stylesheet type="text/xsl" href="CDA.xsl"?>
        <ClinicalDocument xmlns="urn:hl7-org:v3"><title>HealthData</title></ClinicalDocument>
        """

    init() throws { folder = try TemporaryFolder() }

    private func code(_ path: String) -> ArchiveError.Code? {
        do { _ = try ExportLocator.locate(path) } catch {
            #expect(error.description.contains("\n") == false)
            return error.code
        }
        return nil
    }

    private func text(_ source: ExportSource) throws -> String {
        String(decoding: try MemoryStream.readAll(source.open()), as: UTF8.self)
    }

    @Test("in a zip, at any name and depth")
    func inZip() throws {
        let zip = CraftedZip([
            .init("a/apple_health_export/export_cda.xml", clinical),
            .init("a/apple_health_export/書き出したデータ.dat", export),
            .init("__MACOSX/a/apple_health_export/._export.xml", [0, 5, 0x16, 7]),
            .init("a/apple_health_export/workout-routes/route_1.gpx", "<gpx/>"),
            .init("a/export.xml", ""), .init("readme.txt", "<HealthData in words"),
        ])
        let path = try folder.write("導出.zip", zip.bytes)
        // The readme looks like XML, and users may add such a file.
        #expect(
            code(path)
                == .severalExports(["a/apple_health_export/書き出したデータ.dat", "readme.txt"]))
        var fewer = zip
        fewer.entries.removeLast()
        let source = try ExportLocator.locate(try folder.write("導出.zip", fewer.bytes))
        #expect(source.name == "a/apple_health_export/書き出したデータ.dat")
        #expect(source.byteCount == Int64(export.utf8.count))
        #expect(source.storedByteCount == fewer.entries[1].data.count)
        #expect(
            source.companions.map(\.path)
                == ["../export.xml", "export_cda.xml", "workout-routes/route_1.gpx"])
        #expect(try text(source) == export)
        let route = try #require(source.companions.last)
        #expect(try MemoryStream.readAll(source.open(route)) == Array("<gpx/>".utf8))
    }

    @Test("in a folder with cyclic links, and as a single file")
    func inFolder() throws {
        try folder.write("x/deep/er/Exportieren.xml", "\u{FEFF}" + export)
        try folder.write("x/export.xml", clinical)
        try folder.write("x/deep/er/electrocardiograms/ecg.csv", "Name")
        try folder.write("x/deep/er/._Exportieren.xml", export)
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.path + "/x/deep/loop", withDestinationPath: folder.path + "/x")
        try manager.createSymbolicLink(
            atPath: folder.path + "/x/again.xml",
            withDestinationPath: folder.path + "/x/deep/er/Exportieren.xml")
        let source = try ExportLocator.locate(folder.path)
        #expect(try text(source).hasSuffix(export))
        #expect(source.companions.contains { $0.path.hasSuffix("ecg.csv") })
        let alone = try ExportLocator.locate(folder.path + "/x/deep/er/Exportieren.xml")
        #expect(alone.name == "Exportieren.xml")
        #expect(alone.companions.isEmpty)
        #expect(try text(alone).hasSuffix(export))
    }

    @Test("comments and instructions may stand before the root, and the document type may not")
    func prologues() throws {
        for head in ["", "\n ", "<!-- <ClinicalDocument> -->", "<?x <a>?>\n"] {
            let path = try folder.write("a.xml", head + "<HealthData locale='x'></HealthData>")
            #expect(code(path) == nil, "\(head)")
        }
        for text in ["<HealthDataset/>", "<html><HealthData/></html>", "HealthData", "<", "<!--"] {
            let path = try folder.write("a.xml", text)
            guard case .notAnExport = code(path) else {
                Issue.record("\(text) is taken for an export")
                continue
            }
        }
    }

    @Test("a file that is not an export is identified")
    func refusals() throws {
        #expect(code(folder.path + "/none") == .notFound)
        #expect(code(try folder.write("empty.zip", "")) == .empty)
        #expect(code(try folder.write("a.zip", "not a zip at all")) == .notAZip)
        #expect(code(try folder.write("a.bin", "\0\u{1}\u{2}")) == .notAnExport(.other))
        #expect(code(try folder.write("cda.xml", clinical)) == .notAnExport(.clinicalDocument))
        #expect(code(try folder.write("b.xml", "<gpx/>")) == .notAnExport(.otherXML))
        let zip = CraftedZip([.init("a.txt", "x")]).bytes
        #expect(code(try folder.write("b.zip", zip)) == .notAnExport(.nothingFound))
        #expect(code(try folder.write("c.zip", Array(zip.dropLast(5)))) == .noDirectory)
        #expect(code(folder.path) == .notAnExport(.clinicalDocument))
        #expect(code("/dev/null") == .notAFile)
    }

    @Test("UTF-16 is an error, with and without a byte order mark", arguments: [true, false])
    func utf16(isLittle: Bool) throws {
        let units = export.utf16.flatMap { unit -> [UInt8] in
            let low = UInt8(truncatingIfNeeded: unit)
            let high = UInt8(truncatingIfNeeded: unit >> 8)
            return isLittle ? [low, high] : [high, low]
        }
        let mark: [UInt8] = isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]
        for bytes in [units, mark + units] {
            #expect(code(try folder.write("a.xml", bytes)) == .unsupportedEncoding("UTF-16"))
        }
    }

    @Test("several exports are listed, in order")
    func several() throws {
        try folder.write("b/export.xml", export)
        try folder.write("a/export.xml", export + " ")
        #expect(code(folder.path) == .severalExports(["a/export.xml", "b/export.xml"]))
    }

    @Test("a damaged file beside the export is ignored; a damaged export is an error")
    func damagedNeighbours() throws {
        var locked = CraftedZip.Entry("locked.pdf", "secret")
        locked.flags = 1
        let path = try folder.write(
            "a.zip", CraftedZip([locked, .init("export.xml", export)]).bytes)
        #expect(code(path) == nil)
        locked.name = Array("export.xml".utf8)
        #expect(code(try folder.write("b.zip", CraftedZip([locked]).bytes)) == .encrypted)
    }

    @Test("a pipe is rejected without blocking")
    func pipe() throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(code(path) == .notAFile)
    }

    @Test("the scanner reads what was found")
    func scanned() throws {
        let path = try folder.write("a.zip", CraftedZip([.init("x.xml", export)]).bytes)
        let source = try ExportLocator.locate(path)
        var scanner = ElementScanner(reading: try source.open(), name: source.name)
        var names: [String] = []
        while let event = try scanner.next() {
            if case .start(let tag) = event { names.append(tag.nameString) }
        }
        #expect(names == ["HealthData"])
        #expect(scanner.ending == .complete)
        #expect(scanner.exportVersion == 14)
    }
}
