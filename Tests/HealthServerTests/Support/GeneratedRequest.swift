import HealthTesting

/// A request to a page or a form, with generated parameters.
struct GeneratedRequest: CustomStringConvertible {
    var method = "GET"
    var target: String
    var body = ""

    var description: String { "\(method) \(target.prefix(300)) \(body.prefix(300))" }

    private static let pages = [
        "/", "/type", "/sleep", "/workouts", "/workouts/", "/weight", "/why", "/data",
        "/check-up",
    ]
    private static let names: [String: [String]] = [
        "/": ["day", "period"], "/type": ["metric", "from", "to", "by"], "/sleep": ["day"],
        "/workouts": ["before"], "/workouts/": ["before"],
        "/why": ["metric", "day", "order", "out", "in", "on", "shows"],
    ]
    private static let allNames = [
        "day", "period", "metric", "from", "to", "by", "before", "order", "out", "in", "on",
        "shows", "token", "csrf", "x", "",
    ]

    /// Creates a request.
    ///
    /// - Parameter key: The session's form key.
    init(_ random: inout SeededRandom, key: String) {
        let page = Self.pages.randomElement(using: &random) ?? "/"
        let isForm = page == "/why" && random.one(in: 3)
        var path = page
        if page == "/workouts/" { path += Self.encoded(Self.value("name", &random), &random) }
        if !isForm, random.one(in: 3) { path += ".json" }
        let query = Self.fields(of: page, &random)
        target = path + (query.isEmpty && random.one(in: 2) ? "" : "?" + query)
        if isForm {
            method = "POST"
            body = "csrf=\(key)&" + Self.fields(of: page, &random)
        }
    }

    private static func fields(of page: String, _ random: inout SeededRandom) -> String {
        let own = names[page] ?? []
        var fields: [String] = []
        for name in own where !random.one(in: 3) {
            fields.append(name + "=" + encoded(value(name, &random), &random))
        }
        // Repeated, unknown and malformed fields.
        while random.one(in: 4) {
            let name = allNames.randomElement(using: &random) ?? ""
            fields.append(name + "=" + encoded(value(name, &random), &random))
        }
        if random.one(in: 20) { fields.append(junk.randomElement(using: &random) ?? "") }
        return fields.shuffled(using: &random).joined(separator: "&")
    }

    private static func value(_ name: String, _ random: inout SeededRandom) -> String {
        if random.one(in: 8) { return wild.randomElement(using: &random) ?? "" }
        switch name {
        case "day", "from", "to", "on": return days.randomElement(using: &random) ?? ""
        case "before", "shows": return numbers.randomElement(using: &random) ?? ""
        case "metric": return metrics.randomElement(using: &random) ?? ""
        case "by":
            return ["hour", "day", "week", "month", "year", "era"].randomElement(using: &random)
                ?? ""
        case "period": return ["day", "week", "month", "year"].randomElement(using: &random) ?? ""
        case "name": return workouts.randomElement(using: &random) ?? ""
        default: return sources.randomElement(using: &random) ?? ""
        }
    }

    /// Encodes a value with percent escapes everywhere, where necessary, or not at all.
    private static func encoded(_ text: String, _ random: inout SeededRandom) -> String {
        if random.one(in: 10) { return text.filter { !$0.isWhitespace && $0 != "\0" } }
        let all = random.one(in: 4)
        return text.utf8.map { byte -> String in
            let scalar = Character(Unicode.Scalar(byte))
            let isPlain =
                byte < 0x80 && (scalar.isLetter || scalar.isNumber || "-._~:,".contains(scalar))
            let hex = String(byte, radix: 16)
            return isPlain && !all ? String(scalar) : "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }

    // MARK: - Values

    private static let days: [String] =
        [
            "-0001-01-01", "-1-01-01", "0000-01-01", "0000-12-31", "0001-01-01", "0001-01-02",
            "0004-02-29", "0100-02-29", "1500-02-29", "1582-10-03", "1899-12-31", "1900-02-28",
            "1900-02-29", "1900-03-01", "1970-01-01", "2000-02-29", "2001-01-01", "2001-01-02",
            "2001-01-04", "2011-12-29", "2011-12-30", "2011-12-31", "2023-02-29", "2024-02-29",
            "2024-03-10", "2024-03-31", "2024-13-01", "2024-00-10", "2024-01-00", "2024-01-32",
            "2038-01-19", "4000-12-31", "4001-01-01", "5138-11-16", "9999-12-30", "9999-12-31",
            "10000-01-01", "2147483648-01-01", "9223372036854775807-01-01", "2024-3-1", "2024",
            "2024-03-10T08:30:00Z", "+202-01-01", "20240310", "today", "0000-00-00", "٢٠٢٤-٠٣-١٠",
        ] + (4...15).map { "1582-10-" + ($0 < 10 ? "0\($0)" : "\($0)") }

    private static let numbers = [
        "0", "-0", "1", "8432", "8432.5", "-1", "1e19", "-1e19", "1e308", "1e-320", "1e400", "nan",
        "NaN", "inf", "-inf", "9223372036854775807", "9223372036854775808", "63113904000",
        "-63113904000", "-63114076800", "99999999999", "100000000000", "0x10", "1,000", "1.2.3",
        "١٢", "--1", ".5", "5.", "000000000000001",
    ]

    private static let metrics = [
        "stepCount", "HKQuantityTypeIdentifierStepCount", "heartRate", "bodyMass",
        "sleepAnalysis", "workout", "bloodPressure", "mindfulSession", "dateOfBirth",
        "activitySummary", "electrocardiogram", "audiogram", "stepcount", "HKNoSuchType",
        "HKQuantityTypeIdentifier", "hk", "walkingRunningDistance", "distanceWalkingRunning",
    ]

    private static let workouts = [
        "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "not-a-uuid", "..", "%2e%2e", "0", ".json",
    ]

    private static let sources = [
        "Watch", "Phone", "Watch,Phone", "Phone,Watch", "Watch,Watch", "com.apple.health", ",",
        ",,,,", "nobody", "Sam’s Watch",
    ]

    private static let wild =
        [
            "", " ", "\0", "a\0b", "\r\n", "\u{202E}", "\u{FEFF}", "=1+1", "<script>", "\"'`&;",
            "%", "%00", "../../etc/passwd", "\u{1F468}\u{200D}\u{1F469}", "é", "e\u{301}", "?&=#",
        ] + [String(repeating: "9", count: 400), String(repeating: "x", count: 5000)]

    private static let junk = [
        "%", "%z", "%zz", "%f", "%ff", "%c3%28", "&&&&", "====", "=", "day", "day&day", "day=%",
        "%00=%00", "a=b=c", "day[]=1", "order=%2C%2C", "#", "?",
        String(repeating: "a=b&", count: 2000), String(repeating: "out=Watch&", count: 300),
    ]
}

extension SeededRandom {
    /// Returns true once in `count` times on average.
    mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
