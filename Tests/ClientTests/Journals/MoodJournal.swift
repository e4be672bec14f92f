import Foundation
import HealthKit

/// A journal's record of a mood.
struct MoodEntry: Sendable, Codable, Equatable {
    enum Period: String, Sendable, Codable { case moment, day }
    var date: Date
    var period: Period
    var valence: Double
    var labels: [String]
    var contexts: [String]
    init(date: Date, period: Period, valence: Double, labels: [String], contexts: [String]) {
        self.date = date; self.period = period; self.valence = valence; self.labels = labels;
        self.contexts = contexts
    }
}

/// A mood journal based on states of mind, with its own names for labels and contexts.
@available(iOS 18.0, *)
actor MoodJournal {
    private let healthStore: HKHealthStore
    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    private static let labelNames: [String: HKStateOfMind.Label] = [
        "amazed": .amazed, "amused": .amused, "angry": .angry, "anxious": .anxious,
        "ashamed": .ashamed, "brave": .brave, "calm": .calm, "content": .content,
        "disappointed": .disappointed, "discouraged": .discouraged, "disgusted": .disgusted,
        "embarrassed": .embarrassed, "excited": .excited,
        "frustrated": .frustrated, "grateful": .grateful, "guilty": .guilty, "happy": .happy,
        "hopeless": .hopeless, "irritated": .irritated, "jealous": .jealous,
        "joyful": .joyful, "lonely": .lonely, "passionate": .passionate, "peaceful": .peaceful,
        "proud": .proud, "relieved": .relieved, "sad": .sad, "scared": .scared,
        "stressed": .stressed, "surprised": .surprised, "worried": .worried, "annoyed": .annoyed,
        "confident": .confident, "drained": .drained, "hopeful": .hopeful,
        "indifferent": .indifferent, "overwhelmed": .overwhelmed, "satisfied": .satisfied,
    ]
    private static let associationNames: [String: HKStateOfMind.Association] = [
        "community": .community, "currentEvents": .currentEvents, "dating": .dating,
        "education": .education, "family": .family, "fitness": .fitness, "friends": .friends,
        "health": .health, "hobbies": .hobbies, "identity": .identity, "money": .money,
        "partner": .partner, "selfCare": .selfCare, "spirituality": .spirituality,
        "tasks": .tasks, "travel": .travel, "work": .work, "weather": .weather,
    ]

    @discardableResult
    func log(_ entry: MoodEntry) async throws -> UUID {
        let sample = HKStateOfMind(
            date: entry.date, kind: entry.period == .day ? .dailyMood : .momentaryEmotion,
            valence: entry.valence,
            labels: entry.labels.compactMap { Self.labelNames[$0] },
            associations: entry.contexts.compactMap { Self.associationNames[$0] })
        try await healthStore.save(sample)
        return sample.uuid
    }

    func entries(
        in interval: DateInterval, kind: HKStateOfMind.Kind? = nil,
        label: HKStateOfMind.Label? = nil, association: HKStateOfMind.Association? = nil
    ) async throws -> [MoodEntry] {
        var parts = [
            HKQuery.predicateForSamples(
                withStart: interval.start, end: interval.end, options: .strictStartDate)
        ]
        if let kind { parts.append(HKQuery.predicateForStatesOfMind(with: kind)) }
        if let label { parts.append(HKQuery.predicateForStatesOfMind(with: label)) }
        if let association { parts.append(HKQuery.predicateForStatesOfMind(with: association)) }
        let predicate = HKSamplePredicate.stateOfMind(
            NSCompoundPredicate(andPredicateWithSubpredicates: parts))
        let descriptor = HKSampleQueryDescriptor(
            predicates: [predicate], sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: healthStore).map { s in
            MoodEntry(
                date: s.startDate, period: s.kind == .dailyMood ? .day : .moment,
                valence: s.valence,
                labels: s.labels.compactMap { l in Self.labelNames.first { $0.value == l }?.key }
                    .sorted(),
                contexts: s.associations.compactMap { a in
                    Self.associationNames.first { $0.value == a }?.key
                })
        }
    }

    func unpleasantDays(in interval: DateInterval) async throws -> [HKStateOfMind
        .ValenceClassification: Int]
    {
        let below = HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .lessThan)
        let results = try await HKSampleQueryDescriptor(
            predicates: [.stateOfMind(below)], sortDescriptors: []
        ).result(for: healthStore)
        return results.reduce(into: [:]) { $0[$1.valenceClassification, default: 0] += 1 }
    }

    func describe(_ valence: Double) -> String {
        guard let c = HKStateOfMind.ValenceClassification(valence: valence) else { return "?" }
        switch c {
        case .veryUnpleasant: return "very unpleasant"
        case .unpleasant: return "unpleasant"
        case .slightlyUnpleasant: return "slightly unpleasant"
        case .neutral: return "neutral"
        case .slightlyPleasant: return "slightly pleasant"
        case .pleasant: return "pleasant"
        case .veryPleasant: return "very pleasant"
        @unknown default: return "?"
        }
    }

    func assess() async throws -> [(String, Int, String)] {
        let gad = try await HKSampleQueryDescriptor(
            predicates: [.gad7Assessment()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 5
        ).result(for: healthStore)
        let phq = try await HKSampleQueryDescriptor(
            predicates: [.phq9Assessment()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 5
        ).result(for: healthStore)
        return gad.map { ("GAD-7", $0.score, "\($0.risk.rawValue)") }
            + phq.map { ("PHQ-9", $0.score, "\($0.risk.rawValue)") }
    }
    func logGAD7(_ answers: [Int], date: Date) async throws -> HKGAD7Assessment {
        let a = HKGAD7Assessment(
            date: date, answers: answers.compactMap { HKGAD7Assessment.Answer(rawValue: $0) })
        try await healthStore.save(a); return a
    }
}
