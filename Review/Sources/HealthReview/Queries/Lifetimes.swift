import SwiftSyntax

/// Which of a target's types live as long as the app.
struct Lifetimes {
    private var lasting: Set<String> = []

    /// App delegates and apps, what they make, and what is kept in static and global variables.
    ///
    /// - Complexity: O(nodes of the variables and types that count).
    init(_ target: Target) {
        for file in target.files {
            for blocks in file.declarations.types.values {
                for block in blocks { add(block, target) }
            }
            for binding in file.declarations.globals.values.joined() { add(madeBy: binding) }
        }
    }

    func isLasting(_ type: String) -> Bool { lasting.contains(type) }

    private mutating func add(_ block: TypeBlock, _ target: Target) {
        let marks: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]
        if !marks.isDisjoint(with: block.attributes)
            || !Self.ofApps.isDisjoint(with: target.inherited(by: block.name))
        {
            lasting.insert(block.name)
            for call in block.node.all(FunctionCallExprSyntax.self) {
                if let name = call.constructedName { lasting.insert(name) }
            }
            for (_, binding) in block.variables {
                if let name = binding.declaredTypeName { lasting.insert(name) }
            }
        }
        for (declaration, binding) in block.variables where declaration.isStatic {
            if binding.declaredTypeName == block.name { lasting.insert(block.name) }
            add(madeBy: binding)
            for call in binding.all(FunctionCallExprSyntax.self)
            where ["Self", "init"].contains(call.calledName ?? "") {
                lasting.insert(block.name)
            }
        }
    }

    private mutating func add(madeBy binding: PatternBindingSyntax) {
        for call in binding.all(FunctionCallExprSyntax.self) {
            if let name = call.constructedName, name.first?.isUppercase == true {
                lasting.insert(name)
            }
        }
    }

    private static let ofApps: Set<String> = [
        "App", "UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate",
        "WKExtensionDelegate",
    ]
}
