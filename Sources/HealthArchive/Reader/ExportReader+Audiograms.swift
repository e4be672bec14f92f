import HealthEngine
import HealthStorage

// Hearing tests (ExportFormat §2.3).
extension ExportReader {
    /// Reads a hearing test into the batch. One with a number that isn't one is quarantined as a
    /// whole. Returns false if the file ends inside it.
    func audiogram(_ tag: Tag) throws -> Bool {
        let attributes = RecordAttributes(tag)
        let times: SampleTimes
        switch SampleTimes.read(attributes, &dates) {
        case .success(let read): times = read
        case .failure(let fault): return try quarantineGroup(tag, kind: .other, fault)
        }
        guard let origin = origins.number(attributes) else {
            return try quarantineGroup(tag, kind: .other, .tooManySources)
        }
        var entries = MetadataEntries()
        noteOthers(attributes, of: "Audiogram", type: "HKDataTypeIdentifierAudiogram", &entries)
        var group = MeasurementGroup(tag)
        var audiogram = Audiogram()
        let isComplete = try children(of: tag) { child in
            group.add(child)
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            guard child.name.equals("SensitivityPoint") else {
                return try keepRaw(child, .unknown)
            }
            try noteUnknownAttributes(of: child)
            if countPart(child) {
                switch try sensitivityPoint(child) {
                case .success(let point): audiogram.points.append(point)
                case .failure(let fault): group.fault = fault
                }
            }
            return try skipChildren(of: child)
        }
        guard isComplete else {
            tally.countTruncated("Audiogram")
            return false
        }
        if let fault = group.fault { return try quarantine(group, fault) }
        try append(.audiogram(audiogram), "HKDataTypeIdentifierAudiogram", origin, times, &entries)
        return true
    }

    /// Reads one frequency. A fault is a number that isn't one, or a missing frequency.
    private func sensitivityPoint(_ tag: Tag) throws -> Result<Audiogram.Point, RecordFault> {
        guard let frequency = tag.number("frequencyValue") else { return .failure(.badValue) }
        var point = Audiogram.Point(
            frequency: RecordedQuantity(frequency, unit(tag.string("frequencyUnit"), "Hz")))
        for ear in Ear.both {
            let clamping: Audiogram.Clamping?
            switch (tag.optionalNumber(ear.lower), tag.optionalNumber(ear.upper)) {
            case (.success(let lower), .success(let upper)):
                clamping = Audiogram.Clamping(lower: lower, upper: upper)
            default: return .failure(.badValue)
            }
            let masked = try flag(ear.masked, of: tag)
            switch tag.optionalNumber(ear.value) {
            case .failure(let fault): return .failure(fault)
            case .success(let level?):
                point.tests.append(
                    Audiogram.Test(
                        sensitivity: RecordedQuantity(level, unit(tag.string(ear.unit), "dBHL")),
                        side: ear.side, masked: masked, clamping: clamping))
            case .success(nil):
                // A test without a level is no test, so its text is kept.
                if masked || clamping != nil { try keep(tag, .unknown) }
            }
        }
        return .success(point)
    }

    /// Returns whether an attribute is true: "1", "true" or "YES"; false if it is missing. Another
    /// value than these and their opposites is counted and kept.
    private func flag(_ name: StaticString, of tag: Tag) throws -> Bool {
        guard let text = tag.string(name) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes": return true
        case "0", "false", "no": return false
        default:
            tally.unknownValues.add(text)
            try keep(tag, .unknown)
            return false
        }
    }

    /// The names of one ear's attributes.
    private struct Ear {
        var side: Int
        var value: StaticString
        var unit: StaticString
        var masked: StaticString
        var lower: StaticString
        var upper: StaticString

        static let both = [
            Ear(
                side: Audiogram.Test.left, value: "leftEarValue", unit: "leftEarUnit",
                masked: "leftEarMasked", lower: "leftEarClampingRangeLowerBound",
                upper: "leftEarClampingRangeUpperBound"),
            Ear(
                side: Audiogram.Test.right, value: "rightEarValue", unit: "rightEarUnit",
                masked: "rightEarMasked", lower: "rightEarClampingRangeLowerBound",
                upper: "rightEarClampingRangeUpperBound"),
        ]
    }

    /// The attributes of a `SensitivityPoint`.
    static let sensitivityPointAttributes = Set(
        ["frequencyValue", "frequencyUnit"]
            + ["leftEar", "rightEar"].flatMap { ear in
                [
                    "Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound",
                ].map { ear + $0 }
            })
}
