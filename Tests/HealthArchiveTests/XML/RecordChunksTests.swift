import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// The division of an export's text into chunks.
@Suite struct RecordChunksTests {
    private let rule = RecordChunks(
        minimumByteCount: 200, meanByteCount: 512, maximumByteCount: 4096, maximumRecords: 6)

    private static let device =
        " device=\"&lt;&lt;HKDevice: 0x74703ff240&gt;, name:Apple Watch&gt;\""

    private static func record(_ index: Int, _ more: String = "") -> String {
        "\n <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Alex’s\" unit=\"count\""
            + "\(more) startDate=\"2024-06-01 10:\(10 + index % 50):00 +0000\" value=\"\(index)\"/>"
    }

    /// Returns the texts and digests of the chunks of a text.
    private func chunks(_ text: String) -> [(text: String, digest: String)] {
        var bytes = Array(text.utf8)[...]
        var chunks: [(String, String)] = []
        while let chunk = bytes.withUnsafeBufferPointer({ rule.first(in: $0) }) {
            let part = String(decoding: bytes.prefix(chunk.byteCount), as: UTF8.self)
            chunks.append((part, "\(chunk.digest.high) \(chunk.digest.low)"))
            bytes = bytes.dropFirst(chunk.byteCount)
        }
        return chunks
    }

    @Test("an insertion changes only the chunks around it", arguments: [false, true])
    func locality(hasMetadata: Bool) throws {
        var random = SeededRandom(seed: 7)
        let records = (0..<600).map { index in
            let record = RecordChunksTests.record(index)
            return hasMetadata
                ? record.replacing("/>", with: ">\n  <MetadataEntry key=\"k\"/>\n </Record>")
                : record
        }
        let before = Set(chunks(records.joined()).map(\.digest))
        #expect(before.count > 100)
        for _ in 0..<40 {
            var changed = records
            let place = Int.random(in: 0..<600, using: &random)
            changed.insert(RecordChunksTests.record(9000 + place), at: place)
            let after = chunks(changed.joined())
            #expect(after.filter { !before.contains($0.digest) }.count <= 8)
        }
    }

    @Test("a chunk ends with a record, has at most 6 of them, and begins at a line feed")
    func shape() {
        let text = (0..<300).map { index -> String in
            if index % 5 > 0 { return RecordChunksTests.record(index) }
            let entry = "\n  <MetadataEntry key=\"k\" value=\"\(index)\"/>"
            return "\n <Record type=\"x\">\(entry)\n </Record>"
        }.joined()
        let found = chunks(text)
        #expect(found.count > 50)
        #expect(text.hasPrefix(found.map(\.text).joined()))
        for chunk in found {
            #expect(chunk.text.hasPrefix("\n <Record "))
            #expect(chunk.text.hasSuffix("/>") || chunk.text.hasSuffix("\n </Record>"))
            let ends = chunk.text.split(separator: "\n").count {
                $0.hasSuffix("</Record>") || $0.hasPrefix(" <Record") && $0.hasSuffix("/>")
            }
            #expect((1...6).contains(ends))
        }
    }

    @Test("the addresses of devices don't count, and every other byte does")
    func addresses() throws {
        // Only the number of records ends a chunk, not the hash of one and its length.
        let rule = RecordChunks(
            minimumByteCount: 4096, meanByteCount: 512, maximumByteCount: 8192, maximumRecords: 6)
        func chunks(_ text: String) -> [String] {
            let chunk = Array(text.utf8).withUnsafeBufferPointer { rule.first(in: $0) }
            return chunk.map { ["\($0.digest.high) \($0.digest.low)"] } ?? []
        }
        let line = RecordChunksTests.record(1, RecordChunksTests.device)
        let text = String(repeating: line, count: 6) + "\n"
        let digest = try #require(chunks(text).first)
        for address in ["0", "74703ff241", "ABCDEF0123456789"] {
            let other = text.replacing("74703ff240", with: address)
            #expect(chunks(other).first == digest, "\(address)")
        }
        let address = try #require(text.utf8.firstRange(of: Array("74703ff240".utf8)))
        let skipped = text.utf8.distance(from: text.startIndex, to: address.lowerBound)
        for index in 1..<line.utf8.count where !(skipped..<skipped + 10).contains(index) {
            var bytes = Array(text.utf8)
            bytes[index] ^= 1
            let other = bytes.withUnsafeBufferPointer { rule.first(in: $0) }
            #expect(other.map { "\($0.digest.high) \($0.digest.low)" } != digest, "\(index)")
        }
    }

    @Test(
        "what looks like an address elsewhere counts",
        arguments: [
            "sourceName=' device=\"&lt;&lt;HKDevice: 0x1&gt;,'", "note=\"HKDevice: 0x1\"",
            "device=\"HKDevice: 0x1\"", "device=\"&lt;&lt;HKDevice: 0x1&gt;\"",
            "><MetadataEntry value='\n device=\"&lt;&lt;HKDevice: 0x1&gt;, '/>\n </Record>\n <Record",
        ])
    func otherAddresses(attribute: String) {
        let text = { (attribute: String) in
            String(repeating: "\n <Record type=\"x\" \(attribute) value=\"1\"/>", count: 6) + "\n"
        }
        let other = attribute.replacing("0x1", with: "0x2")
        #expect(chunks(text(attribute)).first?.digest != chunks(text(other)).first?.digest)
    }

    @Test("stores with different seeds have different digests")
    func seeds() {
        let text = String(repeating: RecordChunksTests.record(1), count: 6) + "\n"
        var (one, other) = (rule, rule)
        one.seed.high = 1
        other.seed.low = 1
        let digests = [rule, one, other].map { rule in
            Array(text.utf8).withUnsafeBufferPointer { rule.first(in: $0)?.digest }
        }
        #expect(Set(digests).count == 3)
    }

    @Test("bytes count even if they are multiplied by 0")
    func zeroFactor() {
        var rule = rule
        let start = Array("\n <Recor".utf8).withUnsafeBytes { $0.load(as: UInt64.self) }
        // The state before the first bytes of a line, which are combined with it.
        rule.seed.high = start ^ 0x2D35_8DCC_AA6C_78A5
        let texts = ["type", "tape"].map { name in
            String(repeating: "\n <Record \(name)=\"HKQuantityTypeIdentifier\"/>", count: 6) + "\n"
        }
        let digests = texts.map { text in
            Array(text.utf8).withUnsafeBufferPointer { rule.first(in: $0)?.digest }
        }
        #expect(digests[0] != nil && digests[0] != digests[1])
    }

    @Test("the order of lines counts")
    func order() {
        let lines = (0..<6).map { RecordChunksTests.record($0) }
        let one = chunks(lines.joined() + "\n").map(\.digest)
        let other = chunks(lines.reversed().joined() + "\n").map(\.digest)
        #expect(!one.isEmpty && Set(one).isDisjoint(with: other))
    }

    @Test("bytes without a line feed at the start, or without an end in reach, have no chunk")
    func none() {
        #expect(chunks("<Record/>\n").isEmpty)
        #expect(chunks("").isEmpty)
        #expect(chunks("\n").isEmpty)
        #expect(chunks(RecordChunksTests.record(1) + RecordChunksTests.record(2)).isEmpty)
        let long = RecordChunksTests.record(1, " x=\"\(String(repeating: "y", count: 5000))\"")
        #expect(chunks(long + RecordChunksTests.record(2) + "\n").isEmpty)
    }
}
