import HealthStorage
import HealthTesting
import Testing

@testable import HealthAssistant

/// Schemas: their JSON, and what is said about arguments that don't conform.
struct SchemaTests {
    private let parameters: [Schema.Property] = [
        .required("type", .text("What is measured.")),
        .optional("by", .choice(["day", "week"])),
        .optional("count", .integer(1...20)),
    ]

    private func problem(_ text: String) throws -> String? {
        let value = try JSONParser.value(of: Array(text.utf8))
        return Schema.object(parameters).problem(of: value, named: "The call")
    }

    @Test(
        "Arguments that conform have no problem; null is an argument that is left out",
        arguments: [
            #"{"type":"steps"}"#, #"{"type":"steps","by":"week","count":20}"#,
            #"{"type":"steps","by":null,"count":null}"#,
        ])
    func conforming(text: String) throws { #expect(try problem(text) == nil) }

    @Test(
        "A problem names the argument and what it must be",
        arguments: [
            (#"{}"#, "type is missing: What is measured."),
            (#"{"type":null}"#, "type is missing: What is measured."),
            (#"{"type":7}"#, "type must be a string."),
            (#"{"type":"a","by":"hour"}"#, "by must be one of day, week, not “hour”."),
            (#"{"type":"a","count":0}"#, "count must be from 1 to 20."),
            (#"{"type":"a","count":1.5}"#, "count must be an integer."),
            (#"{"type":"a","sql":"x"}"#, "The call has no “sql”. It takes type, by, count."),
        ])
    func problems(text: String, words: String) throws { #expect(try problem(text) == words) }

    @Test("A text of kilobytes is rejected before anything reads it")
    func long() throws {
        let text = String(repeating: "x", count: 501)
        #expect(try problem(#"{"type":"\#(text)"}"#)?.contains("too long") == true)
    }

    @Test("The JSON of a schema uses the common keywords only")
    func json() {
        let schema = Schema.object([
            .required("value", Schema.number("A number.").orNull),
            .optional("rows", .array(of: .choice(["a"]))),
        ])
        #expect(
            schema.json.text
                == #"{"type":"object","properties":{"value":{"type":["number","null"],"#
                + #""description":"A number."},"rows":{"type":"array","items":{"type":"string","#
                + #""enum":["a"]}}},"required":["value"],"additionalProperties":false}"#)
        #expect(Schema.object([]).json.text == #"{"type":"object","additionalProperties":false}"#)
    }
}
