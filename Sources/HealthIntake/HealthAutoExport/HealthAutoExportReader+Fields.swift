import HealthEngine
import HealthStorage

/// The times of a record, in reference seconds.
struct HealthAutoExportSpan: Hashable {
    var start: Double
    /// Equal to `start` if the record has no end.
    var end: Double
    /// Whether the record states its end.
    var hasEnd: Bool

    /// The identity of a sample with these times. The app sends no UUIDs.
    var identity: IntakeIdentity { hasEnd ? .content : .point }
}

// What records of several lists have in common.
extension HealthAutoExportReader {
    /// Reads a date.
    ///
    /// The app writes dates as text. Other senders write seconds, and it isn't stated whether they
    /// count from 1970 or 2001. A number is read as Unix seconds only if it can't be a number of
    /// seconds since 2001, because that would be after the request's arrival.
    func date(_ value: JSONValue?) -> IntakeDate? {
        guard let seconds = value?.number else { return IntakeDate.reading(value?.string ?? "") }
        guard seconds > request.receivedAt + 86_400 else { return nil }
        return IntakeDate.reading(.number(seconds))
    }

    /// Reads start and end of a record. Rejects a record in which they are invalid, and returns
    /// nil.
    ///
    /// - Parameters:
    ///   - record: The record, with `start` and `end`, or `startDate` and `endDate`.
    ///   - json: The record as it is kept if it is rejected.
    ///   - pages: Receives the rejection.
    func span(
        of record: JSONValue, keptAs json: @autoclosure () -> JSONValue,
        _ pages: inout IntakePages
    ) -> HealthAutoExportSpan? {
        let id = record["id"]?.string
        guard let start = date(record["start"] ?? record["startDate"])?.seconds else {
            pages.reject(.date, field: "start", id: id, json())
            return nil
        }
        guard let given = record["end"] ?? record["endDate"] else {
            return HealthAutoExportSpan(start: start, end: start, hasEnd: false)
        }
        guard let end = date(given)?.seconds else {
            pages.reject(.date, field: "end", id: id, json())
            return nil
        }
        guard end >= start else {
            pages.reject(.endBeforeStart, field: "end", id: id, json())
            return nil
        }
        return HealthAutoExportSpan(start: start, end: end, hasEnd: true)
    }

    /// Returns a sample without a value.
    func sample(
        _ type: SampleType, _ span: HealthAutoExportSpan, source: JSONValue?,
        metadata: Metadata = [:]
    ) -> ReceivedSample {
        ReceivedSample(
            type: type.code, identity: span.identity,
            source: HealthAutoExportReader.source(source), origin: Origin(source: 0),
            start: span.start, end: span.end, metadata: metadata)
    }

    /// Reads a source: its name, or an object with name and bundle identifier.
    static func source(_ value: JSONValue?) -> Source {
        Source(
            name: value?.string ?? value?["name"]?.string ?? "",
            bundleIdentifier: value?["identifier"]?.string ?? "")
    }

    /// Returns the metadata key of a field that HealthKit doesn't have.
    static func key(_ field: String) -> String { "healthautoexport.\(field.prefix(100))" }

    /// Keeps fields of a record as metadata, under keys of this dialect. Missing ones are left out.
    static func metadata(_ fields: [String], of record: JSONValue) -> Metadata {
        var metadata: Metadata = [:]
        for field in fields {
            guard let value = record[field] else { continue }
            metadata[key(field)] = metadataValue(value)
        }
        return metadata
    }

    /// Returns a JSON value as metadata: text, a number or, for arrays and objects, JSON.
    static func metadataValue(_ value: JSONValue) -> MetadataValue {
        switch value {
        case .string(let text): .string(text)
        case .number(let number) where number.isFinite: .number(number)
        case .bool(let flag): .number(flag ? 1 : 0)
        case .array(let elements): .string(JSONValue.columns(of: elements).text)
        default: .string(value.text)
        }
    }

    /// Returns the entries of a record's `metadata`, which the app writes as text.
    static func metadataEntries(of record: JSONValue) -> Metadata {
        var metadata: Metadata = [:]
        for member in record["metadata"]?.members ?? [] where member.value != .null {
            metadata[member.name] = TextMetadata.value(member.value, of: member.name)
        }
        return metadata
    }

    /// Returns a word without case, spaces and punctuation: "inbed" for "In Bed" and "in_bed".
    static func folded(_ word: String) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Returns the raw value of an English word in one of HealthKit's enumerations; nil for other
    /// words, such as those of a localized app.
    static func rawValue(_ word: String, of enumeration: String) -> Int? {
        let word = folded(word)
        return Catalogue.values(of: enumeration).first { folded($0.name) == word }?.rawValue
    }
}

/// A value with a unit: `{"qty": 5.2, "units": "km"}`.
struct HealthAutoExportQuantity: Hashable {
    var value: Double
    /// HealthKit's symbol of the unit.
    var unit: String

    /// Reads a quantity; nil without a finite number and a known unit. Percentages become
    /// fractions.
    init?(_ json: JSONValue?) {
        guard let value = json?["qty"]?.number, let text = json?["units"]?.string, text != "cal",
            let unit = IntakeUnit.named(text, .hundred)
        else { return nil }
        self.value = unit.converted(value)
        self.unit = unit.symbol
    }

    /// Returns whether the unit has the dimension of another one.
    func isCompatible(with other: String) -> Bool {
        guard let unit = try? HealthUnit(unit), let other = try? HealthUnit(other) else {
            return false
        }
        return unit.isCompatible(with: other)
    }
}

extension JSONValue {
    /// Returns the member whose name differs in case only: `Avg` for "avg". Of several, the last
    /// one counts.
    func member(ignoringCase name: String) -> JSONValue? {
        let name = name.lowercased()
        return members?.last { $0.name.lowercased() == name && $0.value != .null }?.value
    }

    /// Returns objects with the same members in a shorter form, by columns. A column whose values
    /// are all equal is written as one value:
    ///
    /// ```json
    /// {"count": 2, "units": "bpm", "date": ["2026-03-01 …", "2026-03-01 …"], "qty": [61, 64]}
    /// ```
    /// An array with other elements is returned as it is.
    static func columns(of elements: [JSONValue]) -> JSONValue {
        guard elements.count > 1, elements.allSatisfy({ $0.members != nil }) else {
            return .array(elements)
        }
        var names: [String] = []
        for member in elements.flatMap({ $0.members ?? [] }) where !names.contains(member.name) {
            names.append(member.name)
            // Such objects have ten members at most; more of them would take quadratic time.
            if names.count > 32 || member.name == "count" { return .array(elements) }
        }
        var columns = [Member(name: "count", value: .number(Double(elements.count)))]
        for name in names {
            let values = elements.map { $0[name] ?? .null }
            let isConstant = values.allSatisfy { $0 == values.first }
            columns.append(
                Member(name: name, value: isConstant ? values.first ?? .null : .array(values)))
        }
        return .object(columns)
    }
}
