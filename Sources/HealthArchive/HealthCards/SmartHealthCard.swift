import Foundation
import HealthCalendar
import HealthEngine

/// A SMART Health Card: a FHIR bundle in a JSON Web Signature.
///
/// The signature isn't verified, because that needs the issuer's keys, which are on its web site.
struct SmartHealthCard {
    /// The reasons why a card can't be read.
    enum Fault: String, Error {
        case notSigned = "not a JSON Web Signature"
        case damaged = "the payload can't be inflated"
        case notCard = "the payload is not a health card"
        case noPerson = "the card names no person"
        case noDate = "the card has no date"
    }

    /// The content of the sample.
    var record: VerifiableClinicalRecord
    /// The date of the latest certified event, in reference seconds.
    var relevant: Double

    private static let maximumLength = 1 << 20
    private static let maximumItems = 100
    private static let typePrefix = "https://smarthealth.cards#"

    /// Reads a card.
    ///
    /// - Parameter jws: The signature in its compact form: header, payload and signature in
    ///   Base64URL, separated by dots. The payload is a raw DEFLATE stream of up to 1 MB.
    /// - Throws: ``Fault``.
    init(_ jws: String) throws(Fault) {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard jws.utf8.count <= SmartHealthCard.maximumLength, parts.count == 3,
            parts.allSatisfy({ !$0.isEmpty }),
            let header = SmartHealthCard.bytes(parts[0]).flatMap({
                try? JSONDecoder().decode(Header.self, from: Data($0))
            }), let payload = SmartHealthCard.bytes(parts[1]),
            SmartHealthCard.bytes(parts[2]) != nil
        else { throw .notSigned }
        var json = payload
        if header.zip != nil {
            let inflated = RawDeflate.inflated(payload, limit: SmartHealthCard.maximumLength)
            guard header.zip == "DEF", let inflated else { throw .damaged }
            json = inflated
        }
        guard let card = try? JSONDecoder().decode(Payload.self, from: Data(json)) else {
            throw .notCard
        }
        try self.init(card, jws)
    }

    private init(_ card: Payload, _ jws: String) throws(Fault) {
        let resources = card.vc.credentialSubject.fhirBundle.entry.compactMap(\.resource)
        let patient = resources.first { $0.resourceType == "Patient" }
        guard let patient, let name = patient.name?.first?.full else { throw .noPerson }
        let items = resources.filter { $0.resourceType != "Patient" }
            .prefix(SmartHealthCard.maximumItems)
        let issued = card.nbf - 978_307_200
        let relevant = items.compactMap(\.date).max() ?? issued
        guard abs(issued) < SampleTimes.limit, abs(relevant) < SampleTimes.limit,
            card.exp.map({ abs($0) < SampleTimes.limit }) ?? true
        else { throw .noDate }
        self.relevant = relevant
        record = VerifiableClinicalRecord(
            recordTypes: card.vc.type.filter {
                $0.hasPrefix(SmartHealthCard.typePrefix) && !$0.hasSuffix("#health-card")
            },
            issuer: card.iss, fullName: name, dateOfBirth: patient.birthDate, issued: issued,
            expires: card.exp.map { $0 - 978_307_200 }, itemNames: items.map(\.title),
            sourceType: "SMARTHealthCard", data: jws)
    }

    /// Decodes Base64URL without padding.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let standard = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
    }
}

// MARK: - The payload

extension SmartHealthCard {
    private struct Header: Decodable {
        var zip: String?
    }

    private struct Payload: Decodable {
        struct Credential: Decodable {
            var type: [String]
            var credentialSubject: Subject
        }

        struct Subject: Decodable {
            var fhirBundle: Bundle
        }

        struct Bundle: Decodable {
            var entry: [Entry]
        }

        struct Entry: Decodable {
            var resource: Resource?
        }

        var iss: String
        /// Seconds since 1970, like ``exp``.
        var nbf: Double
        var exp: Double?
        var vc: Credential
    }

    /// A patient, immunization or observation.
    private struct Resource: Decodable {
        struct Name: Decodable {
            var text: String?
            var prefix: [String]?
            var given: [String]?
            var family: String?
            var suffix: [String]?

            /// The name in one line; nil if it is empty.
            var full: String? {
                let parts = (prefix ?? []) + (given ?? []) + [family ?? ""] + (suffix ?? [])
                let joined = parts.filter { !$0.isEmpty }.joined(separator: " ")
                let name = joined.isEmpty ? text ?? "" : joined
                return name.isEmpty ? nil : name
            }
        }

        struct Concept: Decodable {
            struct Coding: Decodable {
                var system: String?
                var code: String?
                var display: String?
            }

            var text: String?
            var coding: [Coding]?
        }

        var resourceType: String
        var name: [Name]?
        var birthDate: String?
        var vaccineCode: Concept?
        var code: Concept?
        var occurrenceDateTime: String?
        var effectiveDateTime: String?

        /// When the event took place, in reference seconds; a day begins at midnight in UTC.
        var date: Double? {
            var text = occurrenceDateTime ?? effectiveDateTime ?? ""
            if text.utf8.count == 10 { text += "T00:00:00Z" }
            return InstantText.seconds(text)
        }

        /// The name for people. Cards usually have only a code, such as "CVX 207".
        var title: String {
            let concept = vaccineCode ?? code
            let coding = concept?.coding?.first
            if let name = concept?.text ?? coding?.display, !name.isEmpty { return name }
            guard let code = coding?.code else { return resourceType }
            let system = coding?.system?.split(separator: "/").last?.uppercased() ?? ""
            return system.isEmpty ? code : "\(system) \(code)"
        }
    }
}
