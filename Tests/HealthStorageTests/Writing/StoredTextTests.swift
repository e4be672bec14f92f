import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("structured parts are text that reads back as it was")
struct StoredTextTests {
    @Test("metadata of every kind of value and any text")
    func metadata() throws {
        let entries: Metadata = [
            "HKTimeZone": .string("Europe/Paris"), "flag": .number(1), "third": .number(1.0 / 3),
            "large": .number(1e300), "small": .number(-.leastNonzeroMagnitude),
            "whole": .number(9_007_199_254_740_992),
            "date": .date(733_532_400.25), "quantity": .quantity(47.6, unit: "degF"),
            "quo\"te\\": .string("\u{0}\u{1}\u{1F}\n\t\r\"\\/\u{7F}\u{2028}😀e\u{301}"),
            "": .string(""),
        ]
        let text = StoredText.metadata(entries)
        #expect(try StoredText.metadata(from: text) == entries)
        #expect(text.hasPrefix(#"{"":"","HKTimeZone":"Europe/Paris","date":{"date":"#))
    }

    @Test("equal metadata is equal text, whatever order it was made in")
    func order() {
        let keys = (0..<50).map { "key\($0)" }
        let forwards = Metadata(uniqueKeysWithValues: keys.map { ($0, .number(1)) })
        let backwards = Metadata(uniqueKeysWithValues: keys.reversed().map { ($0, .number(1)) })
        #expect(StoredText.metadata(forwards) == StoredText.metadata(backwards))
        #expect(StoredText.metadata([:]) == "{}")
    }

    @Test("random numbers to the last bit")
    func numbers() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let entries: Metadata = ["a": .number(number), "b": .quantity(number, unit: "kg")]
            #expect(
                try StoredText.metadata(from: StoredText.metadata(entries)) == entries,
                "\(number), seed \(seed)")
        }
    }

    @Test("heartbeats and rings")
    func details() throws {
        let beats = SampleDetail.heartbeats([
            Heartbeat(bpm: 61, time: "6:14:48.94 PM", offset: 0.98),
            Heartbeat(bpm: 60.5, time: "18:14:49,93"),
        ])
        let text = try StoredText.detail(beats)
        #expect(
            text == #"{"heartbeats":[[61,"6:14:48.94 PM",0.98],[60.5,"18:14:49,93",null]]}"#)
        #expect(try StoredText.detail(from: text) == beats)
        var summary = ActivitySummary(date: "2024-03-10")
        summary.activeEnergyBurned = 412.5
        let rings = SampleDetail.activitySummary(summary)
        #expect(try StoredText.detail(from: StoredText.detail(rings)) == rings)
    }

    @Test("names are compared without compatibility forms and runs of white space")
    func folding() {
        #expect(StoredText.folded(" Sam’s Apple\u{A0}\u{202F}Watch\n") == "Sam’s Apple Watch")
        #expect(StoredText.folded("ﬁt e\u{301}") == StoredText.folded("fit é"))
        #expect(StoredText.folded("A") != StoredText.folded("a"))
    }

    @Test("scanned metadata equal decoded metadata, for every shape")
    func scannedMetadata() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let texts = [
            "", "a", "ü 😀", "\"", "\\", "\n", "inf", "nan", "-inf", "1", "{", "a,b:c", "}",
        ]
        let numbers = [
            0, -0.0, 1, -1, 0.1, 1e21, -1e-7, 123_456_789_012_345_680, .infinity,
            .leastNonzeroMagnitude,
        ]
        for _ in 0..<2000 {
            var metadata: Metadata = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let key = texts.randomElement(using: &random) ?? ""
                let number = numbers.randomElement(using: &random) ?? 0
                let text = texts.randomElement(using: &random) ?? ""
                metadata[key] = [
                    .string(text), .number(number), .date(number), .quantity(number, unit: text),
                ].randomElement(using: &random)
            }
            let stored = StoredText.metadata(metadata)
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            let decoded = try decoder.decode(Metadata.self, from: Data(stored.utf8))
            let context: Comment = "seed \(seed): \(stored)"
            #expect(
                try "\(StoredText.metadata(from: stored).sorted { $0.key < $1.key })"
                    == "\(decoded.sorted { $0.key < $1.key })", context)
        }
        for broken in ["", "{", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":--1}", "[1]"] {
            #expect(MetadataScanner.metadata(broken) == nil)
        }
        #expect(MetadataScanner.metadata("{\"a\":1}") == ["a": .number(1)])
    }
}
