import HealthTesting
import Testing

@testable import HealthEngine

@Suite("Units at random")
struct HealthUnitRandomTests {
    @Test("every symbol with every prefix is parsed as itself and is unique")
    func everySymbol() throws {
        var seen: Set<String> = []
        for symbol in UnitTable.symbols {
            let prefixes = symbol.takesPrefix ? UnitTable.prefixes : []
            for prefix in [nil] + prefixes.map(Optional.some) {
                let name = (prefix?.symbol ?? "") + symbol.symbol
                #expect(seen.insert(name).inserted, "\(name) is two units")
                if symbol.isMolar { #expect(try HealthUnit(name).description == name) }
                let string = name + (symbol.isMolar ? "<180.1558800000541>" : "")
                let unit = try HealthUnit(string)
                #expect(unit.description == string)
                let scale = Ratio.powerOfTen(prefix?.power ?? 0)
                let mass = symbol.isMolar ? Ratio(180.1558800000541, 1) : .one
                #expect(unit.ratio.value == (symbol.ratio * mass * scale).value)
            }
        }
        #expect(seen.count == 48 + 14 * 13)
    }

    @Test("random compositions print and read back, and convert there and back")
    func compositions() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let names = UnitTable.spellings.keys.sorted()
        for _ in 0..<3_000 {
            let parts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                part(&random, names: names)
            }
            let slash = Int.random(in: 1...parts.count, using: &random)
            let separators = ["·", "*", ".", "⋅"]
            let separator = separators[Int.random(in: 0...3, using: &random)]
            let above = parts[..<slash].joined(separator: separator)
            let below = parts[slash...].joined(separator: separator)
            let string = below.isEmpty ? above : "\(above)/(\(below))"
            let unit = try HealthUnit(string)
            let back = try HealthUnit(unit.description)
            let context: Comment = "\(string), seed \(seed)"
            #expect(back == unit, context)
            #expect(back.hashValue == unit.hashValue, context)
            #expect(back.ratio == unit.ratio && back.dimension == unit.dimension, context)
            #expect(try unit.conversion(to: back) == .identity, context)
            #expect(unit.reciprocal.reciprocal == unit, context)
            #expect(try unit.multiplied(by: unit.reciprocal) == .null, context)
        }
    }

    private func part(_ random: inout SeededRandom, names: [String]) -> String {
        let name = names[Int.random(in: 0..<names.count, using: &random)]
        let isMolar = name.hasSuffix("mol")
        let power = Int.random(in: -3...3, using: &random)
        return name + (isMolar ? "<\(Double.random(in: 0.001...1e6, using: &random))>" : "")
            + (power == 1 ? "" : "^\(power)")
    }

    @Test("no string traps")
    func anyString() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let pieces = [
            "k", "m", "g", "mol", "<", ">", "1", "9", "^", "-", "/", "(", ")", "·", "⋅", ".", "*",
            "µ",
            "%", "count", "s", "degF", "\u{a0}", "é", "👟", "\u{0}", "99", "1/", "()", "<180.1>",
            "^-99", "((",
            "))",
        ]
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &random)
            let string = (0..<length).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            if let unit = try? HealthUnit(string) {
                let back = try? HealthUnit(unit.description)
                #expect(back == unit, "\(string.debugDescription), seed \(seed)")
            }
        }
    }
}
