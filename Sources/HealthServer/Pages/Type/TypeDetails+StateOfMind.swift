import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit

extension TypeDetails {
    /// The days by class of valence, and how often each feeling and association was recorded; empty without
    /// states of mind.
    var stateOfMindSections: HTML {
        get throws {
            guard let batch = try samples(of: type) else { return .empty }
            var classes: [Int: Set<CivilDate>] = [:]
            var (labels, associations, kinds): ([Int: Int], [Int: Int], [Int: Int]) = (
                [:], [:], [:]
            )
            for (index, sample) in batch.samples.enumerated() {
                guard case .numbers(let numbers) = batch.details[index] else { continue }
                let valence = numbers[.valence].first.flatMap {
                    HKStateOfMind.ValenceClassification(valence: $0)
                }
                if let valence { classes[valence.rawValue, default: []].insert(day(of: sample)) }
                for label in Set(numbers.integers(.labels)) { labels[label, default: 0] += 1 }
                for one in Set(numbers.integers(.associations)) {
                    associations[one, default: 0] += 1
                }
                for kind in numbers.integers(.kind).prefix(1) { kinds[kind, default: 0] += 1 }
            }
            let lanes = classes.sorted { $0.key > $1.key }.map { value, days in
                SVGDayLanes.Lane(
                    name: Self.words(HKStateOfMind.ValenceClassification(rawValue: value), value),
                    days: days)
            }
            let chart = SVGDayLanes(
                title: "State of mind, days by how pleasant", lanes: lanes, days: days,
                calendar: calendar, address: address)
            return """
                \(card("Days", chart))\
                \(Self.counts("Kind", kinds) { Self.words(HKStateOfMind.Kind(rawValue: $0), $0) })\
                \(Self.counts("Feelings", labels) { Self.words(HKStateOfMind.Label(rawValue: $0), $0) })\
                \(Self.counts("Associations", associations) {
                    Self.words(HKStateOfMind.Association(rawValue: $0), $0)
                })
                """
        }
    }

    private static func counts(
        _ title: HTML, _ counts: [Int: Int], _ name: (Int) -> String
    ) -> HTML {
        let sorted = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        return table(
            title, ["Name", "samples"],
            sorted.map { (name: "\(name($0.key))" as HTML, numbers: [$0.value]) })
    }

    /// The name of a value as words: "Very pleasant"; "Value 99" for an unknown one.
    private static func words<Value>(_ value: Value?, _ number: Int) -> String {
        value.map { TypeText.split("\($0)").capitalizedFirst } ?? "Value \(number)"
    }
}
