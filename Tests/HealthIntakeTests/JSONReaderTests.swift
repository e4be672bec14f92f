import HealthTesting
import Testing

@testable import HealthIntake

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        var reader = JSONReader(IntakeBody(text))
        let value = try reader.readValue()
        try reader.requireEnd()
        return value
    }

    @Test("every kind of value is read")
    func values() throws {
        var reader = JSONReader(
            IntakeBody(#" {"a":[1,-0.5,2e3,true,false,null,"x\n\u00e9\ud83d\ude00\/"],"b":{}} "#))
        let value = try reader.readValue()
        try reader.requireEnd()
        #expect(value["a"]?.array?.count == 7)
        #expect(value["a"]?.array?.compactMap(\.number) == [1, -0.5, 2000])
        #expect(value["a"]?.array?.last?.string == "x\né😀/")
        #expect(value["b"]?.members == [])
    }

    @Test("objects that repeat, and those that differ only at their end, are read as they are")
    func repeatedObjects() throws {
        let source = #"{"name":"Watch","device":{"model":"Watch6,2","system":"10.3"},"build":"#
        // Several chunks, so that objects also cross their borders.
        let builds = (0..<12_000).map { $0 % 7 == 0 ? $0 : 4 }
        let objects = builds.map { "\(source)\($0)}" }
        let value = try read("[" + objects.joined(separator: ",") + "]")
        #expect(value.array?.map { $0["build"]?.integer } == builds)
        #expect(value.array?.allSatisfy { $0["device"]?["system"]?.string == "10.3" } == true)
    }

    @Test("objects that repeat don't exceed the limit of a value, nor the depth")
    func repetitionLimits() {
        let object = #"{"name":"Watch","model":"Watch6,2","system":"10.3","build":"21T216","x":1}"#
        let count = JSONReader.maximumValueBytes / object.utf8.count + 10
        let long = Array(repeating: object, count: count).joined(separator: ",")
        #expect(throws: IntakeError.self) { try self.read("[\(long)]") }
        func nested(_ inner: String, _ depth: Int) -> String {
            String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
        }
        let deep = "{\"name\":\"Watch\",\"x\":\(nested("\"\(object.count)\"", 40))}"
        #expect(throws: IntakeError.self) { try self.read("[\(deep),\(nested(deep, 40))]") }
    }

    @Test("an object that is cut off where an earlier one went on isn't read")
    func cutRepetition() {
        let whole = #"{"name":"Watch","model":"Watch6,2","system":"10.3","build":"21T216","x":1}"#
        #expect(throws: IntakeError.self) { try self.read("[\(whole),\(whole.dropLast())]") }
    }

    @Test(
        "texts that are not JSON are rejected",
        arguments: [
            "", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "nul",
            "[NaN]", "[-01.5]", "[-]", "[1.5.5]", "[1-2]", "[00]", "[Infinity]", "\"\u{1}\"",
            "[\"\\x\"]", "[1 2]", "{'a':1}", "[\"a]",
        ])
    func notJSON(text: String) {
        #expect(throws: IntakeError.self) {
            var reader = JSONReader(IntakeBody(text))
            _ = try reader.readValue()
            try reader.requireEnd()
        }
    }

    @Test("a number beyond the range of doubles is infinite, and no number of a record")
    func overflow() throws {
        var reader = JSONReader(IntakeBody("[1e400,-1e400]"))
        let value = try reader.readValue()
        #expect(value.array == [.number(.infinity), .number(-.infinity)])
        #expect(value.array?.first?.number == nil)
    }

    @Test(
        "numbers are also read from strings",
        arguments: [("12", 12), ("-1.5", -1.5), ("1e3", 1000), ("+2", 2), ("0.25", 0.25)])
    func numericStrings(text: String, number: Double) {
        #expect(JSONValue.string(text).number == number)
        #expect(JSONValue.string(text).number == JSONReader.number(text))
    }

    @Test(
        "other strings are no numbers",
        arguments: [
            "", " ", "0x10", "0x1p3", "nan", "NaN", "inf", "-inf", "infinity", " 1", "1 ", "1\n",
            "\u{A0}1", "1,5", "1_000", "e", "-", "1e400", "many", "\u{661}",
        ])
    func otherStrings(text: String) {
        #expect(JSONValue.string(text).number == nil)
        #expect(JSONValue.string(text).integer == nil)
    }

    @Test("numbers are written as JSON, also the least integer")
    func numbersAsText() {
        let values: [Double] = [0, -3, 0.5, 9_007_199_254_740_991, -9_223_372_036_854_775_808]
        #expect(
            JSONValue.array(values.map(JSONValue.number)).text
                == "[0,-3,0.5,9007199254740991,-9.223372036854776e+18]")
        #expect(
            JSONValue.array([.number(.infinity), .number(-.infinity)]).text == "[1e999,-1e999]")
    }

    @Test("nesting is limited")
    func depth() throws {
        let most = JSONReader.maximumDepth
        func text(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        var fits = JSONReader(IntakeBody(text(most)))
        _ = try fits.readValue()
        #expect(throws: IntakeError.tooDeep(offset: most + 1)) {
            var reader = JSONReader(IntakeBody(text(10_000)))
            try reader.skipValue()
        }
    }

    @Test("values that cross the borders of chunks are read, and any place can be returned to")
    func chunks() throws {
        let words = (0..<40_000).map { "word\($0)é\\\"" }
        let text = "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        var reader = JSONReader(IntakeBody(text))
        var read: [String] = []
        try reader.readArray { reader in read.append(try reader.readValue().string ?? "") }
        #expect(read.count == words.count && read.last == "word39999é\"")
        reader.seek(to: 0)
        #expect(try reader.readValue().array?.count == words.count)
    }

    @Test("a number is the double that is nearest to its digits")
    func numbers() throws {
        var random = SeededRandom(seed: 19)
        for _ in 0..<5_000 {
            let digits = Int.random(in: 1...17, using: &random)
            let whole = Int.random(in: 0...9, using: &random)
            let decimals = (1..<digits).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let sign = Bool.random(using: &random) ? "-" : ""
            let text = sign + "\(whole)" + (decimals.isEmpty ? "" : "." + decimals)
            let value = try read("[\(text)]").array?.first?.number
            #expect(value == Double(text), "\(text)")
        }
    }

    @Test("strings and numbers are the same wherever a part of the body ends")
    func borders() throws {
        for space in 0..<40 {
            let padding = String(repeating: " ", count: (256 << 10) - space)
            let text = padding + #"["abcdefgh",12.375,"é\u00e9","x\\y",{"name":"value"}]"#
            let value = try read(text)
            #expect(
                value.array == [
                    .string("abcdefgh"), .number(12.375), .string("éé"), .string("x\\y"),
                    .object([.init(name: "name", value: .string("value"))]),
                ], "\(space)")
            var reader = JSONReader(IntakeBody(text))
            try reader.skipValue()
            try reader.requireEnd()
        }
    }
}
