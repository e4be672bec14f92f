import HealthStorage
import HealthTesting
import Testing

@testable import HealthAssistant

/// The answer budget: no answer is longer, and nothing is left out without a word.
struct PagedAnswerTests {
    private func answer(_ rows: [String], skipped: Int = 0) -> PagedAnswer {
        PagedAnswer(
            head: [("unit", .string("count"))], list: "rows", rows: rows.map { .string($0) },
            skipped: skipped, noun: ("row", "rows"))
    }

    private func parsed(_ json: JSONText) throws -> JSONValue {
        try JSONParser.value(of: Array(json.text.utf8))
    }

    @Test("An answer that fits has all rows, and says so")
    func whole() throws {
        let value = try parsed(try answer(["a", "b"]).json { _ in "never" })
        #expect(value["rows"]?.elements?.count == 2)
        #expect(value["truncated"] == .bool(false))
        #expect(value["rowCount"] == .integer(2))
        #expect(value["nextCursor"] == nil)
        #expect(value["more"] == nil)
    }

    @Test("A long answer is cut at a row, and says what is left out and how to get it")
    func cut() throws {
        let rows = (0..<500).map { "row \($0) " + String(repeating: "x", count: 40) }
        let json = try answer(rows).json { "at \($0)" }
        let value = try parsed(json)
        let count = try #require(value["rows"]?.elements?.count)
        #expect(json.text.utf8.count <= PagedAnswer.budget)
        // The next row would not fit.
        #expect(json.text.utf8.count + rows[count].utf8.count > PagedAnswer.budget - 60)
        #expect(value["truncated"] == .bool(true))
        #expect(value["nextCursor"] == .string("at \(count)"))
        let words = try #require(value["more"]?.string)
        #expect(words.contains("\(count) of 500 rows; \(500 - count) more follow"))
    }

    @Test("All pages together have each row once, whatever the lengths of the rows")
    func pages() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<TestTier.count(quick: 10, all: 40, torture: 1_000) {
            let count = Int.random(in: 0...300, using: &random)
            let longest = [2, 60, 900, 3_500].randomElement(using: &random) ?? 60
            let rows = (0..<count).map { index in
                "\(index)"
                    + String(repeating: "é\"", count: Int.random(in: 0..<longest, using: &random))
            }
            let limit = [Int.max, 20, 90].randomElement(using: &random) ?? .max
            var found: [String] = []
            var isTruncated = true
            while isTruncated {
                let page = answer(Array(rows.dropFirst(found.count)), skipped: found.count)
                let json: JSONText
                do {
                    json = try page.json(limit: limit) { "\($0)" }
                } catch {
                    // A row that is longer than an answer is refused, not cut.
                    let row = rows[found.count]
                    #expect(JSONText.string(row).text.utf8.count > 7_000, "seed \(seed)")
                    break
                }
                #expect(json.text.utf8.count <= PagedAnswer.budget, "seed \(seed)")
                let value = try parsed(json)
                let read = (value["rows"]?.elements ?? []).compactMap(\.string)
                found += read
                isTruncated = value["truncated"] == .bool(true)
                #expect(isTruncated == (found.count < rows.count), "seed \(seed)")
                #expect(!read.isEmpty || rows.isEmpty, "seed \(seed)")
                if isTruncated { #expect(value["nextCursor"] == .string("\(read.count)")) }
            }
            #expect(found == Array(rows.prefix(found.count)), "seed \(seed)")
        }
    }
}
