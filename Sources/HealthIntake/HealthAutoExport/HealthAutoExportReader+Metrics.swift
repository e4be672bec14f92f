import HealthEngine
import HealthStorage

extension HealthAutoExportReader {
    /// Reads a metric with its data.
    ///
    /// A metric's name can follow its data, and the verdict on the data depends on all of them. So
    /// the data are skipped first, and then read once or twice.
    func readMetric(_ reader: inout JSONReader, into pages: inout IntakePages) throws {
        guard try reader.nextKind() == .object else {
            guard try pages.beginRecord() else { return try reader.skipValue() }
            let record = try reader.readValue()
            return pages.reject(.type, field: "metrics", record)
        }
        var name = JSONValue.null
        var units = JSONValue.null
        var data: Int?
        try reader.readObject { member, reader in
            switch member {
            case "name": name = try reader.readValue()
            case "units": units = try reader.readValue()
            case "data":
                data = reader.offset
                try reader.skipValue()
            default: try reader.skipValue()
            }
        }
        guard let data else { return }
        let end = reader.offset
        reader.seek(to: data)
        try readData(of: HealthAutoExportHeading(name: name, units: units), &reader, into: &pages)
        reader.seek(to: end)
    }

    private func readData(
        of heading: HealthAutoExportHeading, _ reader: inout JSONReader,
        into pages: inout IntakePages
    ) throws {
        guard try reader.nextKind() == .array else {
            let value = try reader.readValue()
            guard value != .null, try pages.beginRecord() else { return }
            return pages.reject(.type, field: "data", heading.record(value))
        }
        guard let type = HealthAutoExportMetricNames.type(heading.text) else {
            try reader.readArray { reader in
                guard try pages.beginRecord() else { return try reader.skipValue() }
                let datum = try reader.readValue()
                let name = heading.text.isEmpty ? "metrics" : heading.text
                pages.keepUnknown(name, heading.record(datum))
            }
            return
        }
        let start = reader.offset
        let evidence = try evidence(of: type, &reader)
        reader.seek(to: start)
        let metric = HealthAutoExportMetric(self, type, heading, evidence)
        try reader.readArray { reader in
            guard try pages.beginRecord() else { return try reader.skipValue() }
            metric.add(try reader.readValue(), to: &pages)
        }
    }

    /// Reads what the data show about their aggregation. Records that are stored already count too,
    /// so that the verdict depends on the whole body.
    private func evidence(
        of type: SampleType, _ reader: inout JSONReader
    ) throws -> HealthAutoExportEvidence {
        var evidence = HealthAutoExportEvidence()
        let interval = aggregation.flatMap(HealthAutoExportInterval.init(header:))
        // The ends of these intervals follow from their starts alone. Sleep has no verdict.
        if interval?.isOfCalendar == false || type.name == "sleepAnalysis" { return evidence }
        try reader.readArray { reader in
            let datum = try reader.readValue()
            evidence.add(datum, date: date(datum["date"] ?? datum["startDate"]))
        }
        return evidence
    }

    /// The header that names the interval of an aggregation; nil without one.
    var aggregation: String? { request.headers["automation-aggregation"] }
}

/// The name and units of a metric, as they were sent.
struct HealthAutoExportHeading {
    var name: JSONValue
    var units: JSONValue

    /// The name; empty if it is no text.
    var text: String { name.string ?? "" }

    /// A datum as a metric of its own, so that it can be understood when it is kept.
    func record(_ datum: JSONValue) -> JSONValue {
        var members: [JSONValue.Member] = []
        if name != .null { members.append(.init(name: "name", value: name)) }
        if units != .null { members.append(.init(name: "units", value: units)) }
        members.append(.init(name: "data", value: .array([datum])))
        return .object(members)
    }
}
