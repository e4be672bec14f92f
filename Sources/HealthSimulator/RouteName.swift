internal import Foundation
import HealthEngine

/// Names of route files: "route_2024-09-03_7.48pm.gpx", the local time of the route's end.
enum RouteName {
    static func file(endingAt instant: Int, in zone: TimeZone) -> String {
        let offset = zone.secondsFromGMT(
            for: Date(timeIntervalSinceReferenceDate: Double(instant)))
        let local = instant + offset
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let second = local - day * 86_400
        let hour = second / 3600
        let minute = second / 60 % 60
        return "route_\(CivilDate(dayNumber: day))_\((hour + 11) % 12 + 1)."
            + "\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm").gpx"
    }
}
