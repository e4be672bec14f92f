import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

/// The choice of the summary's cards: `/cards`.
package struct CardsPage: Page, Hashable {
    package static let path = "/cards"
    package static let title = "Choose cards"

    /// A card.
    package struct Row: Hashable, Sendable, Codable {
        /// The name in forms, such as "stepCount".
        package var name: String
        /// The title.
        package var title: String
    }

    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    package var sentence: String
    /// The cards of the summary, in order.
    package var shown: [Row]
    /// The cards that can be added: those with data.
    package var hidden: [Row]

    /// - Parameters:
    ///   - cards: The cards of the summary.
    ///   - metrics: The metrics with data.
    init(_ cards: SummaryCards, among metrics: [Metric], timeZone: TimeZone, now: Date) {
        func row(_ card: SummaryCards.Card) -> Row { Row(name: card.name, title: card.title) }
        let all: [SummaryCards.Card] = metrics.map { .metric($0) } + [.rings, .workouts]
        shown = cards.shown.map(row)
        hidden = all.filter { !cards.contains($0) }.map(row).sorted { $0.title < $1.title }
        freshness = Freshness(asOf: now, isCurrent: true)
        self.timeZone = timeZone.identifier
        sentence = "The first card is the large one"
    }
}

extension SummaryCards {
    /// Applies a submitted form: a button named after what it does, with the name of a card.
    ///
    /// - Throws: ``PageError`` for an unknown button or card.
    mutating func apply(_ query: PageQuery) throws {
        if query["standard"] != nil {
            self = .standard
            return
        }
        let actions: [(name: String, apply: (inout SummaryCards, Card) -> Void)] = [
            ("up", { $0.raise($1) }), ("down", { $0.lower($1) }), ("hide", { $0.hide($1) }),
            ("show", { $0.show($1) }),
        ]
        guard let action = actions.first(where: { query[$0.name] != nil }),
            let card = query[action.name].flatMap(Card.init(name:))
        else { throw PageError.badRequest("The form has no card to change.") }
        if action.name == "show", shown.count >= Self.maximum {
            throw PageError.badRequest("There are \(Self.maximum) cards already. Hide one first.")
        }
        action.apply(&self, card)
    }
}
