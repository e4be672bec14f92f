import HealthFormats
import HealthTesting

/// A table of random columns and values, with sizes so small that it has many pages and row
/// groups, and dictionaries that overflow.
struct RandomTable {
    var columns: [ParquetColumn]
    var rows: [[ParquetValue]]
    var options: ParquetOptions
    let metadata = [(key: "about", value: "Größe \"x\" 🫀"), (key: "empty", value: "")]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = RandomTable.chance(0.2, &random) ? 1 : Int.random(in: 1...8, using: &random)
        columns = (0..<count).map { index in
            let kind = ParquetColumn.Kind.allCases.randomElement(using: &random) ?? .text
            let encodings: [ParquetColumn.Encoding] = [
                .plain, .incompressible, .dictionary, .dictionary,
            ]
            let encoding = encodings.randomElement(using: &random)
            return ParquetColumn(
                "spalte \(index) ü", kind, RandomTable.chance(0.2, &random) ? nil : encoding)
        }
        options = ParquetOptions(RandomTable.chance(0.5, &random) ? .none : .gzip(level: 1))
        options.rowsPerGroup = Int.random(in: 1...3, using: &random) * 100
        options.bytesPerGroup = RandomTable.chance(0.2, &random) ? 500 : 1 << 20
        options.bytesPerPage =
            RandomTable.chance(0.5, &random) ? Int.random(in: 1...400, using: &random) : 1 << 20
        options.dictionaryBytes =
            RandomTable.chance(0.5, &random) ? Int.random(in: 0...300, using: &random) : 1 << 16
        let lengths = [0, 1, 2, 7, 8, 9, 63, 100, 101, 250, 1_000]
        let length = lengths.randomElement(using: &random) ?? 0
        let habits = columns.map { _ in Habit(&random) }
        var last = columns.map { _ in ParquetValue.null }
        rows = []
        for _ in 0..<length {
            for (index, column) in columns.enumerated() {
                last[index] = habits[index].next(after: last[index], column.kind, &random)
            }
            rows.append(last)
        }
    }

    /// How the values of a column are chosen.
    private struct Habit {
        var nulls: Double
        var repetitions: Double
        /// The number of different values; nil for any.
        var variety: Int?

        init(_ random: inout SeededRandom) {
            nulls = [0, 0, 0.05, 0.5, 0.98, 1].randomElement(using: &random) ?? 0
            repetitions = [0, 0.3, 0.9, 0.995].randomElement(using: &random) ?? 0
            variety = [nil, 1, 2, 3, 9, 100].randomElement(using: &random) ?? nil
        }

        func next(
            after last: ParquetValue, _ kind: ParquetColumn.Kind, _ random: inout SeededRandom
        ) -> ParquetValue {
            if RandomTable.chance(repetitions, &random) { return last }
            if RandomTable.chance(nulls, &random) { return .null }
            guard let variety else { return RandomTable.value(kind, &random) }
            var choice = SeededRandom(seed: UInt64(Int.random(in: 0..<variety, using: &random)))
            return RandomTable.value(kind, &choice)
        }
    }

    private static func value(
        _ kind: ParquetColumn.Kind, _ random: inout SeededRandom
    ) -> ParquetValue {
        let isExtreme = RandomTable.chance(0.2, &random)
        switch kind {
        case .boolean: return .boolean(Bool.random(using: &random))
        case .int32:
            let extremes = [Int32.min, -1, 0, 1, Int32.max]
            return .int32(
                isExtreme
                    ? extremes.randomElement(using: &random) ?? 0
                    : Int32.random(in: Int32.min...Int32.max, using: &random))
        case .int64:
            let extremes = [Int64.min, -1, 0, 1, Int64.max]
            return .int64(
                isExtreme
                    ? extremes.randomElement(using: &random) ?? 0
                    : Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
        case .double:
            return .double(
                isExtreme
                    ? extremeNumbers.randomElement(using: &random) ?? 0
                    : Double.random(in: -1e6...1e6, using: &random))
        case .text: return .text(text(&random))
        case .date: return .date(Int32.random(in: -700_000...2_000_000, using: &random))
        case .timestamp:
            return .timestamp(
                isExtreme
                    ? Int64.random(
                        in: -9_000_000_000_000_000_000...9_000_000_000_000_000_000,
                        using: &random)
                    : Int64.random(in: 0...2_000_000_000_000_000, using: &random))
        }
    }

    private static let extremeNumbers: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e-300, 0.1,
    ]

    private static func text(_ random: inout SeededRandom) -> String {
        let parts = [
            "", "a", "Watch", "Schlaf-Ü", "e\u{301}", "é", "睡眠", "🫀", "\"", ",", "\n", "\u{0}",
            "'10.1",
            String(repeating: "x", count: 130),
        ]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            parts.randomElement(using: &random) ?? ""
        }.joined()
    }
}

extension RandomTable {
    private static func chance(_ part: Double, _ random: inout SeededRandom) -> Bool {
        Double.random(in: 0..<1, using: &random) < part
    }

    /// The file as Parquet.
    func parquet() throws -> [UInt8] {
        var bytes: [UInt8] = []
        let writer = try ParquetWriter(columns, metadata: metadata, options: options) {
            bytes += $0
        }
        for row in rows { try writer.append(row) }
        try writer.close()
        return bytes
    }

    /// The table as text for `ReadParquet.py`: one line a column with its type, its name and a
    /// value for each row. Texts are bytes in hexadecimal, numbers their bits.
    var expected: String {
        columns.enumerated().map { index, column in
            ([String(describing: column.kind), RandomTable.hexadecimal(column.name)]
                + rows.map { RandomTable.cell($0[index]) }).joined(separator: " ") + "\n"
        }.joined()
    }

    private static func cell(_ value: ParquetValue) -> String {
        switch value {
        case .null: "-"
        case .boolean(let flag): flag ? "1" : "0"
        case .int32(let number), .date(let number): String(number)
        case .int64(let number), .timestamp(let number): String(number)
        case .double(let number): String(number.bitPattern)
        case .text(let text): hexadecimal(text)
        }
    }

    private static func hexadecimal(_ text: String) -> String {
        "x" + text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
