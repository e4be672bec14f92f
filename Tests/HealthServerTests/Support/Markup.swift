import Foundation
import Testing

/// A small parser for the pages, which are XML except for their first line and their entities.
struct Markup {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The elements in the order of their start tags.
    private(set) var elements: [Element] = []

    /// Parses a page. Throws an error if a tag is left open, closed twice or misspelled, or if an
    /// ampersand or an angle bracket isn't escaped.
    init(_ html: String) throws {
        var rest = html.replacing("<!DOCTYPE html>", with: "")[...]
        var open: [Int] = []
        while let next = rest.firstIndex(of: "<") {
            try add(rest[..<next], to: open)
            guard let end = rest[next...].firstIndex(of: ">") else {
                throw Fault("a tag without end")
            }
            let tag = rest[rest.index(after: next)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard let last = open.popLast(), elements[last].name == tag.dropFirst() else {
                    throw Fault("</\(tag.dropFirst())> closes nothing")
                }
                continue
            }
            elements.append(try Self.element(tag.hasSuffix("/") ? tag.dropLast() : tag))
            if !tag.hasSuffix("/") { open.append(elements.count - 1) }
        }
        try add(rest, to: open)
        guard open.isEmpty else { throw Fault("\(open.map { elements[$0].name }) left open") }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    private mutating func add(_ text: Substring, to open: [Int]) throws {
        let text = try Self.decoded(text)
        for index in open { elements[index].text += text }
    }

    private static func element(_ tag: Substring) throws -> Element {
        let name = tag.prefix { $0.isLetter || $0.isNumber }
        var element = Element(name: String(name), attributes: [:])
        var rest = tag.dropFirst(name.count)
        while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[start...]
            guard let equals = rest.range(of: "=\""),
                let end = rest[equals.upperBound...].firstIndex(of: "\"")
            else { throw Fault("an attribute without a value in <\(tag)>") }
            let key = String(rest[..<equals.lowerBound])
            guard key.allSatisfy({ $0.isLetter || $0 == "-" || $0.isNumber }),
                element.attributes[key] == nil
            else { throw Fault("the attribute \(key) in <\(tag)>") }
            element.attributes[key] = try decoded(rest[equals.upperBound..<end])
            rest = rest[rest.index(after: end)...]
        }
        return element
    }

    private static func decoded(_ text: Substring) throws -> String {
        var decoded = text
        for (entity, character) in [
            ("&lt;", "\u{1}"), ("&gt;", "\u{2}"), ("&quot;", "\""), ("&#39;", "'"),
            ("&amp;", "\u{3}"),
        ] {
            decoded = decoded.replacing(entity, with: character)
        }
        if decoded.contains(where: { "<>&".contains($0) }) { throw Fault("bare markup in \(text)") }
        return decoded.replacing("\u{1}", with: "<").replacing("\u{2}", with: ">")
            .replacing("\u{3}", with: "&").description
    }
}
