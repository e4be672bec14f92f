import SwiftSyntax

/// One walk over a file's tree that gathers what rules ask for.
///
/// It keeps a stack of its own, so that a chain of a million members is no crash.
struct FileWalk {
    private var declarations = Declarations()
    private var uses = Uses()

    /// Rules climb from a node to what is around it: in a tree this deep that would not end.
    static let mostLevels = 10_000

    /// - Returns: nil for a tree of more than ``mostLevels``.
    static func gather(_ tree: SourceFileSyntax) -> (Declarations, Uses)? {
        var walk = FileWalk()
        var nodes = Syntax(tree).descendants
        while let node = nodes.next() {
            guard nodes.level <= mostLevels else { return nil }
            walk.visit(node)
        }
        return (walk.declarations, walk.uses)
    }

    private mutating func visit(_ node: Syntax) {
        switch node.as(SyntaxEnum.self) {
        case .token(let token): visit(token)
        case .importDecl(let node):
            if let module = node.path.first { uses.imports.insert(module.name.text) }
        case .functionCallExpr(let node):
            uses.calls.append(node)
            if let name = node.calledName { uses.callsByName[name, default: []].append(node) }
        case .closureExpr(let node): uses.closures.append(node)
        case .forceUnwrapExpr(let node): uses.forceUnwraps.append(node)
        case .memberAccessExpr(let node): uses.memberAccesses.append(node)
        case .sequenceExpr(let node):
            if let assignment = Assignment(node) { uses.assignments.append(assignment) }
        case .variableDecl(let node): declarations.add(node)
        case .functionDecl(let node):
            declarations.functions[node.name.text, default: []].append(node)
        default:
            if let block = TypeBlock(node) {
                declarations.types[block.name, default: []].append(block)
            }
        }
    }

    private mutating func visit(_ token: TokenSyntax) {
        switch token.tokenKind {
        case .identifier, .dollarIdentifier: uses.names.insert(token.text)
        default: break
        }
    }
}

extension Syntax {
    /// The node and all below it, in the order of the source; parents come before their children.
    ///
    /// - Complexity: O(n) for all of them, without recursion.
    var descendants: Descendants { Descendants(self) }
}

struct Descendants: Sequence, IteratorProtocol {
    /// How far below the first node the newest one stands.
    private(set) var level = 0
    private var waiting: [(node: Syntax, level: Int)]
    private var children: [Syntax] = []

    init(_ node: Syntax) { waiting = [(node, 0)] }

    mutating func next() -> Syntax? {
        guard let (node, level) = waiting.popLast() else { return nil }
        self.level = level
        children.removeAll(keepingCapacity: true)
        for child in node.children(viewMode: .sourceAccurate) { children.append(child) }
        for child in children.reversed() { waiting.append((child, level + 1)) }
        return node
    }
}
