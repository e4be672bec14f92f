import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite struct XMLReaderTests {
    /// The events as text: "<u:a>", the text, "</>".
    private func events(_ xml: String) throws -> String {
        var reader = XMLReader(Array(xml.utf8))
        var text = ""
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                text += "<\(name.namespace.isEmpty ? "" : name.namespace + ":")\(name.local)>"
            case .text(let part): text += part
            case .end: text += "</>"
            }
        }
        return text
    }

    @Test("well-formed XML is read with namespaces and references")
    func wellFormed() throws {
        #expect(try events("<a/>") == "<a></>")
        #expect(
            try events(
                "<?xml version='1.0'?><!-- c --><a b='1' c=\"&lt;\"> x <b/>&amp;&#65;&#x42;</a>\n")
                == "<a> x <b></>&AB</>")
        #expect(
            try events("<a xmlns='u' xmlns:p='v'><p:b xmlns=''><c/></p:b><d/></a>")
                == "<u:a><v:b><c></></><u:d></></>")
        #expect(try events("<a><![CDATA[<&]]></a>") == "<a><&</>")
        #expect(try events("<ä-1.x>é</ä-1.x >") == "<ä-1.x>é</>")
    }

    @Test(
        "XML that is not well-formed is refused, and so is a document type",
        arguments: [
            "", " ", "a", "<a>", "<a></b>", "<a/><b/>", "<a/>b", "</a>", "<a", "<a b>", "<a b=1/>",
            "<a b='1' b='2'/>", "<a b='<'/>", "<a b='1'c='2'/>", "<1/>", "<a>&b;</a>", "<a>&</a>",
            "<a>&#0;</a>", "<a>&#xFFFE;</a>", "<a>\u{1}</a>", "<a>\u{FFFE}</a>", "<a>]]></a>",
            "<p:a/>", "<a:b:c/>", "<:a/>", "<a xmlns:p=''/>", "<!-- a -- b --><a/>", "<!-- <a/>",
            " <?xml version='1.0'?><a/>", "<a><?xml version='1.0'?></a>", "<a><![CDATA[x</a>",
            "<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'/>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!DOCTYPE a><a/>",
            "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#+65;</a>",
        ])
    func malformed(_ xml: String) {
        #expect(throws: XMLFault.self) { try events(xml) }
    }

    @Test("hostile XML ends soon: deep nesting, many attributes, many namespaces, entities")
    func hostile() {
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            let deep = String(repeating: "<a>", count: 1 << 20)
            #expect(throws: XMLFault.self) { try events(deep) }
            let attributes = (0..<100_000).map { " a\($0)='1'" }.joined()
            #expect(throws: Never.self) { try events("<a\(attributes)/>") }
            let namespaces = (0..<100_000).map { " xmlns:a\($0)='u\($0)'" }.joined()
            #expect(throws: XMLFault.self) { try events("<a\(namespaces)/>") }
            let names = String(repeating: "<a/>x", count: 200_000)
            let shell = String(repeating: "<a>", count: 150)
            let end = String(repeating: "</a>", count: 150)
            #expect(throws: Never.self) { try events(shell + names + end) }
            let laughs = (0..<20).map { "<!ENTITY a\($0 + 1) '&a\($0);&a\($0);'>" }.joined()
            #expect(throws: XMLFault.self) {
                try events("<!DOCTYPE a [<!ENTITY a0 'ha'>\(laughs)]><a>&a20;</a>")
            }
        }
        #expect(elapsed < .seconds(60))
    }

    @Test("random damage is refused or read, and never traps")
    func random() {
        var random = SeededRandom(seed: TestTier.seed(81))
        let original = Array(
            ("<?xml version='1.0'?><a xmlns='u' b='&lt;'><!-- c --><d>é&amp;</d>"
                + "<![CDATA[]]]]></a>").utf8)
        for _ in 0..<3_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = "<>&;/!?-[]='\" a:x".utf8.randomElement(using: &random) ?? 0
                } else {
                    bytes.remove(at: place)
                }
            }
            var reader = XMLReader(bytes)
            do throws(XMLFault) {
                while try reader.next() != nil {}
            } catch {
                #expect(error.offset <= bytes.count)
            }
        }
    }
}
