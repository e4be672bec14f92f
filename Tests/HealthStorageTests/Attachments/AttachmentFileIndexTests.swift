import HealthEngine
import HealthStorage
import Testing

@Suite("The file that an identifier of an attachment refers to")
struct AttachmentFileIndexTests {
    private static let paths = [
        "attachments/7D1F6E5A-0000-4000-8000-000000000001.pdf", "attachments/scan.final.jpg",
        "attachments/9A/photo.heic", "attachments/bare",
        "/attachments/B2/left.png", "attachments/B2/right.png",
    ]

    @Test(
        "is found by its name, by its stem, or by a folder in which it is alone",
        arguments: [
            ("7D1F6E5A-0000-4000-8000-000000000001", 0),
            ("7d1f6e5a-0000-4000-8000-000000000001", 0),
            ("7D1F6E5A-0000-4000-8000-000000000001.PDF", 0), ("scan.final", 1),
            ("scan.final.jpg", 1), ("9A", 2), ("photo", 2), ("attachments/9A/photo.heic", 2),
            ("bare", 3), ("left", 4), ("../../B2/right.png", 5),
        ])
    func found(identifier: String, place: Int) {
        #expect(AttachmentFileIndex(Self.paths).index(of: identifier) == place)
    }

    @Test(
        "isn't guessed: a part, an extension or the common folder is no match",
        arguments: ["", "/", "7D1F6E5A", "scan", "jpg", "attachments", "unknown", "."])
    func missing(identifier: String) {
        #expect(AttachmentFileIndex(Self.paths).index(of: identifier) == nil)
    }

    @Test("isn't guessed among several; the name decides before the stem and the folder")
    func ambiguous() {
        #expect(AttachmentFileIndex(Self.paths).index(of: "B2") == nil)
        let twice = ["attachments/1/scan.pdf", "attachments/2/scan.pdf"]
        #expect(AttachmentFileIndex(twice).index(of: "scan.pdf") == nil)
        #expect(AttachmentFileIndex(twice).index(of: "2") == 1)
        let mixed = ["attachments/a.pdf", "attachments/a", "attachments/a/b.pdf"]
        #expect(AttachmentFileIndex(mixed).index(of: "a") == 1)
        #expect(AttachmentFileIndex([]).index(of: "a") == nil)
    }

    @Test("an identifier that is a UUID is kept; another one has a UUID of its own")
    func identifiers() {
        let uuid = "7D1F6E5A-0000-4000-8000-000000000001"
        #expect(SampleUUID(exportedAttachment: uuid).description == uuid)
        let one = SampleUUID(exportedAttachment: "scan-1")
        #expect(one == SampleUUID(exportedAttachment: "scan-1"))
        #expect(one != SampleUUID(exportedAttachment: "scan-2"))
        let digits = Array(one.description)
        #expect(digits[14] == "8" && "89AB".contains(digits[19]))
    }

    @Test(
        "a name for a file has no folders and no characters that a system reserves",
        arguments: [
            ("Prescription 2026.pdf", "Prescription 2026.pdf"), ("../../etc/passwd", "passwd"),
            ("C:\\scans\\eye.png", "eye.png"), ("left: 1/2?.pdf", "2_.pdf"), ("a\u{0}b\nc", "abc"),
            ("", "attachment"), ("..", "attachment"), ("/", "attachment"), (" .hidden ", "hidden"),
            ("Brille für Ärztin 👓.pdf", "Brille für Ärztin 👓.pdf"), ("abc\u{202E}fdp", "abcfdp"),
        ])
    func fileNames(name: String, expected: String) {
        #expect(StoredAttachment.fileName(name) == expected)
    }

    @Test("a long name keeps its extension")
    func longNames() {
        let name = StoredAttachment.fileName(String(repeating: "ä", count: 500) + ".pdf")
        #expect(name.count == 120 && name.hasSuffix("ä.pdf"))
        #expect(StoredAttachment.fileName(String(repeating: ".x", count: 500)).count == 120)
    }
}
