import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// The options that every subcommand has.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store's file. Default: $OPENHEALTH_STORE, else health.sqlite in "
                + "$XDG_DATA_HOME/openhealth or ~/.local/share/openhealth.",
            valueName: "path"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "The person whose store to use, in a separate file beside the default store.",
            valueName: "name"))
    var `as`: String?

    @Option(
        help: ArgumentHelp(
            "The time zone of days, for example Europe/Berlin. Default: the store's home zone.",
            valueName: "zone"))
    var timeZone: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// The path of the store, from the options and the environment.
    ///
    /// - Throws: ``UsageError``; see ``StorePath/resolved(store:person:environment:home:)``.
    var path: String {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            return try StorePath.resolved(
                store: store, person: `as`, environment: environment,
                home: StorePath.home(environment))
        }
    }

    /// Opens the store, after validating `--time-zone`.
    ///
    /// - Throws: ``UsageError`` for invalid options, ``CommandError`` if the store's first import
    ///   is still running, `StoreError` if it can't be opened.
    func open(_ access: SampleStore.Access = .reading) throws -> SampleStore {
        _ = try explicitTimeZone
        return try RunningImport.reportingErrors(of: path) {
            try SampleStore(at: path, access: access)
        }
    }

    /// Returns the type with a name as people write it: "stepCount", "steps", "HRV".
    ///
    /// - Throws: ``UsageError`` for an unknown name, with a suggestion if there is a similar one.
    func type(_ name: String, in store: SampleStore) throws -> SampleType {
        if let type = Catalogue.type(called: name) { return type }
        do {
            return try store.type(named: name)
        } catch let error as StoreError where error.code == .unknownType {
            guard let near = Catalogue.suggestion(for: name) else {
                throw UsageError(error.sentence)
            }
            throw UsageError("Unknown type “\(name.printable)”. Did you mean \(near)?")
        }
    }

    /// The time zone of `--time-zone`; nil without the option.
    ///
    /// - Throws: ``UsageError`` for an unknown name.
    var explicitTimeZone: TimeZone? {
        get throws {
            guard let timeZone else { return nil }
            if let zone = TimeZone(identifier: timeZone), ZoneNames.isPlausible(timeZone) {
                return zone
            }
            throw UsageError(ZoneNames.invalidNameMessage(about: timeZone))
        }
    }

    /// Returns the calendar for output: in `--time-zone`, else the store's home zone, else the
    /// system's.
    ///
    /// - Parameter firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    func calendar(of store: SampleStore, firstWeekday: Int = 2) throws -> CalendarBuckets {
        CalendarBuckets(timeZone: try zone(of: store), firstWeekday: firstWeekday)
    }

    private func zone(of store: SampleStore) throws -> TimeZone {
        if let zone = try explicitTimeZone { return zone }
        guard let home = try store.homeZone else { return .current }
        guard let zone = TimeZone(identifier: home.identifier) else {
            throw CommandError(
                "The store's home zone \(home.identifier) is unknown on this computer: install the "
                    + "time zone database (tzdata), or use --time-zone.")
        }
        return zone
    }
}

/// Validates names of time zones and suggests corrections.
enum ZoneNames {
    /// Returns false for abbreviations such as "EST", which Foundation accepts although they are
    /// ambiguous.
    static func isPlausible(_ name: String) -> Bool {
        name.contains("/") || name == "UTC" || name == "GMT"
            || TimeZone.knownTimeZoneIdentifiers.contains(name)
    }

    static func invalidNameMessage(about name: String) -> String {
        let known = TimeZone.knownTimeZoneIdentifiers
        if known.isEmpty {
            return "The time zone “\(name)” can't be checked: install the time zone database "
                + "(tzdata)."
        }
        let near = SpellingSuggestion.best(for: name, among: known)
        return "Unknown time zone “\(name)”. "
            + (near.map { "Did you mean \($0)?" }
                ?? "Use an IANA name, for example Europe/Berlin.")
    }
}
