import Foundation

/// The texts in the header of a CDA document.
struct ClinicalDocumentHeader {
    private(set) var title = ""
    private(set) var patientName = ""
    private(set) var authorName = ""
    private(set) var custodianName = ""

    private typealias Field = any WritableKeyPath<ClinicalDocumentHeader, String> & Sendable

    private static let namespace = "urn:hl7-org:v3"
    private static let maximumLength = 1_000

    /// The paths of the texts below the root. The first element at a path counts. An author that is
    /// a device or an organization has no person's name.
    private static let paths: [([String], Field)] = [
        (["title"], \.title),
        (["recordTarget", "patientRole", "patient", "name"], \.patientName),
        (["author", "assignedAuthor", "assignedPerson", "name"], \.authorName),
        (["author", "assignedAuthor", "representedOrganization", "name"], \.authorName),
        (
            ["custodian", "assignedCustodian", "representedCustodianOrganization", "name"],
            \.custodianName
        ),
    ]

    /// Reads a whole document, so that one that is not well-formed is rejected.
    ///
    /// - Parameter data: The document in UTF-8, UTF-16, ISO 8859-1 or Windows-1252.
    /// - Throws: ``XMLFault`` for other data, and for another root element.
    /// - Complexity: O(bytes).
    init(_ data: Data) throws(XMLFault) {
        var reader = XMLReader(try ClinicalDocumentHeader.utf8(data))
        var path: [XMLReader.Name] = []
        var capture: (target: Field, depth: Int)?
        var text = ""
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                path.append(name)
                if path.count == 1 { try ClinicalDocumentHeader.checkRoot(name, reader) }
                if capture == nil, let target = target(at: path) {
                    capture = (target, path.count)
                }
                if capture != nil { ClinicalDocumentHeader.append(" ", to: &text) }
            case .text(let part):
                if capture != nil { ClinicalDocumentHeader.append(part, to: &text) }
            case .end:
                if let (target, depth) = capture, depth == path.count {
                    self[keyPath: target] = ClinicalDocumentHeader.collapsed(text)
                    capture = nil
                }
                path.removeLast()
                if capture == nil { text = "" }
                ClinicalDocumentHeader.append(" ", to: &text)
            }
        }
    }

    private static func checkRoot(
        _ name: XMLReader.Name, _ reader: XMLReader
    ) throws(XMLFault) {
        guard name == XMLReader.Name(namespace: namespace, local: "ClinicalDocument") else {
            throw reader.fault("a root element other than ClinicalDocument of \(namespace)")
        }
    }

    private func target(at path: [XMLReader.Name]) -> Field? {
        guard path.allSatisfy({ $0.namespace == ClinicalDocumentHeader.namespace }) else {
            return nil
        }
        let locals = path.dropFirst().map(\.local)
        return ClinicalDocumentHeader.paths.first { places, target in
            places.elementsEqual(locals) && self[keyPath: target].isEmpty
        }?.1
    }

    /// Appends text. Beyond the limit, which is far above a name, it is left out.
    private static func append(_ part: String, to text: inout String) {
        if text.utf8.count < 4 * maximumLength { text += part }
    }

    private static func collapsed(_ text: String) -> String {
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        return String(words.prefix(maximumLength))
    }
}

extension ClinicalDocumentHeader {
    /// Returns a document in UTF-8, without a byte order mark.
    private static func utf8(_ data: Data) throws(XMLFault) -> [UInt8] {
        let bytes = [UInt8](data)
        let text: String?
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            text = String(data: data, encoding: .utf16)
        } else {
            switch declaredEncoding(bytes) {
            case "utf-8", "us-ascii", nil: text = String(validating: bytes, as: UTF8.self)
            case "iso-8859-1": text = String(data: data, encoding: .isoLatin1)
            case "windows-1252": text = String(data: data, encoding: .windowsCP1252)
            default: text = nil
            }
        }
        guard let text else {
            throw XMLFault(reason: "another text encoding than declared or known", offset: 0)
        }
        let mark = "\u{FEFF}"
        return Array((text.hasPrefix(mark) ? text.dropFirst() : text[...]).utf8)
    }

    /// Returns the encoding in the XML declaration in lower case; nil without one.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard head.hasPrefix("<?xml") || head.hasPrefix("\u{FEFF}<?xml"),
            let end = head.range(of: "?>"),
            let name = head[..<end.lowerBound].range(of: "encoding")
        else { return nil }
        let rest = head[name.upperBound..<end.lowerBound]
        let quoted = rest.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
        return quoted.count >= 2 ? quoted[1].lowercased() : nil
    }
}
