import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Element scanner against libxml2")
struct ElementScannerOracleTests {
    @Test("random well-formed documents give what libxml2 gives", arguments: 0..<20)
    func randomDocuments(batch: UInt64) throws {
        for seed in batch * 100..<(batch + 1) * 100 {
            let bytes = Array(RandomDocument(seed: seed).text.utf8)
            let expected = try #require(
                LibXMLOracle.events(in: bytes), "libxml2 refuses seed \(seed)")
            let scan = Scan(bytes)
            #expect(scan.trimmed == expected, "seed \(seed)")
            #expect(scan.repairs == [:], "seed \(seed)")
            #expect(scan.ending == .complete, "seed \(seed)")
        }
    }

    @Test("chunk boundaries do not change the events", arguments: 0..<12)
    func everyBorder(seed: UInt64) {
        let bytes = Array(RandomDocument(seed: 900_000 + seed).text.utf8).prefix(1500)
        let whole = Scan(Array(bytes))
        for border in 0...bytes.count {
            let scan = Scan(Array(bytes), pieces: [max(border, 1), 1 << 20])
            #expect(scan == whole, "seed \(seed), border \(border)")
        }
        for piece in 1...40 {
            let scan = Scan(Array(bytes), pieces: [piece], capacity: piece)
            #expect(scan == whole, "seed \(seed), pieces of \(piece)")
        }
    }

    @Test(
        "a changed document is read as libxml2 reads it, or is one libxml2 refuses",
        arguments: 0..<20)
    func mutatedDocuments(batch: UInt64) {
        var accepted = 0
        for seed in batch * 100..<(batch + 1) * 100 {
            var random = SeededRandom(seed: seed)
            var bytes = Array(RandomDocument(seed: seed).text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, using: &random) }
            let scan = Scan(bytes)
            #expect(scan == Scan(bytes, pieces: [7], capacity: 5), "seed \(seed)")
            guard let expected = LibXMLOracle.events(in: bytes) else { continue }
            guard scan.error == nil else { continue }
            accepted += 1
            #expect(scan.trimmed == expected, "seed \(seed)")
            #expect(scan.ending == .complete, "seed \(seed)")
        }
        #expect(accepted > 0)
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        case 4:
            let end = min(bytes.count, place + 30)
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            let choices = Array("<>\"'&=/!-]\0\n ".utf8)
            bytes[place] = choices[Int.random(in: 0..<choices.count, using: &random)]
        }
    }

    @Test(
        "a truncated document yields all complete events and is reported as truncated",
        arguments: 0..<20)
    func truncatedDocuments(seed: UInt64) {
        let bytes = Array(RandomDocument(seed: 700_000 + seed).text.utf8)
        let whole = Scan(bytes)
        for length in 0..<min(bytes.count, 2000) {
            let scan = Scan(Array(bytes[..<length]))
            #expect(scan.error == nil, "seed \(seed), length \(length)")
            let starts = scan.events.filter { if case .text = $0 { false } else { true } }
            let all = whole.events.filter { if case .text = $0 { false } else { true } }
            #expect(starts == Array(all.prefix(starts.count)), "seed \(seed), length \(length)")
            if starts.count < all.count { #expect(scan.ending != .complete, "length \(length)") }
        }
    }
}
