import Testing

@testable import HealthArchive

@Suite("Element scanner")
struct ElementScannerTests {
    private func starts(_ scan: Scan) -> [String] {
        scan.events.compactMap { if case .start(let name, _) = $0 { name } else { nil } }
    }

    private func skipped(_ scan: Scan) -> [String] {
        scan.events.compactMap { if case .skipped(let text) = $0 { text } else { nil } }
    }

    /// Returns the value of the only attribute of the only element.
    private func value(_ raw: String) throws -> (String, [Repair: Int]) {
        try value(Array(raw.utf8))
    }

    private func value(_ raw: [UInt8]) throws -> (String, [Repair: Int]) {
        let scan = Scan(Array("<r a=\"".utf8) + raw + Array("\"/>".utf8))
        guard case .start(_, let pairs) = try #require(scan.events.first) else {
            return ("", [:])
        }
        return (try #require(pairs.first).value, scan.repairs)
    }

    @Test("control characters are left out and counted, raw or as references")
    func controlCharacters() throws {
        #expect(try value("a\u{0B}b&#11;c&#x1;\u{0}d") == ("abcd", [.controlCharacter: 4]))
        #expect(try value("a\u{FFFE}b&#xFFFF;") == ("ab", [.controlCharacter: 2]))
    }

    @Test("broken UTF-8 becomes U+FFFD as the standard library has it")
    func brokenUTF8() throws {
        for bytes: [UInt8] in [
            [0xFF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x28, 0xA1], [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0x61, 0xE2, 0x82, 0x62], [0xF0, 0x9F, 0xF0, 0x9F, 0x98, 0x80],
        ] {
            let expected = String(decoding: bytes, as: UTF8.self)
            let count = expected.unicodeScalars.count { $0 == "\u{FFFD}" }
            #expect(try value(bytes) == (expected, [.invalidUTF8: count]), "\(bytes)")
        }
    }

    @Test("references that name nothing are kept as written")
    func unknownReferences() throws {
        for raw in [
            "&nbsp;", "AT&T", "&", "&;", "&#;", "&#x;", "&#xD83D;", "&#1114112;", "&#-1;",
            "&#99999999999999999999999;", "& lt;", "&LT;", "&#X41;",
        ] {
            #expect(try value(raw) == (raw, [.unknownReference: 1]), "\(raw)")
        }
        #expect(try value("&&lt;&amp;lt;") == ("&<&lt;", [.unknownReference: 1]))
    }

    @Test("a device written without references is kept and counted")
    func unescapedDevice() throws {
        let device = "<<HKDevice: 0x1>, name:Apple Watch>"
        #expect(try value(device) == (device, [.unescapedLessThan: 2]))
    }

