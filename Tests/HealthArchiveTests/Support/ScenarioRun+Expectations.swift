import Foundation
import GRDB
import HealthArchive
import HealthCalendar
import HealthEngine
import HealthStorage

extension ScenarioRun {
    /// Returns why an expectation isn't met; nil if it is.
    func mismatch(_ text: String) throws -> String? {
        if text.hasPrefix("error ") { return errorMismatch(String(text.dropFirst(6))) }
        if text == "fresh store agrees" { return try freshStoreMismatch() }
        if text.hasPrefix("uuids ") { return try uuidMismatch(String(text.dropFirst(6))) }
        let options: String.CompareOptions = text.hasPrefix("sql ") ? .backwards : []
        guard let sign = text.range(of: " = ", options: options) else { return "is no expectation" }
        let expected = String(text[sign.upperBound...]).trimmingCharacters(in: .whitespaces)
        let found = try value(String(text[..<sign.lowerBound]))
        if expected.hasSuffix("*"), found.hasPrefix(expected.dropLast()) { return nil }
        return found == expected ? nil : "is \(found)"
    }

    private func errorMismatch(_ word: String) -> String? {
        guard let failure else { return "nothing failed" }
        let described =
            "\((failure as? ArchiveError).map { "\($0.code)" } ?? "")"
            + "\((failure as? StoreError).map { "\($0.code)" } ?? "") \(failure)"
        return described.contains(word) ? nil : "failed with \(described)"
    }

    private func uuidMismatch(_ word: String) throws -> String? {
        let now = try uuids(at: storePath)
        switch word {
        case "unchanged": return now == uuidsBefore ? nil : "they changed"
        case "kept": return uuidsBefore.isSubset(of: now) ? nil : "some are gone"
        default: return "is no expectation"
        }
    }

    /// Returns the value for the left side: a query of the store, or a path into the report's JSON.
    private func value(_ query: String) throws -> String {
        let words = query.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1 else { return text(at: query, in: json) }
        let rest = words.count > 2 ? words[2] : ""
        switch words[0] {
        case "sql": return try sql(query.dropFirst(4))
        case "stats": return try statistics(words[1], rest)
        case "samples":
            return String(try samples(words[1]).samples.count)
        case "totals": return try totals(words[1], rest)
        case "values":
            return try samples(words[1]).samples.map { number($0.value) }.joined(separator: ", ")
        case "units":
            let batch = try samples(words[1])
            return batch.samples.map { batch.origins[Int($0.origin)].unit ?? "none" }
                .joined(separator: ", ")
        case "starts":
            return try samples(words[1]).samples.map { moment($0.start) }.joined(separator: ", ")
        case "ends":
            return try samples(words[1]).samples.map { moment($0.end) }.joined(separator: ", ")
        case "sources": return try sources(words[1])
        case "bundle": return try bundle(query.dropFirst(7))
        case "metadata": return try metadata(words[1], rest)
        case "device": return try device(words[1], rest)
        case "detail": return try detail(words[1], rest)
        case "members": return try members(words[1])
        default: return text(at: query, in: json)
        }
    }

    private func samples(_ name: String) throws -> SampleBatch {
        let store = try open()
        defer { try? store.close() }
        return try store.samples(SampleQuery(store.type(named: name)))
    }

    private func sql(_ query: some StringProtocol) throws -> String {
        let queue = try DatabaseQueue(path: storePath)
        defer { try? queue.close() }
        return try queue.read { db in
            try Row.fetchAll(db, sql: String(query)).map { row in
                row.map { "\($0.1.storage.value.map { "\($0)" } ?? "null")" }.joined(separator: " ")
            }.joined(separator: ", ")
        }
    }

    /// Returns the sum, average or seconds of a local day, or of the whole range:
    /// `stats T 2024-03-10`.
    private func statistics(_ name: String, _ day: String) throws -> String {
        let store = try open()
        defer { try? store.close() }
        let type = try store.type(named: name)
        guard let zone = try store.homeZone?.timeZone else { return "no zone" }
        let calendar = CalendarBuckets(timeZone: zone)
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3,
            let start = calendar.start(year: parts[0], month: parts[1], day: parts[2])
        else { return "no such day" }
        let edges = try calendar.edges(from: start, to: start + 3600, by: .day)
        let result = try store.statistics(SampleQuery(type), over: edges)
        guard let bucket = result.buckets.first else { return "nothing" }
        return number(bucket.merged.sum ?? bucket.merged.average ?? .nan)
    }

