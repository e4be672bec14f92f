import Foundation
package import HealthCalendar
package import HealthEngine
import HealthStorage

/// A table with one row for each local day that has data, and one column for each number.
///
/// ```swift
/// var table = DailyTable(calendar)
/// table.set(8_214, "stepCount_count", on: CivilDate(2024, 3, 10))
/// table.csvRow(CivilDate(2024, 3, 10))       // "2024-03-10,Europe/Berlin,8214.0\n"
/// ```
/// A number that wasn't measured is empty, never 0.
package struct DailyTable: Sendable {
    /// The names of the columns of numbers, in order of their first value.
    package private(set) var columns: [String] = []
    private var places: [String: Int] = [:]
    private var rows: [CivilDate: [Double?]] = [:]
    private let zone: String

    /// Creates an empty table.
    ///
    /// - Parameter calendar: The time zone of the days.
    package init(_ calendar: CalendarBuckets) {
        zone = calendar.calendar.timeZone.identifier
    }

    /// The days with data, in order.
    package var days: [CivilDate] { rows.keys.sorted() }

    /// Returns the number of days with a number in a column.
    package func days(with column: String) -> Int {
        guard let place = places[column] else { return 0 }
        return rows.values.count { place < $0.count && $0[place] != nil }
    }

    /// Sets a number of a day. Nil, and a number that isn't finite, is not measured and changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - column: The name of its column, which is added if it is new.
    ///   - day: The day.
    package mutating func set(_ value: Double?, _ column: String, on day: CivilDate) {
        guard let value, value.isFinite else { return }
        let place = place(of: column)
        var row = rows[day] ?? []
        while row.count <= place { row.append(nil) }
        row[place] = value
        rows[day] = row
    }

    /// Adds to a number of a day, which is 0 before.
    package mutating func add(_ value: Double, _ column: String, on day: CivilDate) {
        set(value + (number(place(of: column), on: day) ?? 0), column, on: day)
    }

    private mutating func place(of column: String) -> Int {
        if let known = places[column] { return known }
        places[column] = columns.count
        columns.append(column)
        return columns.count - 1
    }

    private func number(_ place: Int, on day: CivilDate) -> Double? {
        guard let row = rows[day], place < row.count else { return nil }
        return row[place]
    }

    /// Returns the name of a type's column: "stepCount_count", "heartRate_average_count_per_min".
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - statistic: What is computed, such as "average"; nil for a sum.
    ///   - unit: The unit. Signs that names can't have without quotes are replaced: "/" by "_per_"
    ///     and others by "_". "%" is "fraction", because its values are from 0 to 1.
    package static func column(_ type: SampleType, _ statistic: String?, unit: String) -> String {
        let words = unit.replacing("/", with: "_per_").replacing("%", with: "fraction")
        let symbol = words.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic || scalar == "_"
                || ("0"..."9").contains(scalar) ? String(scalar) : "_"
        }.joined()
        let parts = [type.name, statistic ?? "", symbol].filter { !$0.isEmpty }
        return parts.joined(separator: "_")
    }
}

// MARK: - Output

extension DailyTable {
    /// The names of the columns as a row of CSV.
    package var csvHeader: String { CSVText.row(["day", "zone"] + columns) }

    /// Returns a day as a row of CSV.
    package func csvRow(_ day: CivilDate) -> String {
        CSVText.row(
            [day.description, zone]
                + columns.indices.map { CSVText.number(number($0, on: day)) })
    }

    /// Writes the table as a Parquet file.
    ///
    /// - Parameters:
    ///   - creator: The program that writes the file.
    ///   - sink: Receives the bytes.
    /// - Throws: ``ParquetError``, and errors of the sink.
    package func writeParquet(
        creator: String, to sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        let writer = try ParquetWriter(
            [.init("day", .date), .init("zone", .text)] + columns.map { .init($0, .double) },
            metadata: [
                (key: "openhealth.format", value: "1"), (key: "openhealth.timeZone", value: zone),
            ], creator: creator, to: sink)
        for day in days {
            try writer.append(
                [ParquetTimes.date(day), .text(zone)]
                    + columns.indices.map { .double(orNull: number($0, on: day)) })
        }
        try writer.close()
    }
}
