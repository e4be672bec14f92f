import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// A note that a source is excluded, with the reason and the command that includes it.
enum ExclusionNote {
    static func text(
        _ name: String, _ type: SampleType, reason: String, _ options: String
    ) -> String {
        let text =
            "\(name.printable) is excluded for \(TypeText.name(type)): "
            + "\(ExclusionReasonText.why(reason)). To include it:"
        return text.wrapped() + "\n" + command(name, type, options)
    }

    static func command(_ name: String, _ type: SampleType, _ options: String) -> String {
        "  openhealth sources include \(type.name) \(ShellWord.quoted(name))\(options)"
    }

    /// Returns a note for each source excluded from a type.
    static func all(
        _ store: SampleStore, _ type: SampleType, _ options: String
    ) throws -> [String] {
        try store.exclusions().filter { $0.type == type }.map {
            text($0.excluded.source.name, type, reason: $0.excluded.reason, options)
        }
    }
}

/// The explanation of an empty result: data was recorded, but only by excluded sources.
struct ExcludedDataNote {
    private struct Part {
        var name: String
        var reason: String
        /// The recorded amount, as in "14,250 steps in 2 samples".
        var contents: String
    }

    private var type: SampleType
    private var parts: [Part]

    /// Reads what excluded sources recorded in the range; nil if there is nothing. The caller has
    /// found no included data.
    init?(_ store: SampleStore, _ query: SampleQuery) throws {
        type = query.type
        let excluded = try store.exclusions().filter { $0.type == query.type }.map(\.excluded)
        if excluded.isEmpty { return nil }
        var extents: [String: (samples: Int, first: Double, last: Double)] = [:]
        try store.forEachBatch(query) { batch, _ in
            for sample in batch.samples {
                let key = batch.source(of: sample).bundleIdentifier
                let known = extents[key] ?? (0, sample.start, sample.start)
                let last = sample.isUndetermined ? sample.start : sample.end
                extents[key] = (known.samples + 1, known.first, max(known.last, last))
            }
        }
        let found = excluded.filter { extents[$0.source.bundleIdentifier] != nil }
        let known = found.compactMap { extents[$0.source.bundleIdentifier] }
        guard let first = known.map(\.first).min(), let last = known.map(\.last).max() else {
            return nil
        }
        var amounts: [String: String] = [:]
        if query.type.aggregation == .cumulative {
            var fullQuery = query
            fullQuery.from = max(query.from, first)
            fullQuery.to = min(query.to, last.nextUp)
            let explanation = try store.explanation(of: fullQuery)
            for part in explanation.excluded {
                amounts[part.source.bundleIdentifier] = ExcludedDataNote.amount(part, explanation)
            }
        }
        parts = found.map { excluded in
            let key = excluded.source.bundleIdentifier
            let samples = counted(extents[key]?.samples ?? 0, "sample", "samples")
            return Part(
                name: excluded.source.name, reason: excluded.reason,
                contents: amounts[key].map { "\($0) in \(samples)" } ?? samples)
        }
    }

    /// Creates the explanation for a day; nil if no excluded source has data, or an included one
    /// has.
    init?(_ explanation: Explanation) {
        if !explanation.parts.isEmpty || explanation.excluded.isEmpty { return nil }
        type = explanation.type
        parts = explanation.excluded.map { part in
            let samples = counted(part.samples, "sample", "samples")
            return Part(
                name: part.source.name, reason: part.exclusionReason ?? "",
                contents: ExcludedDataNote.amount(part, explanation) + " in " + samples)
        }
    }

    private static func amount(_ part: Explanation.Part, _ explanation: Explanation) -> String {
        let recorded = part.contributed + part.duplicate
        let unit = ReadableUnit(explanation.unit, largest: recorded)
        return TypeText.amount(unit.text(recorded), unit.symbol, of: explanation.type)
    }

    /// Returns the text, which is the result in text output. With CSV output and in `samples` also
    /// with JSON it is a message on standard error.
    ///
    /// - Parameters:
    ///   - time: The time as text, as in "on 30 March 2024".
    ///   - options: Options that select the store in suggested commands.
    func text(_ time: String, _ options: String) -> String {
        let sources =
            parts.count == 1 ? "the only source is excluded" : "all sources are excluded"
        let notes = parts.map { part in
            "EXCLUDED: \(part.name.printable) has \(part.contents), but "
                + "\(ExclusionReasonText.why(part.reason)). To include it:"
        }
        return "No \(TypeText.name(type)) \(time): \(sources).\n\n"
            + zip(parts, notes).map { part, note in
                note.wrapped() + "\n" + ExclusionNote.command(part.name, type, options) + "\n"
            }.joined()
    }
}
