import SwiftSyntax

/// The types of a target whose instances live as long as the app.
struct Lifetimes: Sendable {
    private var longLived: Set<String> = []

    /// Collects apps, app delegates, bridges to other languages, the types of static and global
    /// variables, and the types that all these store. Screens are excluded unless they store a
    /// shared instance.
    ///
    /// - Complexity: O(nodes of these variables and types).
    init(_ target: Target) {
        for file in target.files {
            for block in file.declarations.types.values.joined() { add(block, target) }
            for binding in file.declarations.globals.values.joined() {
                longLived.formUnion(Self.referencedTypes(by: binding))
            }
        }
        longLived = longLived.filter { !target.isScreen($0) || Self.isShared($0, target) }
        var pending = Array(longLived)
        while let type = pending.popLast() {
            for (_, binding) in target.types(type).flatMap(\.variables) {
                for name in Self.referencedTypes(by: binding)
                where !target.isScreen(name) && longLived.insert(name).inserted {
                    pending.append(name)
                }
            }
        }
    }

    func isLongLived(_ type: String) -> Bool { longLived.contains(type) }

    private mutating func add(_ block: TypeBlock, _ target: Target) {
        let marks: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]
        let inherited = target.inherited(by: block.name)
        if !marks.isDisjoint(with: block.attributes) || !Self.ofApps.isDisjoint(with: inherited) {
            longLived.insert(block.name)
            for call in block.node.all(FunctionCallExprSyntax.self) {
                if let name = call.constructedName { longLived.insert(name) }
            }
        }
        if !Self.bridges.isDisjoint(with: inherited) { longLived.insert(block.name) }
        for (declaration, binding) in block.variables where declaration.isStatic {
            longLived.formUnion(Self.referencedTypes(by: binding))
            if Self.makesOwn(binding) { longLived.insert(block.name) }
        }
    }

    /// Returns the types that a variable holds, from its annotation and from constructor calls in
    /// its value.
    private static func referencedTypes(by binding: PatternBindingSyntax) -> Set<String> {
        var names = Set([binding.declaredTypeName].compactMap { $0 })
        for call in binding.initializer?.all(FunctionCallExprSyntax.self) ?? [] {
            if let name = call.constructedName, name.first?.isUppercase == true {
                names.insert(name)
            }
        }
        return names
    }

    private static func makesOwn(_ binding: PatternBindingSyntax) -> Bool {
        binding.all(FunctionCallExprSyntax.self).contains {
            ["Self", "init"].contains($0.calledName ?? "")
        }
    }

    /// Returns whether a type stores an instance of itself in a static variable.
    private static func isShared(_ type: String, _ target: Target) -> Bool {
        target.types(type).flatMap(\.variables).contains { declaration, binding in
            declaration.isStatic
                && (referencedTypes(by: binding).contains(type) || makesOwn(binding))
        }
    }

    private static let ofApps: Set<String> = [
        "App", "UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate",
        "WKExtensionDelegate",
    ]
    /// Types that the other language's runtime creates once.
    private static let bridges: Set<String> = [
        "RCTEventEmitter", "RCTBridgeModule", "FlutterPlugin", "FlutterStreamHandler", "CAPPlugin",
        "CDVPlugin",
    ]
}

extension Target {
    /// The long-running queries in types that don't live as long as the app.
    var longRunningQueriesOfShortLivedTypes: [(query: HealthQuery, type: String, file: SourceFile)]
    {
        let running = files.flatMap { file in
            file.queries.filter { isLongRunning($0) }.compactMap { query in
                query.call.enclosingTypeName.map { (query: query, type: $0, file: file) }
            }
        }
        guard !running.isEmpty else { return [] }
        let lifetimes = self.lifetimes
        return running.filter { !lifetimes.isLongLived($0.type) }
    }
}
