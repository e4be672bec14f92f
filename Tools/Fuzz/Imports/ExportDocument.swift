/// The text of an export: prolog, document type and body, valid or damaged.
struct ExportDocument {
    /// The numbers of elements in a valid document.
    struct Known {
        var records = 0
        var workouts = 0
        var correlations = 0
        var rings = 0
    }

    var bytes: [UInt8]
    /// The numbers of elements; nil if faults were to be added.
    var known: Known?

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    init(_ root: ExportElement, isCorrupted: Bool, _ random: inout SeededRandom) {
        var root = root
        if isCorrupted, random.percent(50) {
            for _ in 0...random.below(3) { ExportDocument.corrupt(&root, &random) }
        }
        bytes = Array(ExportDocument.declaration.utf8)
        let isHostile = isCorrupted && random.percent(30)
        bytes += Array(
            (isHostile ? ExportDocument.hostileType(&random) : ExportDocument.type(&random)).utf8)
        root.write(to: &bytes)
        if isCorrupted {
            if random.percent(60) { ExportDocument.corrupt(&bytes, &random) }
            if random.percent(8) { ExportDocument.recode(&bytes, &random) }
        } else {
            known = Known(
                records: root.count(of: "Record"), workouts: root.count(of: "Workout"),
                correlations: root.count(of: "Correlation"),
                rings: root.count(of: "ActivitySummary"))
        }
    }

    /// Returns a shortened document type of export version 3 to 14; empty in one of ten cases.
    private static func type(_ random: inout SeededRandom) -> String {
        let version = random.pick([3, 8, 11, 12, 13, 14], or: 14)
        var text = "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(version) -->\n"
        text += "<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>\n"
        text += "<!ATTLIST HealthData\n  locale CDATA #REQUIRED\n>\n"
        text += "<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>\n"
        text += "<!ATTLIST Record\n  type CDATA #REQUIRED\n  unit CDATA #IMPLIED\n>\n"
        if version == 12 {
            // As in iOS 16.0: an unclosed attribute list, and misplaced lines.
            text +=
                "<!ATTLIST VisionPrescription\n  brand CDATA #IMPLIED\n<!ELEMENT RightEye EMPTY>\n"
            text += "  device CDATA #IMPLIED\n<!ELEMENT MetadataEntry EMPTY>\n>\n"
        }
        return random.percent(10) ? "" : text + "]>\n"
    }

    private static func hostileType(_ random: inout SeededRandom) -> String {
        let lines = (1...9).map { index in
            "<!ENTITY l\(index) \"" + String(repeating: "&l\(index - 1);", count: 10) + "\">"
        }
        let laughs = (["<!ENTITY l0 \"lol\">"] + lines).joined(separator: "\n")
        return random.pick([
            "<!DOCTYPE HealthData [\(laughs)]>\n&l9;\n",
            "<!DOCTYPE HealthData [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n",
            "<!DOCTYPE HealthData [<!ENTITY % p SYSTEM \"/dev/zero\"> %p; ]>\n",
            "<!DOCTYPE HealthData SYSTEM \"https://example.org/x.dtd\">\n",
            "<!DOCTYPE HealthData [\n<!-- ",
            "<!DOCTYPE HealthData [ <!ATTLIST Record value CDATA '7'> ]>",
            "<!DOCTYPE HealthData [" + String(repeating: "<!-- x -->", count: 5000) + "]>\n",
            "<!DOCTYPE HealthData [<!ELEMENT a \"]>\" >]>\n", "<!DOCTYPE>\n", "<!DOCTYPE Plist>\n",
            "<!DOCTYPE HealthData [<!ENTITY a \"&a;\">]>\n&a;\n",
            "<!DOCTYPE HealthData [<![INCLUDE[<!ENTITY y 'z'>]]>]>\n",
            "<!-- -- --><!DOCTYPE HealthData []><!DOCTYPE HealthData []>\n",
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE HealthData []>\n",
        ])
    }

    /// Adds one fault to an element of the tree, if it applies to the element.
    private static func corrupt(_ root: inout ExportElement, _ random: inout SeededRandom) {
        var place = random.below(root.size)
        let other = root.children.isEmpty ? root : root.children[random.below(root.children.count)]
        let fault = random.below(11)
        let (key, value) = (random.pick(Hostile.texts), random.pick(Hostile.texts + Hostile.dates))
        let long = String(repeating: "x", count: 1 << (10 + random.below(9)))
        let depth = 1 << random.below(13)
        let at = random.below(8)
        root.mutate(&place) { element in
            let index = element.attributes.isEmpty ? 0 : at % element.attributes.count
            let isThere = !element.attributes.isEmpty
            switch fault {
            case 0: if isThere { element.attributes.append(element.attributes[index]) }
            case 1: if isThere { element.attributes.remove(at: index) }
            case 2: if isThere { element.attributes[index].1 = value }
            case 3: element.children.append(other)
            case 4: element.children += [ExportElement](repeating: other, count: 40)
            case 5: element.attributes.append((key, value))
            case 6: element.name = at < 4 ? "HealthData" : key
            case 7: if isThere { element.attributes[index].1 = long }
            case 8: element.children = [ExportDocument.nested(element.children, depth)]
            case 9: element.raw = Array("<![CDATA[ <Record/> ]]>& <!-- <Record/> --><?pi x?>".utf8)
            default: if isThere { element.attributes[index].0 = key }
            }
        }
    }

    /// Returns an element with deeply nested ones before its children. The nested ones are raw
    /// text, which avoids deep recursion.
    private static func nested(_ children: [ExportElement], _ depth: Int) -> ExportElement {
        var element = ExportElement("Deep", [], children)
        element.raw = Array(
            (String(repeating: "<D>", count: depth) + String(repeating: "</D>", count: depth)).utf8)
        return element
    }

    /// Adds one to five faults to the bytes.
    private static func corrupt(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0...random.below(4) where !bytes.isEmpty {
            let at = random.below(bytes.count)
            let length = min(bytes.count - at, 1 + random.below(1 << random.below(12)))
            switch random.below(9) {
            case 0: bytes.removeSubrange(at...)
            case 1: bytes[at] = UInt8(truncatingIfNeeded: random.next())
            case 2: bytes.insert(contentsOf: [UInt8](repeating: 0, count: length), at: at)
            case 3: bytes.removeSubrange(at..<(at + length))
            case 4:
                bytes.insert(contentsOf: bytes[at..<(at + length)], at: random.below(bytes.count))
            case 5: bytes.insert(contentsOf: [0xC3, 0x28, 0xFF, 0xED, 0xA0, 0x80], at: at)
            case 6: bytes.insert(contentsOf: Array("&bad;&#0;&#x110000;&#11;&".utf8), at: at)
            case 7: bytes.insert(random.pick(Array("<>\"'=/!?-[]".utf8), or: 60), at: at)
            default: bytes += random.percent(50) ? bytes : random.bytes(length)
            }
        }
    }

    /// Changes the encoding or the line breaks: adds a byte order mark, converts to UTF-16 byte by
    /// byte, makes the UTF-8 invalid, or writes CRLF.
    private static func recode(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        switch random.below(5) {
        case 0: bytes = [0xEF, 0xBB, 0xBF] + bytes
        case 1: bytes = [0xFF, 0xFE] + bytes.flatMap { [$0, 0] }
        case 2: bytes = [0xFE, 0xFF] + bytes.flatMap { [0, $0] }
        case 3: bytes = bytes.map { $0 == UInt8(ascii: "e") ? 0xE9 : $0 }
        default: bytes = bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }
        }
    }
}
