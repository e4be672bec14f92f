import HealthEngine

/// HTML markup that escapes interpolated text.
///
/// ```swift
/// let name = "<b>Anna's</b> Watch"
/// let cell: HTML = "<td>\(name)</td>"
/// cell.markup   // "<td>&lt;b&gt;Anna&#39;s&lt;/b&gt; Watch</td>"
/// ```
///
/// Only string literals are markup. Interpolated texts are escaped; `HTML` values and integers are
/// inserted as they are. The escapes are also valid in double-quoted attributes.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    private(set) var markup: String

    static let empty = HTML(stringLiteral: "")

    init(stringLiteral value: String) { markup = value }
    init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

    var isEmpty: Bool { markup.isEmpty }

    static func += (left: inout HTML, right: HTML) { left.markup += right.markup }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate(set) var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            markup.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: String) { markup += literal }
        mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &markup) }
        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
        mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }
        mutating func appendInterpolation(_ parts: [HTML]) {
            for part in parts { markup += part.markup }
        }
        mutating func appendInterpolation(_ number: Int) { markup += String(number) }

        /// Appends a length or percentage with at most two decimals, clamped to ±100,000; "0" if it
        /// isn't finite.
        mutating func appendInterpolation(length: Double) {
            HTML.write(length, into: &markup)
        }

        /// Appends a user-chosen name in a `bdi` element, which isolates its text direction.
        mutating func appendInterpolation(name: String) {
            markup += "<bdi>"
            HTML.escape(name, into: &markup)
            markup += "</bdi>"
        }

        /// Appends a name where elements aren't allowed, such as in an attribute, a title or SVG
        /// text. Unless it is ASCII, control characters isolate its text direction.
        mutating func appendInterpolation(plain name: String) {
            HTML.escape(name.isolated, into: &markup)
        }

        /// Appends a percent-encoded value of a query.
        mutating func appendInterpolation(query text: String) {
            HTML.percentEncode(text, into: &markup)
        }
    }
}

extension HTML {
    /// Appends escaped text. Control characters that HTML forbids, U+FFFE and U+FFFF become U+FFFD.
    fileprivate static func escape(_ text: String, into markup: inout String) {
        // A fast path for texts with only ASCII letters, digits and other characters that need no
        // escape, which most are.
        if text.utf8.allSatisfy({
            (0x28...0x3B).contains($0) || (0x3F...0x7E).contains($0) || $0 == 0x20
        }) {
            markup += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            case "\t", "\n": markup.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
                markup += "\u{FFFD}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
    }

    fileprivate static func percentEncode(_ text: String, into markup: inout String) {
        let digits = Array("0123456789ABCDEF")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                markup.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                markup.append("%")
                markup.append(digits[Int(byte >> 4)])
                markup.append(digits[Int(byte & 15)])
            }
        }
    }

    fileprivate static func write(_ length: Double, into markup: inout String) {
        guard length.isFinite else { return markup += "0" }
        // Longer lengths are outside of every drawing, and would not fit an integer.
        let hundredths = Int(clamping: (min(max(length, -1e5), 1e5) * 100).rounded())
        if hundredths < 0 { markup += "-" }
        markup += String(hundredths.magnitude / 100)
        let rest = hundredths.magnitude % 100
        if rest == 0 { return }
        markup += rest < 10 ? ".0" : "."
        markup += String(rest % 10 == 0 && rest >= 10 ? rest / 10 : rest)
    }
}

extension String {
    /// The string between direction isolates, without its own direction controls; unchanged if it
    /// is ASCII.
    fileprivate var isolated: String {
        if unicodeScalars.allSatisfy(\.isASCII) { return self }
        let kept = unicodeScalars.filter { scalar in
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                && scalar.value != 0x200E && scalar.value != 0x200F
        }
        return "\u{2068}" + String(String.UnicodeScalarView(kept)) + "\u{2069}"
    }
}

extension Sequence where Element == HTML {
    /// Returns the elements, with a separator between those that aren't empty.
    func joined(_ separator: HTML) -> HTML {
        var joined = HTML.empty
        for part in self {
            if !joined.isEmpty { joined += separator }
            joined += part
        }
        return joined
    }
}
