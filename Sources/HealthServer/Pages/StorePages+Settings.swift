import Foundation
import HealthCalendar
import HealthDashboard
import HealthStorage

extension StorePages {
    /// The settings of a request's pages: what the person has chosen, else what is usual for the
    /// browser's language.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    func settings(for query: PageQuery) throws -> PageSettings {
        try ChosenSettings(in: store).settings(for: query.languages)
    }

    /// The choice of settings.
    @Sendable func settingsPage(_ query: PageQuery) async throws -> SettingsPage {
        SettingsPage(
            try ChosenSettings(in: store), for: query.languages,
            timeZone: calendar.calendar.timeZone, now: .now)
    }

    /// Saves the choice of settings.
    @Sendable func saveSettings(_ query: PageQuery) async throws -> String {
        let chosen = try ChosenSettings(query)
        try await save { try chosen.save(in: $0) }
        return SettingsPage.path
    }
}
