import HealthTesting

/// A well-formed document with XML constructs that are difficult for a scanner.
struct RandomDocument {
    private var random: SeededRandom
    private(set) var text = ""

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        if chance(3) { text += "\u{FEFF}" }
        if chance(2) {
            text += pick([
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version='1.0'?>",
                "<?xml version=\"1.0\" encoding = 'utf-8' standalone=\"yes\" ?>",
            ])
        }
        miscellany()
        if chance(2) { documentType() }
        miscellany()
        element(depth: 0)
        miscellany()
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func space(atLeast least: Int = 0) {
        for _ in 0..<Int.random(in: least...least + 2, using: &random) {
            text += pick([" ", "\n", "\t", "\r\n", " ", "\r"])
        }
    }

    private mutating func miscellany() {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                text += pick(["<!---->", "<!-- > <a b='c'> ]]> & \u{1F600} -->", "<!--\n<x/>-->"])
            case 1: text += pick(["<?p?>", "<?pi <a> ?>", "<?x-y z?? ?>"])
            default: space(atLeast: 1)
            }
        }
    }

    private mutating func documentType() {
        text += "<!DOCTYPE r"
        space()
        if chance(3) {
            text += ">"
            return
        }
        text += " ["
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            text += pick([
                "<!-- ]> ' \" <!ENTITY a 'b'> -->", "<!ELEMENT r ANY>", "<!ELEMENT a (b|c)*>",
                "<!ATTLIST q x CDATA #REQUIRED y CDATA #IMPLIED>", "<?x ]> ?>", "\n ",
                "<!-- HealthKit Export Version: 13 -->", "<!ELEMENT q EMPTY >",
            ])
        }
        text += "]"
        space()
        text += ">"
    }

    private mutating func name() -> String {
        pick([
            "r", "Record", "a", "MetadataEntry", "x:y", "_z.-1", "é", "名前", "aaaaaaaa", "aaaaaaab",
        ])
    }

    private mutating func characters(_ quote: String?) -> String {
        var result = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            var choices = [
                "a", "HKQuantityTypeIdentifier", "&lt;", "&amp;", "&gt;", "&quot;", "&apos;",
                "&#10;",
                "&#183;", "&#x1F600;", "&#13;", "&#9;", " ", "  ", "\n", "\r\n", "\r", "\t", "é",
                "\u{A0}", "\u{1F468}\u{200D}\u{1F469}", "\u{7F}", "\u{85}", "/>", ">", "/", "=",
                "]", "%",
                "&#x0000000000000000000000000000000000000000000000000000000000000000000A;",
                "1234567",
                "12345678", "\u{FFFD}", "\u{10FFFF}",
            ]
            if let quote { choices.append(quote == "'" ? "\"" : "'") }
            result += pick(choices)
        }
        return quote == nil ? result.replacing("]>", with: "]") : result
    }

    private mutating func element(depth: Int) {
        let name = name()
        text += "<" + name
        var used: Set<String> = []
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let attribute = self.name()
            guard !attribute.hasPrefix("x:"), used.insert(attribute).inserted else { continue }
            space(atLeast: 1)
            text += attribute
            space()
            text += "="
            space()
            let quote = pick(["\"", "'"])
            text += quote + characters(quote) + quote
        }
        space()
        if chance(3) {
            text += "/>"
            return
        }
        text += ">"
        for _ in 0..<Int.random(in: 0...(depth > 5 ? 0 : 4), using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text += characters(nil)
            case 1:
                text += "<![CDATA[" + pick(["x < y & z", "]]", " \r\n", "<a b=\"&lt;\">"]) + "]]>"
            case 2: miscellany()
            default: element(depth: depth + 1)
            }
        }
        text += "</" + name
        space()
        text += ">"
    }
}
