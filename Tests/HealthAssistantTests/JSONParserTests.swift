import HealthTesting
import Testing

@testable import HealthAssistant

/// Parsing JSON text: what is accepted, with which value, and what is rejected.
struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.value(of: Array(text.utf8))
    }

    @Test(
        "Values are parsed as RFC 8259 defines them",
        arguments: [
            (" null ", JSONValue.null), ("true", .bool(true)), ("-0", .integer(0)),
            ("12", .integer(12)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9223372036854775808)), ("1.5e2", .number(150)),
            ("1e999", .number(.infinity)), (#""a\u00e9\ud83d\ude00\n\/""#, .string("aé😀\n/")),
            (#""\ud83d""#, .string("\u{FFFD}")), (#""\ud83dA""#, .string("\u{FFFD}A")),
            (#""\ud83d\u0041""#, .string("\u{FFFD}A")),
            ("[1,[],{}]", .array([.integer(1), .array([]), .object([:])])),
            (#"{"a":1,"a":2}"#, .object(["a": .integer(2)])),
        ])
    func values(text: String, value: JSONValue) throws { #expect(try parse(text) == value) }

    @Test(
        "Text that isn't JSON is rejected",
        arguments: [
            "", " ", "nul", "nulll", "01", "1.", ".5", "+1", "1e", "-", "NaN", "'a'", "\"a",
            "\"\u{1}\"",
            #""\x""#, #""\u12g4""#, #""\u12"#, "[1,]", "[1", "{\"a\"}", "{a:1}", "{\"a\":1,}",
            "1 2",
            "\u{FEFF}1", "[1}", "\"\\u+123\"",
        ])
    func malformed(text: String) {
        #expect(throws: JSONParser.Failure.malformed) { try parse(text) }
    }

    @Test("Bytes that aren't UTF-8 are rejected")
    func encoding() {
        #expect(throws: JSONParser.Failure.malformed) {
            try JSONParser.value(of: [0x22, 0xC3, 0x28, 0x22])
        }
    }

    @Test("Depth and number of values are limited")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(JSONParser.maximumDepth))
        #expect(throws: JSONParser.Failure.tooComplex) {
            try parse(nested(JSONParser.maximumDepth + 1))
        }
        #expect(throws: JSONParser.Failure.tooComplex) {
            try parse("[" + String(repeating: "0,", count: JSONParser.maximumValues) + "0]")
        }
        // Deep text is rejected before it is read to its end.
        #expect(throws: JSONParser.Failure.tooComplex) {
            try parse(String(repeating: "[", count: 1_000_000))
        }
    }
}
