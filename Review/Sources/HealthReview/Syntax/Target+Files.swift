import SwiftSyntax

extension Target {
    /// The file a node stands in.
    func file(of node: some SyntaxProtocol) -> SourceFile? {
        index.file(of: node).map { files[$0] }
    }
}
