import Foundation
import HealthCalendar
import HealthStorage

/// The evidence from which the home time zone of a store is determined (Semantics §14.4).
///
/// An export prints all dates with one UTC offset, that of the phone when the export was made, so
/// it doesn't name a time zone. The computer's zone is no sufficient evidence: a container that
/// runs in UTC must not divide days at midnight in UTC.
struct HomeZoneEvidence {
    /// The IANA zone that the user specified; nil if none. It takes precedence.
    var specified: String?
    /// The number of records, correlations and workouts by the zone in their metadata.
    var zoneCounts: [String: Int]
    /// The computer's IANA time zone.
    var system: String
    /// The export's date, in seconds since 2001-01-01T00:00:00Z, and its printed offset, in seconds
    /// east of UTC.
    var exportDate: Double?
    var exportOffset: Int?
    /// The locale, for example "en_FR".
    var locale: String?

    func zone() -> HomeZone {
        if let specified { return HomeZone(identifier: specified, reason: .specified) }
        let named = zoneCounts.filter { HomeZoneEvidence.isRegion($0.key) }
        if let mostFrequent = named.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
            return HomeZone(identifier: mostFrequent.key, reason: .metadata)
        }
        if HomeZoneEvidence.isRegion(system), matchesExportOffset(system) {
            return HomeZone(identifier: system, reason: .system)
        }
        return HomeZone(identifier: guess(), reason: .guessed)
    }

    /// Returns whether a zone is a known region such as "Europe/Berlin". UTC, GMT and the Etc zones
    /// are settings of computers.
    static func isRegion(_ zone: String) -> Bool {
        guard let area = zone.split(separator: "/").first, zone.contains("/") else { return false }
        return !notRegions.contains(String(area)) && TimeZone(identifier: zone) != nil
    }

    private static let notRegions: Set<String> = ["Etc", "SystemV", "posix", "right"]

    private func matchesExportOffset(_ zone: String) -> Bool {
        guard let exportDate, let exportOffset else { return true }
        return TimeZone(identifier: zone).map(LocalClock.init)?.offset(at: exportDate)
            == exportOffset
    }

    /// Returns the first zone that has the export's offset at its date: of the main zones of the
    /// locale's region, then of ``commonZones``, then of all regions in order of name.
    ///
    /// If no region has that offset, returns the zone with that fixed offset, which is right at
    /// least on the day of the export. If there is no such zone either, returns the first main zone
    /// of the locale's region, else "Etc/GMT". Without a date or an offset, every zone matches.
    private func guess() -> String {
        let region = locale?.split(separator: "_").last.map(String.init) ?? ""
        let regional = HomeZoneEvidence.zonesByRegion[region] ?? []
        let candidates = regional + HomeZoneEvidence.commonZones
        if let fitting = candidates.first(where: matchesExportOffset) { return fitting }
        if let fitting = TimeZone.knownTimeZoneIdentifiers.sorted().first(where: {
            HomeZoneEvidence.isRegion($0) && matchesExportOffset($0)
        }) {
            return fitting
        }
        return exportOffset.flatMap(HomeZoneEvidence.fixedZone) ?? regional.first ?? "Etc/GMT"
    }

    /// Returns the zone with a fixed offset in seconds east of UTC. Such zones exist for whole
    /// hours from -12 to +14, and their names have the opposite sign. Returns nil for other
    /// offsets.
    static func fixedZone(_ offset: Int) -> String? {
        guard offset % 3600 == 0, (-12...14).contains(offset / 3600) else { return nil }
        let hours = offset / 3600
        return hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }

    /// The main zones of common regions, by ISO 3166 code, roughly in order of population.
    private static let zonesByRegion: [String: [String]] = [
        "US": [
            "America/New_York", "America/Chicago", "America/Los_Angeles", "America/Denver",
            "America/Phoenix", "America/Anchorage", "Pacific/Honolulu",
        ],
        "CA": [
            "America/Toronto", "America/Vancouver", "America/Edmonton", "America/Winnipeg",
            "America/Halifax", "America/Regina", "America/St_Johns",
        ],
        "MX": ["America/Mexico_City", "America/Tijuana", "America/Hermosillo", "America/Cancun"],
        "BR": ["America/Sao_Paulo", "America/Manaus", "America/Fortaleza", "America/Rio_Branco"],
        "AR": ["America/Argentina/Buenos_Aires"], "CL": ["America/Santiago"],
        "CO": ["America/Bogota"], "PE": ["America/Lima"],
        "GB": ["Europe/London"], "IE": ["Europe/Dublin"],
        "PT": ["Europe/Lisbon", "Atlantic/Azores"], "ES": ["Europe/Madrid", "Atlantic/Canary"],
        "FR": ["Europe/Paris"], "DE": ["Europe/Berlin"], "AT": ["Europe/Vienna"],
        "CH": ["Europe/Zurich"], "IT": ["Europe/Rome"], "NL": ["Europe/Amsterdam"],
        "BE": ["Europe/Brussels"], "LU": ["Europe/Luxembourg"], "DK": ["Europe/Copenhagen"],
        "SE": ["Europe/Stockholm"], "NO": ["Europe/Oslo"], "FI": ["Europe/Helsinki"],
        "PL": ["Europe/Warsaw"], "CZ": ["Europe/Prague"], "SK": ["Europe/Bratislava"],
        "HU": ["Europe/Budapest"], "RO": ["Europe/Bucharest"], "BG": ["Europe/Sofia"],
        "GR": ["Europe/Athens"], "HR": ["Europe/Zagreb"], "SI": ["Europe/Ljubljana"],
        "UA": ["Europe/Kyiv", "Europe/Kiev"], "TR": ["Europe/Istanbul"],
        "RU": [
            "Europe/Moscow", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Europe/Samara",
            "Asia/Krasnoyarsk", "Asia/Vladivostok", "Asia/Irkutsk", "Asia/Omsk",
        ],
        "IL": ["Asia/Jerusalem"], "AE": ["Asia/Dubai"], "SA": ["Asia/Riyadh"],
        "EG": ["Africa/Cairo"], "ZA": ["Africa/Johannesburg"], "NG": ["Africa/Lagos"],
        "KE": ["Africa/Nairobi"], "MA": ["Africa/Casablanca"],
        "IN": ["Asia/Kolkata"], "PK": ["Asia/Karachi"], "BD": ["Asia/Dhaka"],
        "TH": ["Asia/Bangkok"], "VN": ["Asia/Ho_Chi_Minh"],
        "ID": ["Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"],
        "MY": ["Asia/Kuala_Lumpur"], "SG": ["Asia/Singapore"], "PH": ["Asia/Manila"],
        "CN": ["Asia/Shanghai"], "HK": ["Asia/Hong_Kong"], "TW": ["Asia/Taipei"],
        "JP": ["Asia/Tokyo"], "KR": ["Asia/Seoul"],
        "AU": [
            "Australia/Sydney", "Australia/Brisbane", "Australia/Perth", "Australia/Adelaide",
            "Australia/Darwin",
        ],
        "NZ": ["Pacific/Auckland"],
    ]

    /// Common zones, tried in this order after those of the locale's region.
    private static let commonZones = [
        "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "America/New_York",
        "America/Chicago", "America/Denver", "America/Los_Angeles", "Asia/Shanghai", "Asia/Tokyo",
        "Asia/Kolkata", "Australia/Sydney", "America/Sao_Paulo", "Asia/Dubai", "Asia/Bangkok",
    ]
}
