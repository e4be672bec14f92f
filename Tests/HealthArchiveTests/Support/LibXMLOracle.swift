import CLibXML2

/// The events of libxml2's push parser for a document; nil if it rejects the document.
final class LibXMLOracle {
    private var events: [ScanEvent] = []
    private var text: [UInt8] = []

    static func events(in bytes: [UInt8]) -> [ScanEvent]? {
        let oracle = LibXMLOracle()
        var handler = xmlSAXHandler()
        handler.initialized = 1  // SAX1: names with their prefixes, attributes as written.
        handler.startElement = { context, name, attributes in
            LibXMLOracle.of(context)?.start(name, attributes)
        }
        handler.endElement = { context, name in
            guard let oracle = LibXMLOracle.of(context) else { return }
            oracle.flush()
            oracle.events.append(.end(LibXMLOracle.string(name)))
        }
        handler.characters = { context, bytes, count in
            LibXMLOracle.of(context)?.text += UnsafeBufferPointer(start: bytes, count: Int(count))
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = { context, bytes, count in
            guard let oracle = LibXMLOracle.of(context) else { return }
            // libxml2 splits large sections, but the test documents contain none. The push parser
            // keeps the sections' line ends, unlike XML 1.0, 2.11, and its own pull parser.
            oracle.flush()
            let section = UnsafeBufferPointer(start: bytes, count: Int(count))
            for (index, byte) in section.enumerated() {
                guard byte == 0x0D else {
                    oracle.text.append(byte)
                    continue
                }
                let isPair = index + 1 < section.count && section[index + 1] == 0x0A
                if !isPair { oracle.text.append(0x0A) }
            }
            oracle.flush()
        }
        handler.comment = { context, _ in LibXMLOracle.of(context)?.flush() }
        handler.processingInstruction = { context, _, _ in LibXMLOracle.of(context)?.flush() }
        handler.getEntity = { _, name in xmlGetPredefinedEntity(name) }
        let pointer = Unmanaged.passUnretained(oracle).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&handler, pointer, nil, 0, nil) else {
            return nil
        }
        defer {
            xmlFreeDoc(context.pointee.myDoc)
            xmlFreeParserCtxt(context)
        }
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
        xmlCtxtUseOptions(context, Int32(options))
        // Prevents the options from selecting SAX2.
        context.pointee.sax2 = 0
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + 1000)
            let piece = bytes[index..<end].map { CChar(bitPattern: $0) }
            if xmlParseChunk(context, piece, Int32(piece.count), 0) != 0 { return nil }
            index = end
        }
        if xmlParseChunk(context, nil, 0, 1) != 0 { return nil }
        guard context.pointee.wellFormed == 1 else { return nil }
        oracle.flush()
        return oracle.events
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> LibXMLOracle? {
        context.map { Unmanaged<LibXMLOracle>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func string(_ text: UnsafePointer<UInt8>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    private func flush() {
        let rest = ScanEvent.trim(String(decoding: text, as: UTF8.self))
        if !rest.isEmpty { events.append(.text(rest)) }
        text = []
    }

    private func start(
        _ name: UnsafePointer<UInt8>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        flush()
        var pairs: [ScanEvent.Pair] = []
        var index = 0
        while let attributes, let key = attributes[index] {
            pairs.append(
                ScanEvent.Pair(
                    name: LibXMLOracle.string(key),
                    value: LibXMLOracle.string(attributes[index + 1])
                ))
            index += 2
        }
        events.append(.start(LibXMLOracle.string(name), pairs))
    }
}
