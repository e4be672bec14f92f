import Foundation
import HealthStorage
import OpenHealthKit

/// A request that an app sends until it is acknowledged.
struct PhoneRequest: Sendable {
    /// What the request contains, for messages: "sync page 2, 100 records".
    var label: String
    var path: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// The numbers of records that the receipt may count as received; nil if it isn't checked.
    var records: ClosedRange<Int>?
    /// Builds the request that the app sends instead after a failed attempt; nil if it sends the
    /// same bytes again.
    var rebuilt: (@Sendable (inout TortureRandom) -> PhoneRequest)?

    /// Returns the request as the app sends it after a failed attempt.
    func resent(_ random: inout TortureRandom) -> PhoneRequest { rebuilt?(&random) ?? self }

    /// Returns the bytes of the HTTP request.
    func bytes(port: Int) -> [UInt8] {
        var head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}

/// An app that reads the health store and builds requests in a dialect.
protocol PhoneApp: AnyObject {
    /// Returns requests with everything that the app has not sent in an earlier pass.
    func pass(_ random: inout TortureRandom) throws -> [PhoneRequest]
}

extension PhoneDialect {
    func app(
        _ reader: PhoneReader, token: String, zone: TimeZone, pageSize: Int,
        _ random: inout TortureRandom
    ) -> any PhoneApp {
        switch self {
        case .openWearables6:
            OpenWearablesApp(.six, reader, token: token, pageSize: pageSize)
        case .openWearables13:
            OpenWearablesApp(.thirteen, reader, token: token, pageSize: pageSize)
        case .openHealthExporter:
            OpenHealthExporterApp(reader, token: token, zone: zone, pageSize: pageSize, &random)
        case .healthAutoExport:
            HealthAutoExportApp(reader, token: token, zone: zone, pageSize: pageSize, &random)
        case .healthSave:
            HealthSaveApp(reader, token: token, zone: zone, pageSize: pageSize)
        }
    }

    /// The identifiers of the types that the app sends as samples.
    var types: [String] {
        switch self {
        case .openWearables6, .openWearables13: OpenWearablesApp.types.map(\.identifier)
        case .openHealthExporter: OpenHealthExporterApp.types.map(\.identifier)
        case .healthAutoExport: HealthAutoExportApp.types.map(\.identifier)
        case .healthSave: HealthSaveApp.types.map(\.identifier)
        }
    }
}

/// Dates as apps write them.
enum PhoneDates {
    /// Returns a date in UTC with whole seconds: "2026-03-01T08:15:00Z". Fractions are cut off.
    static func utc(_ date: Date) -> String { local(date, offset: 0, separator: "T") + "Z" }

    /// Returns a date in a zone with its offset: "2021-12-24 00:04:00 +0800".
    static func withOffset(_ date: Date, in zone: TimeZone) -> String {
        let offset = zone.secondsFromGMT(for: date)
        let minutes = abs(offset) / 60
        return local(date, offset: offset, separator: " ")
            + " \(offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))"
    }

    /// Returns an offset from UTC: "+02:00".
    static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func local(_ date: Date, offset: Int, separator: String) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + offset
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let second = seconds - days * 86_400
        let (year, month, day) = civil(daysSince1970: days)
        return "\(year)-\(two(month))-\(two(day))\(separator)"
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns a Gregorian date, with the algorithm of Howard Hinnant's "chrono-compatible
    /// low-level date algorithms".
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

/// A key and a value of a JSON object.
typealias JSONMember = (key: String, value: JSONText)

extension JSONText: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONText {
    /// Returns the value with the members of all objects in order of their keys.
    var sorted: JSONText {
        switch self {
        case .array(let items): .array(items.map(\.sorted))
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted) })
        default: self
        }
    }

    /// Returns the value with the members of all objects in random order.
    func shuffled(_ random: inout TortureRandom) -> JSONText {
        switch self {
        case .array(let items): return .array(items.map { $0.shuffled(&random) })
        case .object(let members):
            return .object(
                random.shuffled(members).map { ($0.key, $0.value.shuffled(&random)) })
        default: return self
        }
    }
}

extension Array {
    /// Returns the elements in arrays of at most `size` elements.
    func pages(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
