import Foundation
package import HealthEngine

/// The cards of the summary that a person has chosen, in order. The first is the large one.
package struct SummaryCards: Hashable, Sendable {
    /// What a card shows.
    package enum Card: Hashable, Sendable {
        case metric(Metric)
        case rings, workouts

        /// The name in settings and forms: "stepCount", "rings".
        package var name: String {
            switch self {
            case .metric(let metric): metric.shortName
            case .rings: "rings"
            case .workouts: "workouts"
            }
        }

        /// The title: "Steps", "Activity rings".
        package var title: String {
            switch self {
            case .metric(let metric): metric.title
            case .rings: "Activity rings"
            case .workouts: "Workouts"
            }
        }

        /// Creates the card with a name; nil for an unknown one.
        package init?(name: String) {
            switch name {
            case "rings": self = .rings
            case "workouts": self = .workouts
            default:
                guard let metric = Metric(name: name) else { return nil }
                self = .metric(metric)
            }
        }
    }

    /// The cards in order, each once.
    package private(set) var shown: [Card]

    /// The maximum number of cards.
    package static let maximum = 24

    /// The cards of a person who hasn't chosen any.
    package static let standard = SummaryCards(
        [
            .metric(.steps), .metric(.sleep), .metric(.restingHeartRate), .metric(.weight),
            .metric(.activeEnergy), .metric(.exercise), .metric(.heartRate),
            .metric(.heartRateVariability), .metric(.distance), .rings, .workouts,
        ])

    package init(_ cards: [Card]) {
        var seen: Set<Card> = []
        shown = Array(cards.filter { seen.insert($0).inserted }.prefix(Self.maximum))
    }

    /// The metrics with a card.
    package var metrics: [Metric] {
        shown.compactMap { card in
            guard case .metric(let metric) = card else { return nil }
            return metric
        }
    }

    /// Whether a card is shown.
    package func contains(_ card: Card) -> Bool { shown.contains(card) }

    /// Moves a card towards the start by one place.
    package mutating func raise(_ card: Card) {
        guard let index = shown.firstIndex(of: card), index > 0 else { return }
        shown.swapAt(index, index - 1)
    }

    /// Moves a card towards the end by one place.
    package mutating func lower(_ card: Card) {
        guard let index = shown.firstIndex(of: card), index + 1 < shown.count else { return }
        shown.swapAt(index, index + 1)
    }

    /// Hides a card.
    package mutating func hide(_ card: Card) { shown.removeAll { $0 == card } }

    /// Shows a card, as the last one.
    package mutating func show(_ card: Card) { self = SummaryCards(shown + [card]) }
}

// The text that a store keeps.
extension SummaryCards {
    /// Creates cards from the text that a store keeps. Unknown names are skipped; a text that isn't a
    /// list of names gives the standard cards.
    ///
    /// - Parameter text: A JSON array of names; nil for the standard cards.
    package init(stored text: String?) {
        guard let text, let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
        else {
            self = .standard
            return
        }
        self.init(names.compactMap(Card.init(name:)))
    }

    /// The text that a store keeps.
    package var stored: String {
        "[" + shown.map { "\"\($0.name)\"" }.joined(separator: ",") + "]"
    }
}

extension Metric {
    /// The short name in addresses and commands, such as "stepCount"; the identifier itself for
    /// types that are neither quantities nor categories.
    package var shortName: String {
        Catalogue.type(identifier: identifier)?.name ?? identifier
    }

    /// The display name as a title: "Resting heart rate".
    package var title: String { displayName.prefix(1).uppercased() + displayName.dropFirst() }

    /// The part of health that the metric belongs to.
    package var domain: HealthDomain { Catalogue.type(identifier: identifier)?.domain ?? .vitals }

    /// Creates the metric with a short name; nil for an unknown one.
    package init?(name: String) {
        guard let type = Catalogue.type(named: name) else { return nil }
        self.init(type)
    }
}
