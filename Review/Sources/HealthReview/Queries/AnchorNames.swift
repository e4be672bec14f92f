import SwiftSyntax

/// The names that hold a new anchor in a body, and the names of its samples and deletions.
struct AnchorNames: Sendable {
    /// What an expression contains.
    struct Load: Sendable {
        var hasAnchor = false
        /// The name under which each kind of data arrived.
        var data: Set<String> = []
    }

    var anchors: Set<String> = []
    /// The data that each name holds: itself, or the data it was derived from.
    var data: [String: Set<String>] = [:]
    /// Values that hold both an anchor and data, by name, with the members for each.
    var results: [String: Members] = [:]

    struct Members: Sendable {
        var anchors: Set<String>
        var data: Set<String>

        /// The members of `HKAnchoredObjectQueryDescriptor.Result`.
        static let ofResult = Members(
            anchors: ["newAnchor"], data: ["addedSamples", "deletedObjects"])
    }

    var isUseful: Bool { !anchors.isEmpty && !data.isEmpty || !results.isEmpty }

    /// Returns what a reference holds, without looking at nested nodes.
    func load(of node: Syntax) -> Load? {
        let name: String
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            guard reference.keyPathInParent != \MemberAccessExprSyntax.declName else { return nil }
            name = reference.baseName.text
        } else if let condition = node.as(OptionalBindingConditionSyntax.self),
            condition.initializer == nil,
            let bound = condition.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        {
            name = bound
        } else {
            return nil
        }
        if anchors.contains(name) { return Load(hasAnchor: true) }
        if let roots = data[name] { return Load(data: roots) }
        guard let members = results[name] else { return nil }
        guard let member = node.accessedMember else {
            return Load(hasAnchor: true, data: members.data)
        }
        if members.anchors.contains(member) { return Load(hasAnchor: true) }
        return members.data.contains(member) ? Load(data: [member]) : nil
    }

    /// Returns what is anywhere in a node, including closures.
    func load(in node: some SyntaxProtocol) -> Load {
        var all = Load()
        for inner in Syntax(node).descendants {
            guard let load = load(of: inner) else { continue }
            all.hasAnchor = all.hasAnchor || load.hasAnchor
            all.data.formUnion(load.data)
        }
        return all
    }

    /// Returns what the arguments and trailing closures of a call hold, without closure bodies.
    func load(inArgumentsOf call: FunctionCallExprSyntax) -> Load {
        var all = Load()
        for argument in call.arguments {
            for inner in Syntax(argument.expression).outsideOfClosures {
                guard let load = load(of: inner) else { continue }
                all.hasAnchor = all.hasAnchor || load.hasAnchor
                all.data.formUnion(load.data)
            }
        }
        return all
    }

    /// Records a new name for a value.
    mutating func bind(_ pattern: PatternSyntax, to value: ExprSyntax) {
        guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return }
        let load = load(in: value)
        if let old = value.bare.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let members = results[old]
        {
            results[name] = members
        } else if load.hasAnchor, load.data.isEmpty {
            anchors.insert(name)
        } else if !load.hasAnchor, !load.data.isEmpty {
            data[name, default: []].formUnion(load.data)
        }
    }

    mutating func formUnion(_ other: AnchorNames) {
        anchors.formUnion(other.anchors)
        data.merge(other.data) { $0.union($1) }
        results.merge(other.results) { first, _ in first }
    }
}

extension AnchorNames {
    /// The names in a handler of an anchored query: `(query, samples, deleted, anchor, error)`.
    init(_ handler: QueryHandler) {
        for place in [1, 2] {
            if let name = handler.parameter(place) { data[name] = [name] }
        }
        if let name = handler.parameter(3) { anchors.insert(name) }
    }

    /// The names in a function that takes an anchor and its data.
    init(_ function: FunctionDeclSyntax) {
        for parameter in function.signature.parameterClause.parameters {
            let name = parameter.ownName
            if parameter.type.namesAnchor { anchors.insert(name) }
            if parameter.type.namesData { data[name] = [name] }
        }
    }

    /// The names that a closure gives to the parameters of its type:
    /// `(samples: [HKSample], anchor: HKQueryAnchor?)`.
    init(_ closure: ClosureExprSyntax, _ type: FunctionTypeSyntax) {
        for (place, part) in type.parameters.enumerated() {
            guard let name = closure.parameter(place) else { continue }
            if part.type.namesAnchor { anchors.insert(name) }
            if part.type.namesData { data[name] = [name] }
        }
    }

    /// The names in `let (added, deleted, anchor) = changes()`.
    init?(_ pattern: TuplePatternSyntax, from type: TupleTypeSyntax) {
        guard pattern.elements.count == type.elements.count else { return nil }
        for (element, part) in zip(pattern.elements, type.elements) {
            guard let name = element.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else {
                continue
            }
            if part.type.namesAnchor { anchors.insert(name) }
            if part.type.namesData { data[name] = [name] }
        }
    }
}

extension AnchorNames.Members {
    /// The names in a tuple type with labels.
    init?(_ type: TupleTypeSyntax) {
        self.init(anchors: [], data: [])
        for part in type.elements {
            guard let name = (part.secondName ?? part.firstName)?.text else { continue }
            add(name, part.type)
        }
        if anchors.isEmpty || data.isEmpty { return nil }
    }

    /// The positions in a tuple type without labels. Its elements get names where it is
    /// destructured.
    init?(unlabelled type: TupleTypeSyntax) {
        self.init(anchors: [], data: [])
        for (place, part) in type.elements.enumerated() { add("\(place)", part.type) }
        if anchors.isEmpty || data.isEmpty { return nil }
    }

    /// The members of a type that the target declares.
    init?(_ blocks: [TypeBlock]) {
        self.init(anchors: [], data: [])
        for (_, binding) in blocks.flatMap(\.variables) {
            if let name = binding.boundName, let type = binding.typeAnnotation?.type {
                add(name, type)
            }
        }
        if anchors.isEmpty || data.isEmpty { return nil }
    }

    private mutating func add(_ name: String, _ type: TypeSyntax) {
        if type.namesAnchor { anchors.insert(name) }
        if type.namesData || type.isList { data.insert(name) }
    }
}

extension TypeSyntax {
    /// Whether the type is `HKQueryAnchor` or `HKQueryAnchor?`.
    var namesAnchor: Bool { baseName == "HKQueryAnchor" }

    /// Whether the type holds samples or deletions: `[HKSample]`, `[HKDeletedObject]?`,
    /// `Set<HKWorkout>`.
    fileprivate var namesData: Bool {
        all(TokenSyntax.self).contains { Self.data.contains($0.text) }
    }

    /// Whether the type is a list: beside an anchor it holds what came with it.
    fileprivate var isList: Bool {
        let type = self.as(OptionalTypeSyntax.self)?.wrappedType ?? self
        guard type.is(ArrayTypeSyntax.self) || type.trimmedDescription.hasPrefix("Set<") else {
            return false
        }
        let element = elementName ?? ""
        return !["Type", "Identifier", "Descriptor"].contains { element.hasSuffix($0) }
    }

    private static let data: Set<String> = [
        "HKSample", "HKQuantitySample", "HKCategorySample", "HKWorkout", "HKCorrelation",
        "HKDeletedObject", "HKObject",
    ]
}
