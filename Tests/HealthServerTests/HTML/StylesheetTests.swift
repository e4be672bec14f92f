import Foundation
import Testing

@testable import HealthServer

@Suite struct StylesheetTests {
    @Test("body text has a contrast of seven to one, captions of four and a half, in both themes")
    func contrast() throws {
        for theme in [Stylesheet.light, Stylesheet.dark] {
            let colours = Dictionary(theme, uniquingKeysWith: { first, _ in first })
            func ratio(_ front: String, _ back: String) throws -> Double {
                let (a, b) = (
                    try luminance(#require(colours[front])), try luminance(#require(colours[back]))
                )
                return (max(a, b) + 0.05) / (min(a, b) + 0.05)
            }
            for ground in ["paper", "card", "notice", "usual"] {
                #expect(try ratio("ink", ground) >= 7, "ink on \(ground)")
            }
            for ground in ["paper", "card", "usual"] {
                #expect(try ratio("quiet", ground) >= 4.5, "quiet on \(ground)")
                #expect(try ratio("accent", ground) >= 4.5, "accent on \(ground)")
                #expect(try ratio("data", ground) >= 4.5, "data on \(ground)")
            }
            #expect(try ratio("accent-ink", "accent") >= 7)
            #expect(try ratio("strong", "card") >= 3)
        }
    }

    @Test("the two themes set the same variables")
    func themes() {
        #expect(Stylesheet.light.map(\.name) == Stylesheet.dark.map(\.name))
    }

    @Test("type has six sizes")
    func sizes() {
        let sizes = Stylesheet.text.matches(of: /font(?:-size)?:(\d+)px/).map { String($0.1) }
        #expect(Set(sizes) == ["13", "15", "17", "22", "34", "56"])
    }

    @Test("marks have a contrast of three to one with the card, in both themes and also unselected")
    func marks() throws {
        for theme in [Stylesheet.light, Stylesheet.dark] {
            let colours = Dictionary(theme, uniquingKeysWith: { first, _ in first })
            let card = try luminance(#require(colours["card"]))
            let names = Stylesheet.domains.flatMap { [$0.name, $0.name + "-rest"] }
            for name in names + ["data", "rest", "deep", "core", "rem", "awake"] {
                let mark = try luminance(#require(colours[name]))
                let ratio = (max(mark, card) + 0.05) / (min(mark, card) + 0.05)
                #expect(ratio >= 3, "\(name): \(ratio)")
            }
        }
    }

    @Test("sleep stages differ in lightness, from deep to awake")
    func stages() throws {
        for theme in [Stylesheet.light, Stylesheet.dark] {
            let colours = Dictionary(theme, uniquingKeysWith: { first, _ in first })
            let card = try luminance(#require(colours["card"]))
            let contrasts = try ["deep", "core", "rem", "awake"].map { name in
                let mark = try luminance(#require(colours[name]))
                return (max(mark, card) + 0.05) / (min(mark, card) + 0.05)
            }
            #expect(zip(contrasts, contrasts.dropFirst()).allSatisfy { $0 > $1 * 1.2 })
        }
    }

    @Test("every variable that is used is set")
    func variables() {
        let used = Set(Stylesheet.text.matches(of: /var\(--([a-z0-9-]+)\)/).map { String($0.1) })
        let ranks = Stylesheet.sources.indices.map { "s\($0 + 1)" }
        #expect(used.subtracting(Stylesheet.light.map(\.name) + ranks).isEmpty)
    }

    @Test("the stylesheet loads nothing from another host")
    func closed() {
        #expect(!Stylesheet.text.contains("url(h") && !Stylesheet.text.contains("@import"))
        #expect(
            Stylesheet.text.filter { $0 == "{" }.count == Stylesheet.text.filter { $0 == "}" }.count
        )
    }

    /// Returns the relative luminance as defined by WCAG 2.
    private func luminance(_ colour: String) throws -> Double {
        let number = try #require(UInt32(colour.dropFirst(), radix: 16))
        let parts = [16, 8, 0].map { shift -> Double in
            let share = Double((number >> UInt32(shift)) & 255) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
