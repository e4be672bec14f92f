import Foundation
import HealthEngine

extension PredicateNode: CustomStringConvertible {
    /// The predicate in the language of `NSPredicate(format:)`.
    ///
    /// Comparisons with `nil`, finite numbers, texts, dates and lists of these can be parsed again.
    /// Exceptions are texts that contain `%%` and metadata keys that are not identifiers. Other
    /// constants, statistics and activities are written for people only.
    var description: String {
        switch self {
        case .always: "TRUEPREDICATE"
        case .never: "FALSEPREDICATE"
        case .and(let nodes): Self.joined(nodes, by: " AND ", empty: .always)
        case .or(let nodes): Self.joined(nodes, by: " OR ", empty: .never)
        case .not(let node): "NOT \(node.parenthesized)"
        case .comparison(let comparison): comparison.description
        case .statistic(let test):
            "\(test.measure)(\(test.type)) \(test.comparison.symbol) \(test.quantity)"
        case .activity(let node): "ANY workoutActivity (\(node))"
        case .invalid(_, let text): text
        }
    }

    private var parenthesized: String {
        switch self {
        case .and(let nodes) where nodes.count > 1: "(\(self))"
        case .or(let nodes) where nodes.count > 1: "(\(self))"
        case .comparison: "(\(self))"
        default: description
        }
    }

    private static func joined(
        _ nodes: [PredicateNode], by word: String, empty: PredicateNode
    ) -> String {
        switch nodes.count {
        case 0: empty.description
        case 1: nodes[0].description
        default: nodes.map(\.operand).joined(separator: word)
        }
    }

    /// The text as an operand of AND or OR.
    private var operand: String {
        if case .comparison = self { return description }
        return parenthesized
    }
}

extension PredicateComparison: CustomStringConvertible {
    var description: String {
        let option = caseSensitivity == .ignored ? "[c]" : ""
        return "\(keyPath) \(comparison.symbol)\(option) \(constant)"
    }
}

extension PredicateConstant: CustomStringConvertible {
    var description: String {
        switch self {
        case .null: "nil"
        case .number(let number): Self.text(number)
        case .string(let text): Self.quoted(text)
        case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .uuid(let uuid): uuid.uuidString
        case .quantity(let quantity): quantity.description
        case .source(let source): source.bundleIdentifier
        case .revision(let revision): revision.description
        case .device(let device): device.description
        case .object(let uuid): uuid.uuidString
        case .day(let components): components.description
        case .list(let constants): "{\(constants.map(\.description).joined(separator: ", "))}"
        case .variable(let name): "$\(name)"
        case .unsupported(let type): "<\(type)>"
        }
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
