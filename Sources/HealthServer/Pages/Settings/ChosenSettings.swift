package import HealthDashboard
import HealthStorage

/// What a person has chosen for the pages of a store. What isn't chosen follows the browser.
package struct ChosenSettings: Hashable, Sendable, Codable {
    /// The system of units.
    package var units: PageSettings.Units?
    /// The first day of the week: 1 is Sunday, 7 is Saturday.
    package var firstWeekday: Int?
    /// The hours of a day's clock.
    package var clock: PageSettings.Clock?
    /// The separators of numbers and the order of dates.
    package var notation: PageSettings.Notation?

    /// Nothing is chosen.
    package init() {}

    /// Reads the choices in a store. Values of a later version that this one doesn't know count as
    /// not chosen.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    init(in store: SampleStore) throws {
        units = try store.value(of: .units).flatMap(PageSettings.Units.init(rawValue:))
        firstWeekday = try store.value(of: .firstWeekday).flatMap(Self.weekday)
        clock = try store.value(of: .clock).flatMap(PageSettings.Clock.init(rawValue:))
        notation = try store.value(of: .notation).flatMap(PageSettings.Notation.init(rawValue:))
    }

    /// Reads the choices in a submitted form, whose fields have the names of the preferences.
    ///
    /// - Throws: ``PageError`` for a value that can't be chosen.
    init(_ query: PageQuery) throws {
        units = try query.choice(Preference.units.rawValue, of: PageSettings.Units.self)
        clock = try query.choice(Preference.clock.rawValue, of: PageSettings.Clock.self)
        notation = try query.choice(Preference.notation.rawValue, of: PageSettings.Notation.self)
        if let text = query[Preference.firstWeekday.rawValue] {
            guard let day = Self.weekday(text) else {
                throw PageError.badRequest("“\(text.prefix(40))” is not a day of the week.")
            }
            firstWeekday = day
        }
    }

    /// Writes the choices to a store.
    ///
    /// - Throws: `StoreError` if it can't be written.
    func save(in store: SampleStore) throws {
        try store.set(.units, to: units?.rawValue)
        try store.set(.firstWeekday, to: firstWeekday.map { String($0) })
        try store.set(.clock, to: clock?.rawValue)
        try store.set(.notation, to: notation?.rawValue)
    }

    /// Returns the settings of pages: the choices, else what is usual for the browser's language.
    ///
    /// - Parameter languages: The header `Accept-Language`.
    package func settings(for languages: String) -> PageSettings {
        var settings = PageSettings(languages: languages)
        if let units { settings.units = units }
        if let firstWeekday { settings.firstWeekday = firstWeekday }
        if let clock { settings.clock = clock }
        if let notation { settings.notation = notation }
        return settings
    }

    private static func weekday(_ text: String) -> Int? {
        Int(text).flatMap { (1...7).contains($0) ? $0 : nil }
    }
}
