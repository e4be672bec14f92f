import Foundation

/// The accessibility tree of a page, as the browser reports it.
struct AccessibilityTree: Decodable {
    struct Node: Decodable {
        struct Value: Decodable {
            var text: String?
            var number: Double?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                text = try? container.decode(String.self, forKey: .value)
                number = try? container.decode(Double.self, forKey: .value)
            }

            enum CodingKeys: CodingKey { case value }
        }

        struct Property: Decodable {
            var name: String
            var value: Value
        }

        var nodeId: String
        var parentId: String?
        var ignored: Bool
        var role: Value?
        var name: Value?
        var description: Value?
        var properties: [Property]?

        var words: String { (name?.text ?? "").trimmingCharacters(in: .whitespaces) }
    }

    var nodes: [Node]

    func shown(_ roles: Set<String>) -> [Node] {
        nodes.filter { !$0.ignored && roles.contains($0.role?.text ?? "") }
    }

    /// The defects of the tree, as descriptions; empty for a correct page.
    var faults: [String] {
        headingFaults + landmarkFaults + namelessFaults + imageFaults + tableFaults
    }

    private var headingFaults: [String] {
        let headings = shown(["heading"]).map { node in
            (
                level: node.properties?.first { $0.name == "level" }?.value.number ?? 0,
                words: node.words
            )
        }
        var faults = headings.filter { $0.words.isEmpty }.map { "h\($0.level) without words" }
        let titles = headings.count { $0.level == 1 }
        if titles != 1 { faults.append("\(titles) headings of the first level") }
        var last = 0.0
        for heading in headings {
            if heading.level > last + 1 {
                faults.append("“\(heading.words)” is of level \(heading.level) after \(last)")
            }
            last = heading.level
        }
        return faults
    }

    private var landmarkFaults: [String] {
        ["main", "navigation"].compactMap { role in
            let names = shown([role]).map(\.words)
            // Several need names that differ.
            let isClear = names.count == 1 || !names.isEmpty && Set(names).count == names.count
            return isClear ? nil : "landmarks \(role): \(names)"
        }
    }

    private var namelessFaults: [String] {
        let roles: Set = [
            "link", "button", "textbox", "combobox", "checkbox", "radio", "searchbox", "spinbutton",
            "listbox", "slider", "Date", "DateTime", "InputTime", "DisclosureTriangle",
        ]
        return shown(roles).filter(\.words.isEmpty).map { "a \($0.role?.text ?? "") has no name" }
    }

    private var imageFaults: [String] {
        shown(["image", "img", "graphics-document", "graphics-symbol"]).flatMap { node in
            (node.words.isEmpty ? ["an image has no name"] : [])
                + ((node.description?.text ?? "").isEmpty
                    ? ["“\(node.words)” has no description"] : [])
        }
    }

    private var tableFaults: [String] {
        let parents = Dictionary(nodes.map { ($0.nodeId, $0.parentId) }) { $1 }
        var headed: Set<String> = []
        for node in shown(["columnheader"]) where !node.words.isEmpty {
            var above = node.parentId
            while let id = above {
                headed.insert(id)
                above = parents[id] ?? nil
            }
        }
        return shown(["table", "grid", "LayoutTable"]).filter { !headed.contains($0.nodeId) }
            .map { "the table “\($0.words)” has no column headers" }
    }
}
