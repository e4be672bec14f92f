package import HealthEngine
import HealthStorage

/// A night or a nap, merged from all sources.
package struct FHIRSleep: Sendable {
    /// Whether it is the main sleep of a day.
    package enum Kind: Sendable {
        case night
        /// With its position among the naps of the day.
        case nap(Int)
    }

    /// A stage of sleep, or time in bed or awake.
    package enum Stage: String, Sendable, CaseIterable {
        case inBed, awake, rem, core, deep
        /// Asleep, without a known stage.
        case asleep
    }

    /// What a source contributed.
    package struct Part: Sendable {
        /// The name of the source.
        package var name: String
        /// The source; nil if the name doesn't determine it.
        package var source: Source?
        /// The seconds of sleep that count.
        package var counted: Double
        /// The seconds of sleep that the source recorded; nil if unknown.
        package var recorded: Double?

        package init(name: String, source: Source?, counted: Double, recorded: Double?) {
            self.name = name
            self.source = source
            self.counted = counted
            self.recorded = recorded
        }
    }

    /// Whether it is a night or a nap.
    package var kind: Kind
    /// The day to which the sleep belongs.
    package var day: CivilDate
    /// The start, in reference seconds.
    package var start: Double
    /// The end (exclusive), in reference seconds.
    package var end: Double
    /// The seconds asleep; nil if unknown.
    package var asleep: Double?
    /// The seconds in bed; nil if unknown.
    package var inBed: Double?
    /// The seconds in each stage; none for stages without any.
    package var stages: [Stage: Double]
    /// The sources, by priority.
    package var parts: [Part]

    package init(
        _ kind: Kind, of day: CivilDate, start: Double, end: Double, asleep: Double?,
        inBed: Double?, stages: [Stage: Double], parts: [Part]
    ) {
        self.kind = kind
        self.day = day
        self.start = start
        self.end = end
        self.asleep = asleep
        self.inBed = inBed
        self.stages = stages
        self.parts = parts
    }
}

// Nights and naps.
extension FHIRExport {
    /// The name under which ``FHIRTally/observations`` counts nights and naps.
    static let sleepType = "HKCategoryTypeIdentifierSleepAnalysis"

    /// Returns the Observation of a night or nap, with its stages as components, and the Provenance
    /// that says what was merged.
    ///
    /// - Parameter sleep: The night or nap.
    /// - Returns: The text; empty if FHIR can't express its times, which is counted.
    package mutating func text(_ sleep: FHIRSleep) -> String {
        guard let start = settings.calendar.fhirTime(sleep.start),
            let end = settings.calendar.fhirTime(sleep.end)
        else {
            tally.lose(.dates)
            return ""
        }
        var text = ""
        let sources = sleep.parts.map { part in
            FHIRContribution(
                name: FHIRText.string(part.name) ?? "an unnamed source",
                amount: FHIRExport.duration(part),
                device: part.source.map {
                    reference(to: FHIRDevice(source: $0, hardware: nil), &text)
                })
        }
        let (measure, key) = FHIRExport.identity(sleep)
        let observation = FHIRObservation(
            id: ids.identifier("sleep", key), category: "activity", code: .measure(measure),
            effective: .period(start: start, end: end),
            value: sleep.asleep.map { .quantity($0, .seconds) } ?? .absent(.unknown),
            note: FHIRExport.note(sleep, sources), method: .merged,
            device: sources.count == 1 ? sources.first?.device : nil,
            components: FHIRExport.components(sleep))
        text += self.text(observation, of: FHIRExport.sleepType)
        tally.miss(.codes, measure.rawValue)
        return text + provenance(of: observation, key: "sleep\n" + key, sources)
    }

    private static func identity(_ sleep: FHIRSleep) -> (FHIRMeasure, key: String) {
        switch sleep.kind {
        case .night: (.sleepNight, "night \(sleep.day)")
        case .nap(let place): (.sleepNap, "nap \(place) \(sleep.day)")
        }
    }

    private static func duration(_ part: FHIRSleep.Part) -> String {
        let counted = minutes(part.counted)
        guard let recorded = part.recorded, recorded != part.counted else { return counted }
        return counted + " of " + minutes(recorded)
    }

    private static func minutes(_ seconds: Double) -> String {
        JSONText.number((seconds / 6).rounded() / 10) + " min"
    }

    private static func note(_ sleep: FHIRSleep, _ sources: [FHIRContribution]) -> String {
        let list = sources.map { "\($0.name) \($0.amount)" }.joined(separator: ", ")
        let from = list.isEmpty ? "" : (sources.count > 1 ? " Merged from " : " From ") + list + "."
        return "Belongs to \(sleep.day)." + from
    }

    /// Returns the time in bed, also if it is unknown, and the stages.
    private static func components(_ sleep: FHIRSleep) -> [FHIRObservation.Component] {
        var components: [FHIRObservation.Component] = []
        if case .night = sleep.kind {
            components.append(
                .init(
                    code: .measure(.inBed),
                    value: sleep.inBed.map { .quantity($0, .seconds) } ?? .absent(.unknown)))
        }
        let stages: [(FHIRSleep.Stage, FHIRMeasure)] = [
            (.awake, .awake), (.rem, .rem), (.core, .core), (.deep, .deep),
            (.asleep, .unspecified),
        ]
        for (stage, measure) in stages {
            guard let seconds = sleep.stages[stage] else { continue }
            components.append(
                .init(code: .measure(measure), value: .quantity(seconds, .seconds)))
        }
        return components
    }
}
