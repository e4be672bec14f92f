import SwiftSyntax

/// Words that say nothing about the file or type that they name.
let emptyWords: Set<String> = [
    "Base", "Common", "Core", "Helper", "Helpers", "Impl", "Manager", "Managers", "Models",
    "Shared",
    "Util", "Utilities", "Utility", "Utils",
]

extension SourceFile {
    /// The ``emptyWords`` in this file's path and in the names of the types that it declares.
    var emptyNames: [Violation] {
        let parts = path.split(whereSeparator: { "/+-_. ".contains($0) }).map(String.init)
        let inPath = parts.flatMap { meaninglessWords(in: $0) }
            .map { violation("the path says “\($0)”", atLine: 1) }
        return inPath
            + declaredTypes.flatMap { name in
                meaninglessWords(in: name.text).map {
                    violation("the type \(name.text) says “\($0)”", at: name)
                }
            }
    }

    private var declaredTypes: [TokenSyntax] {
        let names: [TokenSyntax] =
            all(ActorDeclSyntax.self).map(\.name) + all(ClassDeclSyntax.self).map(\.name)
            + all(EnumDeclSyntax.self).map(\.name) + all(ProtocolDeclSyntax.self).map(\.name)
            + all(StructDeclSyntax.self).map(\.name) + all(TypeAliasDeclSyntax.self).map(\.name)
        return names.sorted { $0.position < $1.position }
    }
}

/// Returns the ``emptyWords`` in a camel-case name, sorted: "Helper" for "URLHelper", none for
/// "Baseline".
private func meaninglessWords(in name: String) -> [String] {
    emptyWords.filter { word in
        name.ranges(of: word).contains { range in
            range.upperBound == name.endIndex || !name[range.upperBound].isLowercase
        }
    }
    .sorted()
}
