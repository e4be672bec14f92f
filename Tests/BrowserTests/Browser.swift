import Foundation
import Testing

/// The browser and the served person that all tests share.
actor Browser {
    static let shared = Browser()

    private var opening: Task<(BrowserTab, ServedPerson), any Error>?

    /// Returns a signed-in tab on a blank page, with light colours, a desktop's width and scripts
    /// enabled.
    func tab() async throws -> (tab: BrowserTab, person: ServedPerson) {
        let task =
            opening
            ?? Task {
                let path = try #require(Chromium.path)
                let person = try await ServedPerson(.watchWearer)
                let tab = try await BrowserTab(try DevTools(chromium: path))
                try await tab.load(person.signInAddress)
                return (tab, person)
            }
        opening = task
        let (tab, person) = try await task.value
        try await tab.send("Emulation.setScriptExecutionDisabled", ["value": false])
        try await tab.scheme("light")
        try await tab.size(1280, 900)
        tab.clear()
        return (tab, person)
    }
}

/// Tests of the pages in a real browser. They share one tab and run one after another.
@Suite(
    .serialized,
    .enabled(
        if: Chromium.isInstalled, "no Chromium: install chromium to run the browser checks"))
struct BrowserTests {
    /// The pages, and a workout's page.
    enum TestPage: String, CaseIterable, CustomTestStringConvertible {
        case today = "/"
        case type = "/type/heartRate"
        case browse = "/browse"
        case cards = "/cards"
        case compare = "/compare"
        case report = "/report"
        case notes = "/notes"
        case sleep = "/sleep"
        case workouts = "/workouts"
        case workout = "/workouts/…"
        case weight = "/weight"
        case why = "/why"
        case data = "/data"
        case checkUp = "/check-up"

        var testDescription: String { rawValue }
    }

    /// Opens a page. Returns its address, or nil for a workout if there is none.
    static func open(
        _ place: TestPage, _ tab: BrowserTab, of person: ServedPerson
    ) async throws -> String {
        var path = place.rawValue
        if place == .workout {
            try await tab.load(person.base + "/workouts")
            path = try await tab.value(
                "document.querySelector('main a[href^=\"/workouts/\"]').getAttribute('href')")
            tab.clear()
        }
        try await tab.load(person.base + path)
        return path
    }
}
