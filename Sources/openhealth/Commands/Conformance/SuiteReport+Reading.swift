import Foundation
import HealthIntake
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SuiteReport {
    static let maximumBytes = 4 << 20
    private static let maximumResults = 2_000
    /// The maximum number of measurements, and of failures, of one test.
    private static let maximumEntries = 200
    private static let maximumCharacters = 1_000

    /// The report of the suite on this package, which the command contains.
    static var own: SuiteReport {
        get throws { try SuiteReport(Array(OwnConformance.report.utf8)) }
    }

    /// Reads a report from a file.
    ///
    /// - Throws: ``SuiteReportError``.
    init(atPath path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SuiteReportError.unreadable("\(FileFault(errorNumber: errno))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw SuiteReportError.unreadable("\(FileFault(errorNumber: errno))")
            }
            bytes += chunk.prefix(count)
            guard bytes.count <= Self.maximumBytes else {
                throw SuiteReportError.tooLarge(maximumBytes: Self.maximumBytes)
            }
        }
        try self.init(bytes)
    }

    /// Reads a report from its JSON. Members that this version doesn't define are ignored.
    ///
    /// - Throws: ``SuiteReportError``.
    /// - Complexity: O(*n*) in the number of bytes.
    init(_ bytes: [UInt8]) throws {
        guard let top = ReportObject(try Self.json(bytes)) else {
            throw SuiteReportError.notReport
        }
        guard case .string(Self.format)? = top["format"] else { throw SuiteReportError.notReport }
        let version = try top.integer("version")
        guard version == Self.version else { throw SuiteReportError.unknownVersion(version) }
        try top.requireUniqueNames()
        let system = try top.object("system")
        self.suite = try top.integer("suite")
        self.system = try System(
            healthKit: system.text("healthKit"), os: system.text("os"),
            osVersion: system.text("osVersion"), model: system.text("model"),
            isSimulator: system.flag("isSimulator"))
        results = try top.objects("results", maximum: Self.maximumResults).map(Self.result)
        try Self.requireUnique(results.map(\.test), at: "results")
    }

    private static func json(_ bytes: [UInt8]) throws -> JSONValue {
        var reader = JSONReader(IntakeBody(bytes))
        do {
            let value = try reader.readValue()
            try reader.requireEnd()
            return value
        } catch let error as IntakeError {
            switch error {
            case .notUTF8(let offset): throw SuiteReportError.notUTF8(offset: offset)
            case .tooDeep(let offset): throw SuiteReportError.tooDeep(offset: offset)
            case .notJSON(let offset):
                throw isCut(bytes, at: offset)
                    ? SuiteReportError.cut(offset: bytes.count)
                    : SuiteReportError.notJSON(offset: offset)
            default: throw SuiteReportError.notReport
            }
        }
    }

    /// Returns whether a text that isn't JSON from an offset on ends there, or inside a number.
    private static func isCut(_ bytes: [UInt8], at offset: Int) -> Bool {
        !bytes.isEmpty && bytes.dropFirst(offset).allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }

    private static func result(_ object: ReportObject) throws -> Result {
        guard let outcome = Outcome(rawValue: try object.text("outcome")) else {
            throw SuiteReportError.invalid(
                place: object.place + ".outcome",
                expected: Outcome.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let measured = try object.objects("measured", maximum: maximumEntries).map(measurement)
        try requireUnique(measured.map(\.name), at: object.place + ".measured")
        let rule = try object.text("rule")
        guard rule.wholeMatch(of: #/[0-9]{1,3}(\.[0-9]{1,3})?/#) != nil else {
            throw SuiteReportError.invalid(
                place: object.place + ".rule", expected: "the number of a rule")
        }
        return Result(
            test: try object.text("test"), rule: rule, title: try object.text("title"),
            outcome: outcome, reason: try object.optionalText("reason"),
            failures: try object.texts("failures", maximum: maximumEntries), measured: measured)
    }

    private static func measurement(_ object: ReportObject) throws -> Measurement {
        let value: Value
        switch object["value"] {
        case .number(let number)? where number.isFinite: value = .number(number)
        case .null?: value = .missing
        case .string(let word)? where Value.wordsNotFinite.contains(word): value = .notFinite(word)
        case nil: throw SuiteReportError.missing(place: object.place + ".value")
        default:
            throw SuiteReportError.invalid(
                place: object.place + ".value", expected: "a finite number or null")
        }
        return Measurement(
            name: try object.text("name"), value: value, model: try object.optionalText("model"))
    }

    private static func requireUnique(_ names: [String], at place: String) throws {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            throw SuiteReportError.duplicate(place: place, name: name)
        }
    }

    /// An object of the report, with its path for errors.
    private struct ReportObject {
        let place: String
        private let members: [JSONValue.Member]

        /// Returns the outermost object; nil if the value is no object.
        init?(_ value: JSONValue) {
            guard let members = value.members else { return nil }
            self.members = members
            place = ""
        }

        /// - Throws: ``SuiteReportError`` if the value is no object, or repeats a name.
        init(_ value: JSONValue, at place: String) throws {
            guard let members = value.members else {
                throw SuiteReportError.invalid(place: place, expected: "an object")
            }
            self.members = members
            self.place = place
            try requireUniqueNames()
        }

        func requireUniqueNames() throws {
            try SuiteReport.requireUnique(
                members.map(\.name), at: place.isEmpty ? "outermost object" : place)
        }

        subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

        private func path(_ name: String) -> String { place.isEmpty ? name : place + "." + name }

        private func value(_ name: String) throws -> JSONValue {
            guard let value = self[name] else { throw SuiteReportError.missing(place: path(name)) }
            return value
        }

        func text(_ name: String) throws -> String {
            try SuiteReport.text(try value(name), at: path(name))
        }

        func optionalText(_ name: String) throws -> String? {
            guard let value = self[name], value != .null else { return nil }
            return try SuiteReport.text(value, at: path(name))
        }

        func flag(_ name: String) throws -> Bool {
            guard case .bool(let flag) = try value(name) else {
                throw SuiteReportError.invalid(place: path(name), expected: "true or false")
            }
            return flag
        }

        func integer(_ name: String) throws -> Int {
            guard case .number(let number) = try value(name), let whole = Int(exactly: number)
            else { throw SuiteReportError.invalid(place: path(name), expected: "a whole number") }
            return whole
        }

        func object(_ name: String) throws -> ReportObject {
            try ReportObject(try value(name), at: path(name))
        }

        func objects(_ name: String, maximum: Int) throws -> [ReportObject] {
            try elements(name, maximum: maximum).enumerated().map { index, value in
                try ReportObject(value, at: "\(path(name))[\(index)]")
            }
        }

        func texts(_ name: String, maximum: Int) throws -> [String] {
            try elements(name, maximum: maximum).enumerated().map { index, value in
                try SuiteReport.text(value, at: "\(path(name))[\(index)]")
            }
        }

        private func elements(_ name: String, maximum: Int) throws -> [JSONValue] {
            guard let elements = try value(name).array else {
                throw SuiteReportError.invalid(place: path(name), expected: "an array")
            }
            guard elements.count <= maximum else {
                throw SuiteReportError.tooMany(place: path(name), maximum: maximum)
            }
            return elements
        }
    }

    private static func text(_ value: JSONValue, at place: String) throws -> String {
        guard let text = value.string, text.count <= maximumCharacters else {
            throw SuiteReportError.invalid(
                place: place, expected: "a text of at most \(maximumCharacters) characters")
        }
        return text
    }
}
