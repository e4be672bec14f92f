import SwiftSyntax

/// An index of a target's declarations and uses of names, so that lookups don't depend on its size.
struct NameIndex: Sendable {
    private(set) var globals: [String: PatternBindingSyntax] = [:]
    /// Functions at every depth.
    private(set) var functions: [String: [FunctionDeclSyntax]] = [:]
    private(set) var freeFunctions: [String: [FunctionDeclSyntax]] = [:]
    private(set) var calls: [String: [FunctionCallExprSyntax]] = [:]
    /// Assignments by the assigned name, without its base.
    private(set) var assignments: [String: [Assignment]] = [:]
    /// Assignments by the assigned member of any base: `updateHandler` in
    /// `query.updateHandler = x`.
    private(set) var memberAssignments: [String: [Assignment]] = [:]
    /// The same assignments by the type around them, and then by name.
    private(set) var assignmentsByType: [String: [String: [Assignment]]] = [:]
    /// Member accesses by the member's name: `value` in `sample.value`.
    private(set) var accesses: [String: [MemberAccessExprSyntax]] = [:]
    /// The number of types that declare a variable with a name.
    private(set) var declarationCounts: [String: Int] = [:]
    /// Computed members by name.
    private(set) var computed: [String: [PatternBindingSyntax]] = [:]
    /// The types that declare a stored member, by its name.
    private(set) var storedMemberOwners: [String: [String]] = [:]
    private(set) var memberNames: Set<String> = []
    /// Calls of `init` by the type that the base names; under an empty name those without a base.
    private var initializerCalls: [String: [FunctionCallExprSyntax]] = [:]
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
                    if let type = assignment.node.enclosingTypeName {
                        assignmentsByType[type, default: [:]][name, default: []].append(assignment)
                    }
                }
                if let member = assignment.target.as(MemberAccessExprSyntax.self) {
                    memberAssignments[member.declName.baseName.text, default: []].append(assignment)
                }
            }
            for access in file.uses.memberAccesses {
                accesses[access.declName.baseName.text, default: []].append(access)
            }
            for block in file.declarations.types.values.joined() {
                for (_, binding) in block.variables {
                    guard let name = binding.boundName else { continue }
                    memberNames.insert(name)
                    declarationCounts[name, default: 0] += 1
                    if binding.accessorBlock != nil {
                        computed[name, default: []].append(binding)
                    } else {
                        storedMemberOwners[name, default: []].append(block.name)
                    }
                }
            }
        }
        indexInitializerCalls()
    }

    private mutating func indexInitializerCalls() {
        for call in calls["init"] ?? [] {
            let base = call.base?.bare
            let isOwn = base?.isOwn ?? false
            let type = isOwn ? call.enclosingTypeName : base?.lastName
            guard base == nil || type != nil else { continue }
            initializerCalls[type ?? "", default: []].append(call)
        }
    }

    /// Returns the calls of `init` that may make a type: `.init(…)`, `Type.init(…)`, and
    /// `self.init(…)` inside the type.
    func initializerCalls(of type: String) -> [FunctionCallExprSyntax] {
        (initializerCalls[""] ?? []) + (initializerCalls[type] ?? [])
    }

    /// Returns the index of the file that contains a node.
    func file(of node: some SyntaxProtocol) -> Int? { files[Syntax(node).root.id] }
}
