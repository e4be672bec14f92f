import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthFormats

/// The codes of types and units.
@Suite struct FHIRCodeTests {
    @Test("every quantity type has a UCUM unit, except scores of effort")
    func units() {
        let without = Catalogue.types.filter { type in
            guard let unit = type.displayUnit else { return false }
            return FHIRUnit.unit(unit).ucum == nil
        }
        #expect(
            without.map(\.name).sorted() == ["estimatedWorkoutEffortScore", "workoutEffortScore"])
    }

    @Test("every row names a type of the catalogue, and a unit that can be read")
    func rows() throws {
        for row in FHIRCode.rows {
            #expect(Catalogue.type(identifier: row.identifier) != nil, "\(row.identifier)")
            #expect(!row.loinc.isEmpty)
            for code in row.loinc {
                #expect(code.wholeMatch(of: /[0-9]{1,7}-[0-9]/) != nil, "\(code)")
            }
        }
        for unit in FHIRUnit.rows {
            _ = try HealthUnit(unit.symbol)
            #expect(unit.scale == (unit.symbol == "%" ? 100 : 1))
        }
    }

    @Test("the table of Documentation/FHIR.md has every code")
    func documentation() throws {
        let file = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent("Documentation/FHIR.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for row in FHIRCode.rows {
            let type = try #require(Catalogue.type(identifier: row.identifier))
            let line = lines.first { $0.hasPrefix("| \(type.name) | ") }
            let cells = (line ?? "").split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let ucum = row.ucum ?? type.displayUnit.flatMap { FHIRUnit.unit($0).ucum }
            #expect(
                cells.prefix(3) == [
                    type.name, row.loinc.joined(separator: ", "),
                    ucum.map { "`\($0)`" } ?? "two components",
                ])
            #expect(cells.count < 5 || cells[4] == row.profile ?? "")
        }
    }

    /// The last digit of a LOINC code is a check digit (Luhn's algorithm).
    @Test("LOINC codes have the right check digit", arguments: FHIRCode.rows.flatMap(\.loinc))
    func checkDigit(code: String) {
        let digits = code.compactMap(\.wholeNumberValue)
        let sum = digits.dropLast().reversed().enumerated().reduce(0) { sum, digit in
            let doubled = digit.offset.isMultiple(of: 2) ? digit.element * 2 : digit.element
            return sum + doubled / 10 + doubled % 10
        }
        #expect((10 - sum % 10) % 10 == digits.last, "\(code)")
    }

    @Test("other notations of a unit have the same code, unknown ones none")
    func notations() {
        #expect(FHIRUnit.unit("min^-1*count").ucum == "/min")
        #expect(FHIRUnit.unit("mL/(kg*min)").ucum == "mL/kg/min")
        #expect(FHIRUnit.unit("furlong").ucum == nil)
        #expect(FHIRUnit.unit("").ucum == nil)
    }

    @Test("identifiers are UUIDs that depend on the store, the kind and the key")
    func identifiers() {
        let ids = FHIRIdentifiers(store: "a")
        let id = ids.identifier("sample", "1")
        #expect(
            id.wholeMatch(
                of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(id == FHIRIdentifiers(store: "a").identifier("sample", "1"))
        let others = [
            ids.identifier("sample", "2"), ids.identifier("sleep", "1"),
            FHIRIdentifiers(store: "b").identifier("sample", "1"),
        ]
        #expect(Set(others + [id]).count == 4)
    }

    @Test("names are written as words, and texts without control characters")
    func texts() {
        #expect(FHIRText.words("heartRateVariabilitySDNN") == "Heart rate variability SDNN")
        #expect(FHIRText.words("stepCount") == "Step count")
        #expect(FHIRText.words("") == "")
        #expect(FHIRText.string(" a\u{1}b\n") == "a\u{FFFD}b")
        #expect(FHIRText.string(" \u{A0}\n") == nil)
        #expect(FHIRText.code(" a \n b\u{A0}") == "a b")
        #expect(FHIRText.code("") == "unknown")
    }
}
