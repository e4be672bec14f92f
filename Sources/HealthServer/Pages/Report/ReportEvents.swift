import HealthArchive
import HealthDashboard
import HealthEngine
import HealthStorage

// Electrocardiograms and medications, which are counted.
extension ReportReading {
    /// HealthKit's classifications of electrocardiograms by raw value, in the words of Apple's
    /// English exports. 0 is not set.
    private static let classifications: [Double: String] = [
        1: "Sinus Rhythm", 2: "Atrial Fibrillation", 3: "Inconclusive: low heart rate",
        4: "Inconclusive: high heart rate", 5: "Inconclusive: poor reading", 6: "Inconclusive",
        100: "Unrecognized",
    ]
    /// The metadata keys of names, in order of preference. Apple's exports have neither; the app
    /// Health Auto Export sends them.
    private static let medicationNames = [
        "healthautoexport.nickname", "healthautoexport.displayText",
    ]
    private static let classificationName = "healthautoexport.classification"
    /// HealthKit's raw values of logged doses.
    private static let (taken, skipped) = (4, 5)

    /// Returns the section of electrocardiograms; nil without any in the period. Those kept as
    /// files of an export have the classification in the export's language.
    ///
    /// - Complexity: O(log n + electrocardiograms in the period with the bytes of their files).
    func electrocardiograms() throws -> ReportPage.Section? {
        guard let type = Catalogue.type(named: "electrocardiogram") else { return nil }
        // By second: a phone may send what an export contains as a file.
        var found: [Int: String?] = [:]
        var sources: [String] = []
        for file in try store.electrocardiograms(from: from, to: to) {
            let classification = ElectrocardiogramHeading(file.bytes).classification
            found[second(file.recorded)] = .some(classification)
        }
        if !found.isEmpty { sources.append("files of an Apple Health export") }
        let batch = try store.samples(SampleQuery(type, from: from, to: to))
        for (index, sample) in batch.samples.enumerated() where sample.start >= from {
            // The sample of a file that was counted above.
            if Self.isOfFile(batch.details[index]), found[second(sample.start)] != nil { continue }
            let name = Self.classification(index, sample, batch)
            let known: String? = found[second(sample.start)] ?? nil
            found[second(sample.start)] = .some(name ?? known)
            if let source = batch.knownSource(of: sample) {
                sources.append(PrintableText.name(source.name))
            }
        }
        guard !found.isEmpty else { return nil }
        let counts = Dictionary(grouping: found.values) { $0.map { PrintableText.name($0) } }
            .map { ReportPage.Count(name: $0.key, count: $0.value.count) }
        return ReportPage.Section(
            kind: .electrocardiograms, counts: counts.sorted(by: Self.precedes),
            days: Set(found.keys.map { day(Double($0)) }).count,
            sources: sources.firstOccurrences)
    }

    /// Whether the voltages are in a kept file.
    private static func isOfFile(_ detail: SampleDetail?) -> Bool {
        guard case .numbers(let numbers) = detail else { return false }
        return numbers[ElectrocardiogramRecording.Key.count] != nil
            && ElectrocardiogramRecording(numbers: numbers, start: 0) == nil
    }

    private func second(_ time: Double) -> Int { Int(clamping: time.rounded(.down)) }

    private static func classification(
        _ index: Int, _ sample: Sample, _ batch: SampleBatch
    ) -> String? {
        if case .numbers(let numbers) = batch.details[index],
            let name = numbers["classification"]?.first.flatMap({ classifications[$0] })
        {
            return name
        }
        return text([classificationName], batch.metadata(of: sample))
    }

    /// Returns the section of medications; nil without doses in the period.
    ///
    /// - Complexity: O(log n + doses in the period).
    func medications() throws -> ReportPage.Section? {
        guard let type = Catalogue.type(named: "medicationDoseEvent") else { return nil }
        let batch = try store.samples(SampleQuery(type, from: from, to: to))
        let stored = Dictionary(
            try store.medications().map { ($0.identifier, $0.nickname ?? $0.displayText) },
            uniquingKeysWith: { first, _ in first })
        var counts: [String?: ReportPage.Count] = [:]
        var days: Set<CivilDate> = []
        var sources: [String] = []
        for (index, sample) in batch.samples.enumerated() where sample.start >= from {
            let metadata = batch.metadata(of: sample)
            let dose = MedicationDose(batch.details[index]) { metadata?[$0] }
            let known = Self.text(Self.medicationNames, metadata)
            let name = (known ?? dose.flatMap { stored[$0.medication] })
                .map { PrintableText.name($0) }
            var count = counts[name] ?? .init(name: name, count: 0, taken: 0, skipped: 0)
            count.count += 1
            if dose?.status == Self.taken { count.taken = (count.taken ?? 0) + 1 }
            if dose?.status == Self.skipped { count.skipped = (count.skipped ?? 0) + 1 }
            counts[name] = count
            days.insert(day(sample.start))
            if let source = batch.knownSource(of: sample) {
                sources.append(PrintableText.name(source.name))
            }
        }
        guard !counts.isEmpty else { return nil }
        return ReportPage.Section(
            kind: .medications, counts: counts.values.sorted(by: Self.precedes),
            days: days.count, gaps: ReportDays.gaps(in: self.days, without: days),
            sources: sources.firstOccurrences)
    }

    /// Returns the first text that metadata has for some keys; nil for none.
    private static func text(_ keys: [String], _ metadata: Metadata?) -> String? {
        keys.lazy.compactMap { key -> String? in
            guard case .string(let text) = metadata?[key],
                text.contains(where: { !$0.isWhitespace })
            else { return nil }
            return text
        }.first
    }

    /// Orders counts: the highest first, then by name, those without a name last.
    private static func precedes(_ a: ReportPage.Count, _ b: ReportPage.Count) -> Bool {
        if a.count != b.count { return a.count > b.count }
        guard let first = a.name else { return false }
        return b.name.map { first < $0 } ?? true
    }
}
