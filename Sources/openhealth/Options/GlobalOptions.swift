import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// What every subcommand understands.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store's file. Default: $OPENHEALTH_STORE, else health.sqlite in "
                + "$XDG_DATA_HOME/openhealth or ~/.local/share/openhealth.",
            valueName: "path"))
    var store: String?

    @Option(
        help: ArgumentHelp("Another person: a store of their own beside it.", valueName: "name"))
    var `as`: String?

    @Option(
        help: ArgumentHelp(
            "Where days begin, as Europe/Berlin. Default: the store's home zone.",
            valueName: "zone"))
    var timeZone: String?

    @Flag(help: "Answer in JSON.")
    var json = false

    /// The store's file, from the options and the surroundings.
    var path: String {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            return try StorePath.resolved(
                store: store, person: `as`, environment: environment,
                home: StorePath.home(environment))
        }
    }

    /// Opens the store, having checked the options first.
    func open(_ access: SampleStore.Access = .reading) throws -> SampleStore {
        _ = try givenZone
        return try RunningImport.telling(of: path) {
            try SampleStore(at: path, access: access)
        }
    }

    /// The type of a name.
    func type(_ name: String, in store: SampleStore) throws -> SampleType {
        try WrongUsage.checking { try store.type(named: name) }
    }

    /// `--time-zone`, checked.
    var givenZone: TimeZone? {
        get throws {
            guard let timeZone else { return nil }
            if let zone = TimeZone(identifier: timeZone), ZoneNames.isPlausible(timeZone) {
                return zone
            }
            throw WrongUsage(ZoneNames.complaint(about: timeZone))
        }
    }

    /// The calendar of the answer: `--time-zone`, else the store's home zone, else the system's.
    func calendar(of store: SampleStore, firstWeekday: Int = 2) throws -> CalendarBuckets {
        CalendarBuckets(timeZone: try zone(of: store), firstWeekday: firstWeekday)
    }

    private func zone(of store: SampleStore) throws -> TimeZone {
        if let zone = try givenZone { return zone }
        guard let home = try store.homeZone else { return .current }
        guard let zone = TimeZone(identifier: home.identifier) else {
            throw NotDone(
                "The store's home zone \(home.identifier) is unknown here: install the time zone "
                    + "database (tzdata), or say --time-zone.")
        }
        return zone
    }
}

/// Names of time zones, as people mistype them.
enum ZoneNames {
    /// Foundation also takes abbreviations such as "EST", which mean different zones to different
    /// people.
    static func isPlausible(_ name: String) -> Bool {
        name.contains("/") || name == "UTC" || name == "GMT"
            || TimeZone.knownTimeZoneIdentifiers.contains(name)
    }

    static func complaint(about name: String) -> String {
        let known = TimeZone.knownTimeZoneIdentifiers
        if known.isEmpty {
            return "“\(name)” can't be checked: the time zone database (tzdata) is missing."
        }
        let near = NearName.best(for: name, among: known)
        return "“\(name)” is no IANA time zone"
            + (near.map { "; did you mean \($0)?" } ?? ", such as Europe/Berlin.")
    }
}

/// The name somebody probably meant.
enum NearName {
    /// The closest candidate by edits, also by its last part ("berlin" finds Europe/Berlin); nil if
    /// none is close.
    static func best(for name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().replacing(" ", with: "_").utf8)
        let scored = candidates.map { candidate -> (String, Int) in
            let lower = candidate.lowercased()
            let last = lower.split(separator: "/").last.map { Array($0.utf8) } ?? []
            return (candidate, min(edits(wanted, Array(lower.utf8)), edits(wanted, last)))
        }
        guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(1, wanted.count / 3) else {
            return nil
        }
        return best.0
    }

    /// Levenshtein's distance.
    static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let substitution = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
