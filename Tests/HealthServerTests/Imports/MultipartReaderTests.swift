import HealthTesting
import Testing

@testable import HealthServer

/// Forms with a file, in parts of any size.
@Suite struct MultipartReaderTests {
    private static let file = Array("a\r\n--b\r\n-\r\n--boundar\r\n\r\nz".utf8)
    private static let form =
        Array(
            """
            --boundary\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nkey\r\n--boundary\r\n\
            content-disposition: form-data; name="export"; filename="x.zip"\r\n\
            Content-Type: application/zip\r\n\r\n
            """.utf8) + file + Array("\r\n--boundary--\r\n".utf8)

    private func read(_ parts: [[UInt8]]) throws -> (fields: [String], file: [UInt8], isAtEnd: Bool)
    {
        var reader = try MultipartReader(boundary: "boundary")
        var (fields, file) = ([String](), [UInt8]())
        for part in parts {
            for event in try reader.read(part) {
                switch event {
                case .field(let name, let value): fields.append(name + "=" + value)
                case .file(let bytes): file += bytes
                }
            }
        }
        return (fields, file, reader.isAtEnd)
    }

    @Test("a form gives the same fields and file wherever it is cut")
    func cuts() throws {
        for cut in 0...Self.form.count {
            let result = try read([Array(Self.form[..<cut]), Array(Self.form[cut...])])
            #expect(result.fields == ["csrf=key"], "cut at \(cut)")
            #expect(result.file == Self.file, "cut at \(cut)")
            #expect(result.isAtEnd)
        }
        let bytes = try read(Self.form.map { [$0] })
        #expect(bytes.fields == ["csrf=key"] && bytes.file == Self.file && bytes.isAtEnd)
    }

    @Test("a form that ends early isn't complete")
    func incomplete() throws {
        let result = try read([Array(Self.form.dropLast(20))])
        #expect(!result.isAtEnd)
        #expect(Self.file.starts(with: result.file))
    }

    @Test("what isn't such a form is refused, however long it is")
    func malformed() throws {
        let long = [UInt8](repeating: 0x61, count: 100_000)
        for text in [
            "--boundaryx", "--boundary\r\n\r\n\r\n", "--boundary\r\nX: y\r\n\r\n",
            "--boundary\r\nContent-Disposition: form-data\r\n\r\n",
        ] {
            #expect(throws: UploadRefusal.self, "\(text)") { try read([Array(text.utf8) + long]) }
        }
        #expect(throws: UploadRefusal.self) { try read([long]) }
        let field = Array(
            "--boundary\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n".utf8)
        #expect(throws: UploadRefusal.self) { try read([field + long]) }
        for boundary in ["", String(repeating: "b", count: 71)] {
            #expect(throws: UploadRefusal.self) { try MultipartReader(boundary: boundary) }
        }
    }

    @Test("random bytes are refused or read, and never trap")
    func random() throws {
        var random = SeededRandom(seed: TestTier.seed(7))
        let pieces = ["\r\n", "--boundary", "--", "\r\n\r\n", "name=\"a\"", "; ", ":", "x"]
        for _ in 0..<TestTier.count(quick: 2_000, all: 20_000, torture: 200_000) {
            let count = Int.random(in: 0...12, using: &random)
            let parts = (0..<count).map { _ in
                Array((pieces.randomElement(using: &random) ?? "").utf8)
            }
            _ = try? read(parts)
        }
    }
}
