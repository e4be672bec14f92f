import SwiftSyntax

/// Where a target's files declare and use names, so that following one costs the same in a large target.
struct NameIndex: Sendable {
    private(set) var globals: [String: PatternBindingSyntax] = [:]
    /// At every depth.
    private(set) var functions: [String: [FunctionDeclSyntax]] = [:]
    private(set) var freeFunctions: [String: [FunctionDeclSyntax]] = [:]
    private(set) var calls: [String: [FunctionCallExprSyntax]] = [:]
    /// By the name that is assigned to, without what it belongs to.
    private(set) var assignments: [String: [Assignment]] = [:]
    /// By the member that is assigned to, of whatever: `updateHandler` of `query.updateHandler = x`.
    private(set) var memberAssignments: [String: [Assignment]] = [:]
    /// Computed members.
    private(set) var computed: [String: [PatternBindingSyntax]] = [:]
    private(set) var memberNames: Set<String> = []
    private var files: [SyntaxIdentifier: Int] = [:]

    init(_ files: [SourceFile]) {
        for (place, file) in files.enumerated() {
            self.files[Syntax(file.tree).id] = place
            for (name, bindings) in file.declarations.globals where globals[name] == nil {
                globals[name] = bindings.first
            }
            for (name, declared) in file.declarations.functions {
                functions[name, default: []] += declared
                let free = declared.filter { $0.enclosingTypeName == nil }
                if !free.isEmpty { freeFunctions[name, default: []] += free }
            }
            for (name, calls) in file.uses.callsByName { self.calls[name, default: []] += calls }
            for assignment in file.uses.assignments {
                if let name = assignment.ownName {
                    assignments[name, default: []].append(assignment)
                }
                if let member = assignment.target.as(MemberAccessExprSyntax.self) {
                    memberAssignments[member.declName.baseName.text, default: []].append(assignment)
                }
            }
            for block in file.declarations.types.values.joined() {
                for (_, binding) in block.variables {
                    guard let name = binding.boundName else { continue }
                    memberNames.insert(name)
                    if binding.accessorBlock != nil { computed[name, default: []].append(binding) }
                }
            }
        }
    }

    /// The place of the file a node stands in.
    func file(of node: some SyntaxProtocol) -> Int? { files[Syntax(node).root.id] }
}
