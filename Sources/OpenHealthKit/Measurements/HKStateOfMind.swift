public import Foundation
public import HealthEngine

/// A recorded feeling: a momentary emotion or the mood of a day.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKStateOfMind: HKSample, @unchecked Sendable {
    private let content: StateOfMindFacts

    /// Creates a state of mind from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - facts: The kind, valence, labels and associations.
    public init(_record: SampleRecord, facts: StateOfMindFacts) {
        content = facts
        super.init(_record: _record)
    }

    /// Creates a state of mind. With a valence outside -1...1, `save` throws
    /// `errorInvalidArgument`, and the initializer traps if `OPENHEALTH_STRICT` is 1.
    ///
    /// - Parameters:
    ///   - date: The start and end of the sample.
    ///   - kind: A momentary emotion or the mood of a day.
    ///   - valence: From -1, very unpleasant, to 1, very pleasant.
    ///   - labels: The feelings.
    ///   - associations: What the feeling is related to.
    ///   - metadata: Additional facts, or nil.
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
        validateIfStrict()
    }

    /// Decodes a state of mind; nil if its UUID, type or content is missing.
    public required init?(coder: NSCoder) {
        guard let data = coder.data("numbers"),
            let numbers = try? JSONDecoder().decode([String: [Double]].self, from: data)
        else { return nil }
        content = StateOfMindFacts(numbers)
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(try? JSONEncoder().encode(content.numbers), for: "numbers")
    }

    /// A momentary emotion or the mood of a day; `momentaryEmotion` if the stored number is
    /// unknown.
    open var kind: Kind { Kind(rawValue: content.kind) ?? .momentaryEmotion }

    /// From -1, very unpleasant, to 1, very pleasant.
    open var valence: Double { content.valence }

    /// The class of ``valence``, one of seven; `neutral` for a valence outside -1...1.
    open var valenceClassification: ValenceClassification {
        ValenceClassification(valence: content.valence) ?? .neutral
    }

    /// The feelings; unknown stored numbers are omitted.
    open var labels: [Label] { content.labels.compactMap { Label(rawValue: $0) } }

    /// What the feeling is related to; unknown stored numbers are omitted.
    open var associations: [Association] {
        content.associations.compactMap { Association(rawValue: $0) }
    }

    /// The values that predicates compare.
    override var stateOfMind: StateOfMindFacts? { content }
    override var detail: SampleDetail? { .numbers(content.numbers) }
}

extension HKStateOfMind.ValenceClassification {
    /// Classifies a valence into seven classes of equal width; nil outside -1...1.
    ///
    /// Apple does not publish the boundaries. This implementation uses ±1/7, ±3/7 and ±5/7; a value
    /// on a boundary belongs to the class nearer to neutral.
    ///
    /// - Parameter valence: From -1, very unpleasant, to 1, very pleasant.
    public init?(valence: Double) {
        guard (-1...1).contains(valence) else { return nil }
        let steps = max(0, (valence.magnitude * 7 - 1) / 2).rounded(.up)
        let raw = HKStateOfMind.ValenceClassification.neutral.rawValue
        self.init(
            rawValue: valence < 0 ? raw - Int(clamping: steps) : raw + Int(clamping: steps))
    }
}

extension StateOfMindFacts {
    /// The representation in the store.
    var numbers: [String: [Double]] {
        Dictionary([
            .kind: [Double(kind)], .valence: [valence], .labels: labels.map(Double.init),
            .associations: associations.map(Double.init),
        ])
    }

    /// Creates the facts from the representation in the store.
    /// Missing values default to momentary, neutral and no labels or associations.
    init(_ numbers: [String: [Double]]) {
        self.init(
            kind: numbers.integers(.kind).first ?? HKStateOfMind.Kind.momentaryEmotion.rawValue,
            valence: numbers[.valence].first ?? 0, labels: numbers.integers(.labels),
            associations: numbers.integers(.associations))
    }
}