    @Test("an attribute twice in a tag is given twice and counted")
    func duplicateAttributes() {
        let scan = Scan("<r startDate='1' a='' startDate='2' startDate='3'/>")
        #expect(scan.repairs == [.duplicateAttribute: 2])
        #expect(
            scan.events.first
                == .start(
                    "r",
                    [
                        .init(name: "startDate", value: "1"), .init(name: "a", value: ""),
                        .init(name: "startDate", value: "2"), .init(name: "startDate", value: "3"),
                    ]))
        let many = (0..<500).map { " a\($0)=''" }.joined()
        #expect(Scan("<r\(many)/>").repairs == [:])
        #expect(Scan("<r\(many) a0='' a499=''/>").repairs == [.duplicateAttribute: 2])
    }

    @Test("attribute names with spaces, as iOS 8 wrote them, go up to the =")
    func irregularNames() {
        let scan = Scan("<Record source='a' Withings Link =\"x\" 1st='y' a#b='z' c/d='w' />")
        #expect(scan.repairs == [.irregularAttributeName: 4])
        #expect(
            scan.events.first
                == .start(
                    "Record",
                    [
                        .init(name: "source", value: "a"),
                        .init(name: "Withings Link", value: "x"), .init(name: "1st", value: "y"),
                        .init(name: "a#b", value: "z"), .init(name: "c/d", value: "w"),
                    ]))
    }

    @Test(
        "a malformed tag costs itself only",
        arguments: [
            "<Record type=A/>", "<Record type=\"A/>", "<Record type='A/>",
            "<Record type=\"A\" \"/>",
            "<Record type=\"A\"value=\"1\"/>", "<Record =\"A\"/>", "<Record type/>", "<Record <b/>",
            "<Record / a='1'>", "< Record/>", "<5/>", "<Record a='1' /", "<Record a='\n\0'b='<'/>",
            "<!RECORD>", "<\u{0}>", "<Record a=>", "<![CDAT[ ]]>", "</>", "</ Record>",
            "<Record\u{0} a='1'/>", "<Record a\u{1}b='1'/>", "< <", "<", "</Record a='1'>",
        ])
    func malformedTags(tag: String) {
        let text = "<HealthData>\n <a/>\n \(tag)\n\r \t<b/>\n</HealthData>"
        let scan = Scan(text)
        #expect(starts(scan) == ["HealthData", "a", "b"])
        #expect(scan.repairs[.malformedTag] == 1)
        #expect(scan.ending == .complete)
        let place = text.utf8.count - "\(tag)\n\r \t<b/>\n</HealthData>".utf8.count
        #expect(scan.offsets.contains(Int64(place)))
        #expect(skipped(scan).first?.hasPrefix(tag) == true)
        for border in 1..<text.utf8.count {
            #expect(Scan(text, pieces: [border, 1 << 20]) == scan, "border \(border)")
        }
    }

    @Test("skipped text is passed to the caller, up to a limit")
    func longFragment() throws {
        let junk = String(repeating: "x", count: 30 << 20)
        let scan = Scan("<r>\n<a b=c\(junk)\n<d/>\n</r>")
        #expect(starts(scan) == ["r", "d"])
        #expect(
            try #require(skipped(scan).first).utf8.count == ElementScanner.maximumFragmentLength)
    }

    @Test("a missing end tag is implied by the parent's end")
    func missingEnd() {
        let scan = Scan("<r><a><b></a><c/></r>")
        #expect(scan.repairs == [.missingEndTag: 1])
        #expect(
            scan.events == [
                .start("r", []), .start("a", []), .start("b", []), .end("b"), .end("a"),
                .start("c", []), .end("c"), .end("r"),
            ])
    }

    @Test("an unmatched end tag is skipped")
    func unmatchedEnd() {
        let scan = Scan("<r></Workout><a/></r></r>")
        #expect(scan.repairs == [.unmatchedEndTag: 2])
        #expect(skipped(scan) == ["</Workout>", "</r>"])
        #expect(scan.ending == .complete)
    }

    @Test("a second root and junk around the root are reported")
    func outsideRoot() {
        let scan = Scan("junk <a/> more <b><c/></b> \0\0")
        #expect(scan.repairs == [.contentOutsideRoot: 4])
        #expect(starts(scan) == ["a", "b", "c"])
        #expect(skipped(scan) == ["junk", "more", "\0\0"])
    }

    @Test("a truncated file is reported with its offset")
    func truncation() {
        #expect(Scan("<r><a b='").ending == .truncated(offset: 3))
        #expect(Scan("<r><a/>\n ").ending == .truncated(offset: 9))
        #expect(Scan("<r><!-- ").ending == .truncated(offset: 3))
        #expect(Scan("<r/><!-- ").ending == .truncated(offset: 4))
        #expect(Scan("<r/>  <?x ").ending == .truncated(offset: 6))
        #expect(Scan("<!DOCTYPE r [ <!-- ]> ").ending == .truncated(offset: 0))
        #expect(Scan("").ending == .noElement)
        #expect(Scan("  \n").ending == .noElement)
        #expect(Scan("<").ending == .truncated(offset: 0))
    }

    @Test(
        "an encoding other than UTF-8 is refused", arguments: ["UTF-16", "ISO-8859-1", "", "utf-7"])
    func encodings(encoding: String) {
        let scan = Scan("<?xml version='1.0' encoding='\(encoding)'?><r/>")
        #expect(scan.error?.code == .unsupportedEncoding(encoding))
    }

    @Test("UTF-16 is refused by its first bytes")
    func utf16() {
        for bytes: [UInt8] in [[0xFF, 0xFE, 60, 0], [0xFE, 0xFF, 0, 60], [60, 0], [0, 60]] {
            #expect(Scan(bytes).error?.code == .unsupportedEncoding("UTF-16"), "\(bytes)")
        }
    }

    @Test("exceeded limits are errors with an offset")
    func limits() {
        let gigantic = String(repeating: "x", count: ElementScanner.maximumMarkupLength * 2)
        #expect(
            Scan("<r><a b='\(gigantic)'/></r>").error
                == ArchiveError(.markupTooLong, in: "test.xml", at: 3))
        #expect(Scan("<r>\(gigantic)</r>").error?.code == .markupTooLong)
        #expect(Scan("<r><![CDATA[\(gigantic)]]></r>").error?.code == .markupTooLong)
        #expect(Scan("<r><!--\(gigantic)--></r>").ending == .complete)
        #expect(Scan("<?\(gigantic)?><r/>").error?.code == .markupTooLong)
        #expect(Scan("<!DOCTYPE r [<!--\(gigantic)-->]><r/>").error?.code == .documentTypeTooLong)
        let deep = String(repeating: "<a>", count: ElementScanner.maximumDepth + 1)
        #expect(Scan(deep).error == ArchiveError(.nestedTooDeeply, in: "test.xml", at: 3072))
        let wide = (0...ElementScanner.maximumAttributes).map { " a\($0)=''" }.joined()
        #expect(Scan("<r\(wide)/>").error?.code == .tooManyAttributes)
        let names = String(repeating: "<\(String(repeating: "n", count: 60_000))>", count: 2)
        #expect(Scan(names).error?.code == .nestedTooDeeply)
    }

    @Test("each malformed line loses only that line")
    func manyMissingQuotes() {
        let count = 20_000
        let line = "<Record type=\"A\" value=\"5/>\n <Record type='B/>\n <Record/>\n"
        let scan = Scan("<r>\n" + String(repeating: line, count: count) + "</r>")
        #expect(scan.repairs == [.malformedTag: 2 * count])
        #expect(starts(scan).count == count + 1)
    }
}