    /// Returns Apple's total of a local day if it is the answer, and the merged sum of the samples:
    /// `totals T 2024-03-10`, "1000 settled over 100".
    private func totals(_ name: String, _ day: String) throws -> String {
        let store = try open()
        defer { try? store.close() }
        guard let zone = try store.homeZone?.timeZone else { return "no zone" }
        let calendar = CalendarBuckets(timeZone: zone)
        let start = try calendar.time(day)
        let edges = try calendar.edges(from: start, to: start + 3600, by: .day)
        let query = SampleQuery(try store.type(named: name))
        guard let found = try store.totalsInPlace(query, over: edges).first else { return "none" }
        return number(found.total.value)
            + (found.total.isProvisional ? " provisional" : " settled") + " over "
            + number(found.own)
    }

    /// Returns the names in order of rank, with excluded ones in parentheses.
    private func sources(_ name: String) throws -> String {
        let store = try open()
        defer { try? store.close() }
        let type = name == "all" ? nil : try store.type(named: name)
        return try store.sources(of: type).map { $0.isExcluded ? "(\($0.name))" : $0.name }
            .joined(separator: ", ")
    }

    private func bundle(_ name: some StringProtocol) throws -> String {
        let store = try open()
        defer { try? store.close() }
        return try store.sources(of: nil).filter { $0.name == name }.map(\.bundleIdentifier)
            .joined(separator: ", ")
    }

    private func metadata(_ type: String, _ key: String) throws -> String {
        let batch = try samples(type)
        return batch.samples.map { sample in
            switch batch.metadata(of: sample)?[key] {
            case .string(let text)?: text
            case .number(let value)?: number(value)
            case .date(let seconds)?: moment(seconds)
            case .quantity(let value, let unit)?: number(value) + " " + unit
            case nil: "none"
            }
        }.joined(separator: ", ")
    }

    private func device(_ type: String, _ field: String) throws -> String {
        let batch = try samples(type)
        return batch.samples.map { sample in
            guard let device = batch.origins[Int(sample.origin)].device else { return "none" }
            let value = Mirror(reflecting: device).children.first { $0.label == field }?.value
            return (value as? String) ?? "none"
        }.joined(separator: ", ")
    }

    /// Returns a value in the JSON of a sample's structured part:
    /// `detail workout 0.workout.duration`.
    private func detail(_ type: String, _ path: String) throws -> String {
        let batch = try samples(type)
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let index = Int(parts[0]), let detail = batch.details[index] else {
            return "none"
        }
        let content = try JSONSerialization.jsonObject(with: JSONEncoder().encode(detail))
        return text(at: parts[1], in: content)
    }

    /// Returns the number of members of each sample of a type.
    private func members(_ type: String) throws -> String {
        try sql(
            "SELECT (SELECT count(*) FROM membership WHERE parent = sequence) FROM sample JOIN type "
                + "ON type.code = sample.type WHERE identifier LIKE '%\(type)' ORDER BY start_time, key"
        )
    }

    /// Returns how daily statistics and samples differ from those of a store that imported only
    /// this file.
    private func freshStoreMismatch() throws -> String? {
        let fresh = try SampleStore(at: freshStorePath(), access: .reading)
        let store = try open()
        defer {
            try? fresh.close()
            try? store.close()
        }
        let (a, b) = (try StoreContent(fresh), try StoreContent(store))
        return a.difference(from: b)
    }

    // MARK: - Text

    private func text(at path: String, in object: Any) -> String {
        var place: Any? = object
        // The longest match first, since keys can contain points and spaces.
        var rest = path.trimmingCharacters(in: .whitespaces)
        while !rest.isEmpty, let here = place {
            if let list = here as? [Any] {
                let word = rest.prefix { $0 != "." }
                rest = String(rest.dropFirst(word.count + 1))
                if word == "count" { return String(list.count) }
                place = Int(word).flatMap { list.indices.contains($0) ? list[$0] : nil }
            } else if let members = here as? [String: Any] {
                let key = members.keys.filter { rest == $0 || rest.hasPrefix($0 + ".") }
                    .max { $0.count < $1.count }
                guard let key else { return "none" }
                place = members[key]
                rest = String(rest.dropFirst(key.count + 1))
            } else {
                return "none"
            }
        }
        switch place {
        case let number as NSNumber where "\(type(of: number))".contains("Boolean"):
            return number.boolValue ? "true" : "false"
        case let value as Bool where !(place is Int) && !(place is Double): return "\(value)"
        case let number as NSNumber: return self.number(number.doubleValue)
        case let text as String: return text
        case let members as [String: Any] where members.isEmpty: return "empty"
        case let list as [Any] where list.isEmpty: return "empty"
        case nil: return "none"
        case let other?: return "\(other)"
        }
    }

    private func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? (value.isNaN ? "none" : "\(value)")
    }

    private func moment(_ seconds: Double) -> String {
        Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }
}
