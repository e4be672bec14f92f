import Foundation
import Testing

/// The one browser and the one person that all checks look at.
actor Browser {
    static let shared = Browser()

    private var opening: Task<(BrowserTab, ServedPerson), any Error>?

    /// A tab that has been let in, on its way from nowhere: light, a desktop's width, scripts on.
    func tab() async throws -> (tab: BrowserTab, person: ServedPerson) {
        let task =
            opening
            ?? Task {
                let path = try #require(Chromium.path)
                let person = try await ServedPerson(.watchWearer)
                let tab = try await BrowserTab(try DevTools(chromium: path))
                try await tab.load(person.entrance)
                return (tab, person)
            }
        opening = task
        let (tab, person) = try await task.value
        try await tab.tell("Emulation.setScriptExecutionDisabled", ["value": false])
        try await tab.scheme("light")
        try await tab.size(1280, 900)
        tab.forget()
        return (tab, person)
    }
}

/// Checks of the pages in a real browser; they take turns at its one tab.
@Suite(
    .serialized,
    .enabled(
        if: Chromium.isInstalled, "no Chromium: install chromium to run the browser checks"))
struct BrowserTests {
    /// The eight pages, and one workout.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case today = "/"
        case trends = "/trends"
        case sleep = "/sleep"
        case workouts = "/workouts"
        case workout = "/workouts/…"
        case weight = "/weight"
        case why = "/why"
        case data = "/data"
        case checkUp = "/check-up"

        var testDescription: String { rawValue }
    }

    /// Opens a page; nil for a workout if there is none.
    static func open(
        _ place: Place, _ tab: BrowserTab, of person: ServedPerson
    ) async throws -> String {
        var path = place.rawValue
        if place == .workout {
            try await tab.load(person.base + "/workouts")
            path = try await tab.value(
                "document.querySelector('main a[href^=\"/workouts/\"]').getAttribute('href')")
            tab.forget()
        }
        try await tab.load(person.base + path)
        return path
    }
}
