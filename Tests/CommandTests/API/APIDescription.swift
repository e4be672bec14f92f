import Foundation
import HealthServer
import Testing

/// The description of the HTTP interface that the server serves.
enum APIDescription {
    typealias Object = [String: Any]

    static func root() throws -> Object {
        try #require(
            JSONSerialization.jsonObject(with: Data(OpenAPIDescription.json.utf8)) as? Object)
    }

    /// Returns the operations: path, method and contents.
    ///
    /// - Parameter tag: Only those with this tag; nil for all.
    static func operations(
        of tag: String? = nil
    ) throws -> [(path: String, method: String, operation: Object)] {
        let paths = try #require(try root()["paths"] as? [String: Object])
        return try paths.sorted { $0.key < $1.key }.flatMap { path, methods in
            try methods.map { (path, $0.key, try #require($0.value as? Object)) }
        }.filter { _, _, operation in
            guard let tag else { return true }
            return (operation["tags"] as? [String])?.contains(tag) == true
        }
    }

    /// Returns the example of an operation's successful answer, if that is JSON.
    static func example(_ operation: Object) throws -> (status: Int, body: Object)? {
        let responses = try #require(operation["responses"] as? [String: Object])
        guard let (status, response) = responses.first(where: { $0.key.hasPrefix("2") }),
            let content = response["content"] as? [String: Object],
            let body = content.values.first?["example"] as? Object
        else { return nil }
        return (try #require(Int(status)), body)
    }

    /// Returns the example of an operation's body as JSON; empty without one.
    static func requestBody(_ operation: Object) throws -> String {
        guard let request = operation["requestBody"] as? Object,
            let content = request["content"] as? [String: Object],
            let example = content["application/json"]?["example"]
        else { return "" }
        return String(decoding: try JSONSerialization.data(withJSONObject: example), as: UTF8.self)
    }
}

/// The keys and types of a JSON value. The elements of an array are joined.
indirect enum Shape: Equatable {
    case null, bool, number, string
    case array(Shape?)
    case object([String: Shape])
    /// Different types in different elements of an array.
    case several(Set<String>)

    init(_ value: Any) {
        switch value {
        case let object as [String: Any]: self = .object(object.mapValues { Shape($0) })
        case let elements as [Any]:
            self = .array(elements.map { Shape($0) }.reduce(nil as Shape?) { $0?.joined($1) ?? $1 })
        case is String: self = .string
        case is NSNull: self = .null
        case let number as NSNumber:
            self = String(cString: number.objCType) == "c" ? .bool : .number
        default: self = .null
        }
    }

    private func joined(_ other: Shape) -> Shape {
        switch (self, other) {
        case (.object(let one), .object(let two)):
            return .object(one.merging(two) { $0.joined($1) })
        case (.array(let one), .array(let two)):
            guard let one, let two else { return .array(one ?? two) }
            return .array(one.joined(two))
        default:
            return self == other ? self : .several(names.union(other.names))
        }
    }

    private var names: Set<String> {
        switch self {
        case .several(let names): names
        case .null: ["null"]
        case .bool: ["bool"]
        case .number: ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}
