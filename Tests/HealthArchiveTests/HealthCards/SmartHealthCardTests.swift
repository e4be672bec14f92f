import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite struct SmartHealthCardTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// A payload in the form of the specification's example.
    private static func payload(_ items: String, _ extra: String = "") -> String {
        """
        {"iss":"https://example.com/issuer","nbf":1591037940\(extra),"vc":{"type":[
        "https://smarthealth.cards#health-card","https://smarthealth.cards#immunization",
        "https://smarthealth.cards#covid19"],"credentialSubject":{"fhirVersion":"4.0.1",
        "fhirBundle":{"resourceType":"Bundle","type":"collection","entry":[
        {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"family":"Anyperson",
        "given":["John","B."]}],"birthDate":"1951-01-20"}}\(items)]}}}}
        """
    }

    private static let doses = """
        ,{"resource":{"resourceType":"Immunization","status":"completed","vaccineCode":{"coding":[
        {"system":"http://hl7.org/fhir/sid/cvx","code":"207"}]},"occurrenceDateTime":"2021-01-01"}},
        {"resource":{"resourceType":"Immunization","vaccineCode":{"coding":[{"display":"Moderna"}]},
        "occurrenceDateTime":"2021-01-29"}}
        """

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Returns a card whose payload is deflated by Python's zlib, or stored without compression.
    private static func jws(_ payload: [UInt8]) -> String {
        // A stored block of DEFLATE: final, its length, and the complement of the length.
        var blocks: [UInt8] = []
        var rest = payload[...]
        repeat {
            let piece = rest.prefix(65_535)
            rest = rest.dropFirst(piece.count)
            let length = UInt16(piece.count)
            blocks += [rest.isEmpty ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8)]
            blocks += [UInt8(~length & 0xFF), UInt8(~length >> 8)] + piece
        } while !rest.isEmpty
        let header = base64URL(Array(#"{"zip":"DEF","alg":"ES256","kid":"1"}"#.utf8))
        return header + "." + base64URL(blocks) + "." + base64URL([1, 2, 3])
    }

    private func importCards(_ cards: [String]) throws -> SmartHealthCardImporter.Report {
        let json = try JSONEncoder().encode(["verifiableCredential": cards])
        let file = try folder.write("card.smart-health-card", Array(json))
        #expect(SmartHealthCardImporter.canRead(file))
        return try SmartHealthCardImporter(
            path: file, store: path, systemTimeZone: "Europe/Berlin", now: 8e8
        ).run()
    }

    @Test("a card has its kinds, issuer, person, dates and items")
    func contents() throws {
        let jws = Self.jws(Array(Self.payload(Self.doses, ",\"exp\":1691037940").utf8))
        let card = try SmartHealthCard(jws)
        let record = card.record
        #expect(
            record.recordTypes == [
                "https://smarthealth.cards#immunization", "https://smarthealth.cards#covid19",
            ])
        #expect(record.issuer == "https://example.com/issuer")
        #expect(record.fullName == "John B. Anyperson" && record.dateOfBirth == "1951-01-20")
        #expect(record.issued == 612_730_740.0)
        #expect(record.expires == 712_730_740.0)
        #expect(record.itemNames == ["CVX 207", "Moderna"] && record.data == jws)
        // 2021-01-29T00:00:00Z
        #expect(card.relevant == 633_571_200)
    }

    @Test("a card deflated by Python's zlib is read", .comparedWithPython)
    func deflated() throws {
        let program = """
            import zlib, base64, sys
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            data = deflate.compress(sys.argv[1].encode()) + deflate.flush()
            print(base64.urlsafe_b64encode(data).decode().rstrip("="))
            """
        let payload = try Python.run(program, [Self.payload(Self.doses)])
        let header = Self.base64URL(Array(#"{"zip":"DEF","alg":"ES256"}"#.utf8))
        #expect(try SmartHealthCard("\(header).\(payload).AQID").record.itemNames.count == 2)
    }

    @Test("other texts are no cards, and an inflated payload is limited")
    func damaged() throws {
        let good = Self.jws(Array(Self.payload(Self.doses).utf8))
        let parts = good.split(separator: ".").map(String.init)
        let bomb = Self.jws([UInt8](repeating: UInt8(ascii: " "), count: 3 << 20))
        let unnamed = Self.payload("").replacing("Patient", with: "Group")
        let endless = Self.payload("").replacing("1591037940", with: "1e300")
        let cases: [(String, SmartHealthCard.Fault)] = [
            ("", .notSigned), ("a.b", .notSigned), ("\(parts[0]).\(parts[1]).", .notSigned),
            ("!.\(parts[1]).\(parts[2])", .notSigned),
            ("\(parts[0]).\(parts[1].dropLast(20)).\(parts[2])", .damaged),
            (Self.jws(Array("[]".utf8)), .notCard), (Self.jws([0xFF]), .notCard),
            (bomb, .notSigned),
            (Self.jws(Array(unnamed.utf8)), .noPerson), (Self.jws(Array(endless.utf8)), .noDate),
        ]
        for (text, fault) in cases {
            do throws(SmartHealthCard.Fault) {
                _ = try SmartHealthCard(text)
                Issue.record("accepted")
            } catch {
                #expect(error == fault)
            }
        }
        #expect(RawDeflate.inflated([0xED, 0xC1], limit: 10) == nil)
        let deep = String(repeating: "[", count: 200_000)
        #expect(throws: SmartHealthCard.Fault.self) {
            try SmartHealthCard(Self.jws(Array(deep.utf8)))
        }
    }

    @Test("a value that is no string counts as a card that can't be read")
    func otherValues() throws {
        let card = Self.jws(Array(Self.payload(Self.doses).utf8))
        let json = #"{"verifiableCredential":["\#(card)","bad.bad.bad",7,null,{},["a"]]}"#
        let file = try folder.write("card.smart-health-card", Array(json.utf8))
        let report = try SmartHealthCardImporter(
            path: file, store: path, systemTimeZone: "Europe/Berlin", now: 8e8
        ).run()
        #expect(report.cards == 6 && report.new == 1)
        #expect(report.unread == ["not a JSON Web Signature": 5])
    }

    @Test("an import stores each card once; like other saved samples, it isn't undone")
    func imported() throws {
        let first = Self.jws(Array(Self.payload(Self.doses).utf8))
        let second = Self.jws(Array(Self.payload("").utf8))
        let report = try importCards([first, "damaged", second])
        #expect(report.cards == 3 && report.new == 2)
        #expect(report.unread == ["not a JSON Web Signature": 1])
        #expect(try importCards([second, first]).new == 0)
        let store = try SampleStore(at: path, access: .writing)
        #expect(try store.check().isEmpty)
        #expect(try store.types().map(\.type.name) == ["verifiableClinicalRecord"])
        #expect(try store.types().map(\.samples) == [2])
        #expect(try store.imports().count == 2)
        _ = try store.undoImport(2)
        #expect(throws: ImportUndoError.self) { try store.undoImport(1) }
        #expect(try store.types().map(\.samples) == [2])
    }

    @Test("a file without cards changes nothing")
    func notCards() throws {
        let file = try folder.write("x.smart-health-card", Array("{\"a\":1}".utf8))
        #expect(throws: SmartHealthCardImporter.Fault.notCards) {
            try SmartHealthCardImporter(
                path: file, store: path, systemTimeZone: "UTC", now: 0
            ).run()
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
