import Foundation
import Testing

@testable import HealthReview

@Suite("types that apps can't share")
struct DisallowedTypeTests {
    private struct Facts: Decodable {
        let types: [String]
    }

    @Test("the rule has those of Data/unsharable-types.json")
    func facts() throws {
        let data = try Data(
            contentsOf: Corpus.folder.deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Data/unsharable-types.json"))
        let facts = try JSONDecoder().decode(Facts.self, from: data)
        let names = facts.types.map { identifier in
            let name = identifier.replacing(/^HK[A-Z][a-z]+TypeIdentifier/, with: "")
            return name.prefix(1).lowercased() + name.dropFirst()
        }
        #expect(DisallowedType.readOnly == Set(names))
    }
}
