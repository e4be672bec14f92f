import HealthEngine
import HealthStorage

// States of mind.
extension HealthAutoExportReader {
    func addStateOfMind(_ record: JSONValue, to pages: inout IntakePages) {
        guard let type = Catalogue.type(named: "stateOfMind"),
            let span = span(of: record, keptAs: record, &pages)
        else { return }
        let id = record["id"]?.string
        guard let valence = record["valence"]?.number else {
            return pages.reject(.value, field: "valence", id: id, record)
        }
        guard (-1...1).contains(valence) else {
            return pages.reject(.range, field: "valence", id: id, record)
        }
        var metadata = HealthAutoExportReader.metadata(
            ["id", "valenceClassification"], of: record)
        metadata.merge(HealthAutoExportReader.metadataEntries(of: record)) { own, _ in own }
        let labels = HealthAutoExportReader.numbers(
            of: record["labels"], in: HealthAutoExportReader.labels)
        let associations = HealthAutoExportReader.numbers(
            of: record["associations"], in: HealthAutoExportReader.associations)
        if labels.hasUnknown {
            metadata.merge(HealthAutoExportReader.metadata(["labels"], of: record)) { $1 }
        }
        if associations.hasUnknown {
            metadata.merge(HealthAutoExportReader.metadata(["associations"], of: record)) { $1 }
        }
        var numbers: [String: [Double]] = [
            RecordedNumber.valence.rawValue: [valence],
            RecordedNumber.labels.rawValue: labels.known,
            RecordedNumber.associations.rawValue: associations.known,
        ]
        let kind = record["kind"]?.string ?? ""
        switch HealthAutoExportReader.folded(kind) {
        case "momentaryemotion": numbers[RecordedNumber.kind.rawValue] = [1]
        case "dailymood": numbers[RecordedNumber.kind.rawValue] = [2]
        default: metadata.merge(HealthAutoExportReader.metadata(["kind"], of: record)) { $1 }
        }
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        sample.detail = .numbers(numbers)
        pages.add(sample)
    }

    /// Returns HealthKit's numbers of words, and whether a word has none.
    private static func numbers(
        of json: JSONValue?, in words: [String]
    ) -> (known: [Double], hasUnknown: Bool) {
        guard let json else { return ([], false) }
        guard let elements = json.array else { return ([], true) }
        let known = elements.compactMap { element -> Double? in
            guard let word = element.string.map(folded) else { return nil }
            return words.firstIndex { $0.lowercased() == word }.map { Double($0 + 1) }
        }
        return (known, known.count < elements.count)
    }

    /// HealthKit's labels of states of mind, in the order of their numbers from 1.
    private static let labels = [
        "amazed", "amused", "angry", "anxious", "ashamed", "brave", "calm", "content",
        "disappointed", "discouraged", "disgusted", "embarrassed", "excited", "frustrated",
        "grateful", "guilty", "happy", "hopeless", "irritated", "jealous", "joyful", "lonely",
        "passionate", "peaceful", "proud", "relieved", "sad", "scared", "stressed", "surprised",
        "worried", "annoyed", "confident", "drained", "hopeful", "indifferent", "overwhelmed",
        "satisfied",
    ]

    /// HealthKit's associations of states of mind, in the order of their numbers from 1.
    private static let associations = [
        "community", "currentEvents", "dating", "education", "family", "fitness", "friends",
        "health", "hobbies", "identity", "money", "partner", "selfCare", "spirituality", "tasks",
        "travel", "work", "weather",
    ]
}