@Suite("Document types")
struct DocumentTypeTests {
    @Test("the malformed document type of iOS 16.0 is skipped and reported")
    func iOS16() {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!-- HealthKit Export Version: 12 -->
            <!ELEMENT HealthData (ExportDate,Me,(Record|VisionPrescription)*)>
            <!ATTLIST VisionPrescription
              type CDATA #REQUIRED
              brand CDATA #IMPLIED
            <!ELEMENT RightEye EMPTY>
            <!ATTLIST LeftEye
              sphere CDATA #IMPLIED
            >
              device CDATA #IMPLIED
            <!ELEMENT MetadataEntry EMPTY>
            <!ATTLIST MetadataEntry key CDATA #REQUIRED>
            >
            ]>
            <HealthData locale="en_US"/>
            """
        let scan = Scan(text)
        #expect(
            scan.events.first == .start("HealthData", [.init(name: "locale", value: "en_US")]))
        #expect(scan.repairs == [.malformedDocumentType: 1])
        #expect(scan.version == 12)
        #expect(scan.ending == .complete)
    }

    @Test(
        "unexpected declarations are rejected",
        arguments: [
            "<!DOCTYPE r [<!ENTITY a 'b'>]>", "<!DOCTYPE r [<!ENTITY % a SYSTEM 'b'>]>",
            "<!DOCTYPE r SYSTEM 'file:///etc/passwd'>", "<!DOCTYPE r PUBLIC 'a' 'b' []>",
            "<!DOCTYPE r [<!NOTATION n SYSTEM 'x'>]>", "<!DOCTYPE r [%a;]>",
            "<!DOCTYPE r [<![INCLUDE[]]>]>", "<!DOCTYPE r [\n<!ELEMENT r ANY\n<!ENTITY a 'b'>\n]>",
            "<!DOCTYPE r\nSYSTEM\n'x'>", "<!DOCTYPE r [<!-- x <!ENTITY a 'b'> ]>\n",
        ])
    func refused(type: String) throws {
        let error = try #require(Scan(type + "<r>&a;</r>").error)
        guard case .refusedDeclaration = error.code else {
            Issue.record("\(error)")
            return
        }
        #expect(error.offset == 0)
    }

    @Test("quotes and comments may contain the end of a document type")
    func quotes() {
        let scan = Scan(
            "<!DOCTYPE r [<!ATTLIST r a CDATA ']>' b CDATA \"'>\"><!-- ]> <!ENTITY -->]><r/>")
        #expect(scan.repairs == [.attributeDefault: 1])
        #expect(scan.events == [.start("r", []), .end("r")])
    }

    @Test("an unclosed quote or comment does not consume the file")
    func unclosed() {
        for type in ["<!ATTLIST r a CDATA 'x>", "<!-- x ", "<!ATTLIST r a CDATA \"\n", "<?x "] {
            let scan = Scan("<!DOCTYPE r [\n\(type)\n]>\n<r><a/></r>")
            #expect(scan.repairs == [.malformedDocumentType: 1], "\(type)")
            #expect(scan.ending == .complete, "\(type)")
            #expect(scan.events.count == 4, "\(type)")
        }
    }
}
