package import HealthEngine
import HealthStorage

/// The total of an amount on a day, without double counting.
package struct FHIRDayTotal: Sendable {
    /// A total that Apple computed and a device sent.
    package struct AppleTotal: Sendable {
        /// The name of the device.
        package var device: String
        /// The sum of the stored samples, which is smaller.
        package var recorded: Double

        package init(device: String, recorded: Double) {
            (self.device, self.recorded) = (device, recorded)
        }
    }

    /// The type.
    package var type: SampleType
    /// The start of the day (inclusive), in reference seconds.
    package var start: Double
    /// The end of the day (exclusive), in reference seconds.
    package var end: Double
    /// The total in the type's display unit.
    package var value: Double
    /// Whether the total may still grow.
    package var isProvisional = false
    /// What each source contributed to the merged sum, in the type's display unit, highest first.
    package var shares: [(source: Source, value: Double)]
    /// The sources that are excluded from the type's totals.
    package var excluded: [Source] = []
    /// Apple's total, if it is the value.
    package var appleTotal: AppleTotal?

    package init(
        type: SampleType, start: Double, end: Double, value: Double,
        shares: [(source: Source, value: Double)]
    ) {
        self.type = type
        self.start = start
        self.end = end
        self.value = value
        self.shares = shares
    }
}

// Amounts of a day.
extension FHIRExport {
    /// Returns the Observation of a day's total, and the Provenance that says what was merged.
    ///
    /// - Parameter total: The total.
    /// - Returns: The text; empty if FHIR can't express the day, which is counted.
    package mutating func text(_ total: FHIRDayTotal) -> String {
        // The end of a FHIR period is inclusive.
        guard let start = settings.calendar.fhirTime(total.start),
            let end = settings.calendar.fhirTime(max(total.start, total.end - 0.001))
        else {
            tally.lose(.dates)
            return ""
        }
        var text = ""
        let code = code(of: total.type)
        let key = total.type.identifier + "\n" + start + "\n" + end
        let sources = contributions(to: total, code, &text)
        let observation = FHIRObservation(
            id: ids.identifier("day total", key),
            status: total.isProvisional ? .preliminary : .final, category: code.category,
            code: code.code, effective: .period(start: start, end: end),
            value: code.value(total.value), note: note(total, sources, code),
            method: total.appleTotal == nil ? .merged : .appleTotal,
            device: sources.count == 1 ? sources.first?.device : nil)
        text += self.text(observation, of: total.type.identifier)
        if !code.hasLOINC { tally.miss(.codes, total.type.name) }
        missUnit(code.quantityUnit)
        return text + provenance(of: observation, key: "day total\n" + key, sources)
    }

    /// Returns what each source contributed; for Apple's total, the device that sent it.
    private mutating func contributions(
        to total: FHIRDayTotal, _ code: FHIRTypeCode, _ text: inout String
    ) -> [FHIRContribution] {
        if let apple = total.appleTotal {
            let name = FHIRText.string(apple.device) ?? "a device"
            return [
                FHIRContribution(name: name, amount: amount(total.value, code), device: nil)
            ]
        }
        return total.shares.map { share in
            let device = FHIRDevice(source: share.source, hardware: nil)
            return FHIRContribution(
                name: name(share.source), amount: amount(share.value, code),
                device: reference(to: device, &text))
        }
    }

    private func note(
        _ total: FHIRDayTotal, _ sources: [FHIRContribution], _ code: FHIRTypeCode
    ) -> String? {
        var sentences: [String] = []
        if let apple = total.appleTotal {
            sentences.append(
                "Apple's total from \(FHIRText.string(apple.device) ?? "a device"); the recorded "
                    + "samples add up to \(amount(apple.recorded, code)).")
        } else if !sources.isEmpty {
            let list = sources.map { "\($0.name) \($0.amount)" }.joined(separator: ", ")
            sentences.append((sources.count > 1 ? "Merged from " : "From ") + list + ".")
        }
        if !total.excluded.isEmpty {
            sentences.append(
                "Excluded: " + total.excluded.map(name).joined(separator: ", ") + ".")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    func name(_ source: Source) -> String {
        FHIRText.string(source.name) ?? FHIRText.string(source.bundleIdentifier)
            ?? "an unnamed source"
    }

    /// Returns an amount with its unit for people: "8733 count". At most three decimals.
    private func amount(_ value: Double, _ code: FHIRTypeCode) -> String {
        let scaled = value * Double(code.unit?.scale ?? 1)
        let rounded = scaled.magnitude < 1e12 ? (scaled * 1000).rounded() / 1000 : scaled
        return JSONText.number(rounded) + (code.quantityUnit.text.map { " " + $0 } ?? "")
    }
}

/// What a source contributed to a merged value.
struct FHIRContribution {
    var name: String
    /// The amount with its unit, for people.
    var amount: String
    /// A reference to the device; nil if the source isn't known.
    var device: String?
}

extension FHIRExport {
    /// Returns the Provenance of a merged Observation: assembled by the program from devices.
    mutating func provenance(
        of observation: FHIRObservation, key: String, _ sources: [FHIRContribution]
    ) -> String {
        let id = ids.identifier("Provenance", key)
        let target = form.reference("Observation", observation.id)
        let agent = JSONText.object([
            "type": .concept([(FHIRSystem.participant, "assembler")], nil),
            "who": .object(["reference": .string(form.reference("Device", program))]),
        ])
        let entities = sources.map { source in
            JSONText.object([
                "role": .string("source"),
                "what": .object([
                    "reference": source.device.map(JSONText.string),
                    "display": .string(source.name + ": " + source.amount),
                ]),
            ])
        }
        let recorded = settings.calendar.fhirTime(settings.madeAt) ?? "2001-01-01T00:00:00Z"
        let method = observation.method ?? .merged
        let resource = JSONText.object([
            "resourceType": .string("Provenance"), "id": .string(id),
            "target": .array([.object(["reference": .string(target)])]),
            "recorded": .string(recorded),
            "activity": .concept([(FHIRSystem.method, method.rawValue)], method.text),
            "agent": .array([agent]),
            "entity": entities.isEmpty ? nil : .array(entities),
        ])
        return text(resource, "Provenance", id)
    }
}
