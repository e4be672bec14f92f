import Foundation
import HealthDashboard
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// The choice of units, week, clock and notation.
@Suite struct SettingsPageTests {
    @Test("what isn't chosen follows the browser, and a choice is kept until it is removed")
    func choices() throws {
        let recorded = try RecordedStore()
        try recorded.add("stepCount", "Watch", 0, 60, 10)
        try recorded.write()
        let store = try recorded.open()
        var chosen = try ChosenSettings(in: store)
        #expect(chosen == ChosenSettings())
        #expect(chosen.settings(for: "de-DE") == PageSettings(languages: "de-DE"))
        (chosen.units, chosen.firstWeekday) = (.imperial, 7)
        try chosen.save(in: store)
        let kept = try ChosenSettings(in: store)
        #expect(kept == chosen)
        let settings = kept.settings(for: "de-DE")
        #expect(settings.units == .imperial && settings.firstWeekday == 7)
        #expect(settings.notation == .german)
        try ChosenSettings().save(in: store)
        #expect(try ChosenSettings(in: store) == ChosenSettings())
    }

    @Test("a form's empty fields choose nothing, and unknown values are refused")
    func form() throws {
        func query(_ fields: [(String, String)]) -> PageQuery {
            PageQuery(path: "/settings", form: fields.map { .init($0.0, $0.1) })
        }
        #expect(try ChosenSettings(query([("units", ""), ("clock", "")])) == ChosenSettings())
        let chosen = try ChosenSettings(query([("clock", "12"), ("firstWeekday", "1")]))
        #expect(chosen.clock == .hours12 && chosen.firstWeekday == 1)
        for wrong in [
            ("units", "furlongs"), ("clock", "13"), ("firstWeekday", "8"), ("firstWeekday", "x"),
            ("notation", "xx"),
        ] {
            #expect(throws: PageError.self) { try ChosenSettings(query([wrong])) }
        }
    }

    @Test("the page names what the browser's language means, and marks the choice")
    func page() throws {
        var chosen = ChosenSettings()
        chosen.clock = .hours12
        let page = SettingsPage(chosen, for: "fr-FR,fr;q=0.9", timeZone: .gmt, now: .now)
        #expect(page.sentence.contains("8\u{202F}214,5") && page.sentence.contains("7:42 pm"))
        let markup = try Markup(page.html(PageFrame(formKey: "key")))
        #expect(markup.all("select").count == 4)
        #expect(markup.all("option").contains { $0.text == "as the browser: 19:42" })
        let marked = markup.all("option").filter { $0.attributes["selected"] != nil }
        #expect(marked.map { $0.attributes["value"] } == ["", "", "12", ""])
    }
}
