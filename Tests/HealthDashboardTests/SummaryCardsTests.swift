import HealthEngine
import Testing

@testable import HealthDashboard

@Suite struct SummaryCardsTests {
    @Test("what a store keeps gives the same cards again")
    func roundTrip() {
        let cards = SummaryCards([.metric(.weight), .rings, .metric(.sleep), .workouts])
        #expect(cards.stored == #"["bodyMass","rings","sleepAnalysis","workouts"]"#)
        #expect(SummaryCards(stored: cards.stored) == cards)
        #expect(SummaryCards(stored: SummaryCards.standard.stored) == .standard)
        #expect(SummaryCards(stored: SummaryCards([]).stored).shown.isEmpty)
    }

    @Test("unknown and repeated names are skipped, and what isn't a list gives the standard cards")
    func damaged() {
        #expect(
            SummaryCards(stored: #"["rings","nonsense","rings","stepCount"]"#)
                == SummaryCards([.rings, .metric(.steps)]))
        for text in [nil, "", "{}", "[1]", "[\"rings\""] {
            #expect(SummaryCards(stored: text) == .standard)
        }
        let all = Catalogue.types.compactMap { Metric(identifier: $0.identifier) }
        #expect(SummaryCards(all.map { .metric($0) }).shown.count == SummaryCards.maximum)
    }

    @Test("cards move by one place, and stay at the ends")
    func moving() {
        var cards = SummaryCards([.rings, .workouts, .metric(.steps)])
        cards.raise(.metric(.steps))
        #expect(cards.shown == [.rings, .metric(.steps), .workouts])
        cards.raise(.rings)
        cards.lower(.workouts)
        #expect(cards.shown == [.rings, .metric(.steps), .workouts])
        cards.lower(.rings)
        #expect(cards.shown.first == .metric(.steps))
        cards.hide(.rings)
        cards.raise(.rings)
        cards.show(.metric(.weight))
        cards.show(.workouts)
        #expect(cards.shown == [.metric(.steps), .workouts, .metric(.weight)])
    }
}
