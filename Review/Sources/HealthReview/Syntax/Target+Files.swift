import SwiftSyntax

extension Target {
    /// The file a node stands in.
    ///
    /// - Complexity: O(files).
    func file(of node: some SyntaxProtocol) -> SourceFile? {
        let root = Syntax(node).root.id
        return files.first { Syntax($0.tree).id == root }
    }
}
