import HealthEngine
import HealthSimulator
import Testing

/// The characteristics of simulated persons.
@Suite struct SimulatedMeTests {
    private func characteristics(
        seed: UInt64, end: CivilDate = CivilDate(2026, 10, 1)
    ) throws -> [String: String] {
        try Simulation(
            SimulatedPerson(seed: seed, days: 1, records: 2000, end: end)
        ).characteristics
    }

    @Test("each seed is another person, with facts that the catalogue knows and people have")
    func seeds() throws {
        var births: Set<String> = []
        var met: [String: Set<String>] = [:]
        for seed in 0..<UInt64(100) {
            let facts = try characteristics(seed: seed)
            for (name, value) in facts {
                let fact = try #require(Catalogue.characteristic(identifier: name))
                met[fact.name, default: []].insert(value)
            }
            let birth = try #require(facts["HKCharacteristicTypeIdentifierDateOfBirth"])
            let parts = birth.split(separator: "-").compactMap { Int($0) }
            try #require(parts.count == 3)
            #expect((1948...2004).contains(parts[0]) && (1...12).contains(parts[1]))
            #expect((1...CivilDate.length(month: parts[1], year: parts[0])).contains(parts[2]))
            births.insert(birth)
        }
        #expect(births.count >= 95, "of 20,000 days few are taken twice")
        #expect(
            met["biologicalSex"]?.isSuperset(of: ["HKBiologicalSexFemale", "HKBiologicalSexMale"])
                == true)
        #expect((met["bloodType"]?.count ?? 0) > 4)
        #expect(met["fitzpatrickSkinType"]?.count == 6)
    }

    @Test("a later export of one person says the same")
    func later() throws {
        for seed in 1...UInt64(5) {
            #expect(
                try characteristics(seed: seed)
                    == characteristics(seed: seed, end: CivilDate(2027, 3, 1)))
        }
    }
}
