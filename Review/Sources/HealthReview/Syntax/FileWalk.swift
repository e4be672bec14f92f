import SwiftSyntax

/// A single traversal of a file's tree that indexes the nodes that rules need.
///
/// It uses its own stack, so that a chain of a million members doesn't overflow the thread's stack.
struct FileWalk {
    private var declarations = Declarations()
    private var uses = Uses()

    /// The largest depth. Rules walk up from nodes, which takes too long in a deeper tree.
    static let maximumLevels = 10_000

    /// Indexes a tree.
    ///
    /// - Returns: The index, or nil if the tree is deeper than ``maximumLevels``.
    static func gather(_ tree: SourceFileSyntax) -> (Declarations, Uses)? {
        var walk = FileWalk()
        var nodes = Syntax(tree).descendants
        while let node = nodes.next() {
            guard nodes.level <= maximumLevels else { return nil }
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
        case .tupleExpr(let node): if node.elements.count > 1 { uses.tuples.append(node) }
        case .forceUnwrapExpr(let node): uses.forceUnwraps.append(node)
        case .memberAccessExpr(let node): uses.memberAccesses.append(node)
        case .stringLiteralExpr(let node): uses.strings.append(node)
        case .declReferenceExpr(let node):
            uses.references[node.baseName.text, default: []].append(node)
        case .sequenceExpr(let node):
            uses.sequences.append(node)
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
    /// The node and its descendants in source order, parents before children.
    ///
    /// - Complexity: O(n) for the whole sequence, without recursion.
    var descendants: Descendants { Descendants(self) }
}

struct Descendants: Sequence, IteratorProtocol {
    /// The depth of the most recent node below the first one.
    private(set) var level = 0
    private var pending: [(node: Syntax, level: Int)]
    private var children: [Syntax] = []

    init(_ node: Syntax) { pending = [(node, 0)] }

    mutating func next() -> Syntax? {
        guard let (node, level) = pending.popLast() else { return nil }
        self.level = level
        children.removeAll(keepingCapacity: true)
        for child in node.children(viewMode: .sourceAccurate) { children.append(child) }
        for child in children.reversed() { pending.append((child, level + 1)) }
        return node
    }
}
