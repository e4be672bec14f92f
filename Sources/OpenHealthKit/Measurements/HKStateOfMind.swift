public import Foundation
public import HealthEngine

/// How a person felt: at a moment, or over a day.
// Immutable.
open class HKStateOfMind: HKSample, @unchecked Sendable {
    private let feeling: StateOfMindFacts

    /// A state of mind by its parts; not Apple's.
    public init(_record: SampleRecord, facts: StateOfMindFacts) {
        feeling = facts
        super.init(_record: _record)
    }

    /// A state of mind; a valence outside -1…1 is refused by `save`.
    public convenience init(
        date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
        metadata: [String: Any]? = [:]
    ) {
        self.init(
            _record: SampleRecord(
                .stateOfMindType(), start: date, end: date, device: nil, metadata: metadata),
            facts: StateOfMindFacts(
                kind: kind.rawValue, valence: valence, labels: labels.map(\.rawValue),
                associations: associations.map(\.rawValue)))
    }

    /// Reads an archived state of mind.
    public required init?(coder: NSCoder) {
        guard let data = coder.data("numbers"),
            let numbers = try? JSONDecoder().decode([String: [Double]].self, from: data)
        else { return nil }
        feeling = StateOfMindFacts(numbers)
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(try? JSONEncoder().encode(feeling.numbers), for: "numbers")
    }

    /// Whether it is about a moment or a day; a moment where a store holds a number unknown here.
    open var kind: Kind { Kind(rawValue: feeling.kind) ?? .momentaryEmotion }

    /// From -1, very unpleasant, to 1, very pleasant.
    open var valence: Double { feeling.valence }

    /// ``valence`` in seven steps.
    open var valenceClassification: ValenceClassification {
        ValenceClassification(valence: feeling.valence) ?? .neutral
    }

    /// What it felt like.
    open var labels: [Label] { feeling.labels.compactMap { Label(rawValue: $0) } }

    /// What it had to do with.
    open var associations: [Association] {
        feeling.associations.compactMap { Association(rawValue: $0) }
    }

    /// What predicates ask of it.
    override var stateOfMind: StateOfMindFacts? { feeling }
    override var detail: SampleDetail? { .numbers(feeling.numbers) }
}

extension HKStateOfMind.ValenceClassification {
    /// The step of a valence, seven of equal width; nil outside -1…1.
    ///
    /// Apple doesn't publish the borders; ours are ±1/7, ±3/7 and ±5/7, each belonging to the step
    /// nearer to neutral.
    public init?(valence: Double) {
        guard (-1...1).contains(valence) else { return nil }
        let steps = max(0, (valence.magnitude * 7 - 1) / 2).rounded(.up)
        let raw = HKStateOfMind.ValenceClassification.neutral.rawValue
        self.init(
            rawValue: valence < 0 ? raw - Int(clamping: steps) : raw + Int(clamping: steps))
    }
}

extension StateOfMindFacts {
    /// As a store keeps it.
    var numbers: [String: [Double]] {
        [
            "kind": [Double(kind)], "valence": [valence], "labels": labels.map(Double.init),
            "associations": associations.map(Double.init),
        ]
    }

    /// From what a store keeps; what is missing is neutral, momentary and without labels.
    init(_ numbers: [String: [Double]]) {
        func whole(_ name: String) -> [Int] { (numbers[name] ?? []).compactMap(Int.init(exactly:)) }
        self.init(
            kind: whole("kind").first ?? HKStateOfMind.Kind.momentaryEmotion.rawValue,
            valence: numbers["valence"]?.first ?? 0, labels: whole("labels"),
            associations: whole("associations"))
    }
}
