import HealthTesting
import Testing

@testable import HealthArchive

/// The cache of a previous record's texts must not change results.
@Suite struct ReaderCacheTests {
    private func seconds(_ text: String, _ cache: inout CachedDateParser) -> Double? {
        var padded = Array(text.utf8) + Array(repeating: 0, count: ElementScanner.padding)
        return padded.withUnsafeMutableBufferPointer {
            cache.seconds(UnsafeBufferPointer(rebasing: $0.prefix(text.utf8.count)))
        }
    }

    @Test("cached date parsing equals uncached parsing, for valid and invalid dates in any order")
    func dates() {
        let frames = [
            "2024-03-10 | +0100", "2024-03-11 | +0100", "2024-03-10 | -0500", "2000-02-30 | +0000",
            "1999-12-31 | +1830", "2024-13-01 | +0100", "2024-03-10T| +0100", "2024-03-10 |+01:00",
            "2024-03-10 | +9900", "2024-03-1a | +0100", "2024-02-29 | +05:30", "2023-02-29 | +0100",
        ]
        let times = [
            "08:30:00", "23:59:60", "24:00:00", "00:60:00", "12:34:61", "1a:00:00", "12-30-00",
            "12:3:000", ":0:00:00", "00:00:0:", "/0:00:00", "09:59:59",
        ]
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed: seed)
            var cache = CachedDateParser()
            for _ in 0..<500 {
                let frame = frames[Int.random(in: frames.indices, using: &random)]
                let parts = frame.split(separator: "|", omittingEmptySubsequences: false)
                let text =
                    parts[0] + times[Int.random(in: times.indices, using: &random)] + parts[1]
                var plain = String(text)
                let expected = plain.withUTF8 { ExportDate.seconds($0) }
                #expect(seconds(String(text), &cache) == expected, "\(text), seed \(seed)")
            }
        }
    }

    @Test("values in the same cache slot are distinguished, whether decoding changes them or not")
    func values() {
        // Each value has sixteen bytes, or sixteen more, so that all use the same cache entry.
        let values = [
            "&lt;abcdefghijkl", "&lt;abcdefghijkm", "\u{E4}bcdefghijklmno", "abc&unknown;1234",
            "a\u{1}cdefghijklmnop", "&lt;abcdefghijkl0123456789abcdef", "abcdefghijklmnop",
        ]
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed: seed)
            let chosen = (0..<60).map { _ in values[Int.random(in: values.indices, using: &random)]
            }
            let together = Scan(
                "<r>" + chosen.map { "<e a=\"\($0)\"/>" }.joined(separator: "\n") + "</r>")
            var repairs: [Repair: Int] = [:]
            var events: [ScanEvent] = []
            for value in chosen {
                let alone = Scan("<e a=\"\(value)\"/>")
                events += alone.events
                repairs.merge(alone.repairs, uniquingKeysWith: +)
            }
            #expect(Array(together.events.dropFirst().dropLast()) == events, "seed \(seed)")
            #expect(together.repairs == repairs, "seed \(seed)")
        }
    }

    @Test("names are counted alike by their bytes and by their text")
    func names() {
        var byBytes = NameCounts()
        var byText = NameCounts()
        let long = String(repeating: "x", count: NameCounts.maximumNameLength + 1)
        for name in ["Halo", "Ring", "Halo", "", long, long, "e\u{301}", "\u{E9}"] {
            var text = name
            text.withUTF8 { byBytes.add($0) }
            byText.add(name)
        }
        #expect(byBytes.counts == byText.counts)
        #expect(byBytes.counts["Halo"] == 2)
        #expect(!byBytes.isEmpty && NameCounts().isEmpty)
    }
}
