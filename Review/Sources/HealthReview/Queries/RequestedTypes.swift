import HealthEngine
import SwiftSyntax

/// An element of a set of types, with the types it can be.
struct RequestedElement {
    /// A possible type, and the expression that chooses it: the element itself, or an identifier in
    /// another place.
    typealias Choice = (type: SampleType, place: ExprSyntax)

    let node: ExprSyntax
    let choices: [Choice]
    /// Whether a name that the source doesn't show selects the element: `names.compactMap(type)`.
    let isLookedUp: Bool
    /// Where it is selected by such a name.
    var lookup: ExprSyntax?
}

extension Target {
    /// Returns the elements of a set that the source shows, even if others are unknown. Functions,
    /// parameters, `map` and later insertions are followed; what is filtered is left out.
    func requestedElements(ofSet expression: ExprSyntax) -> [RequestedElement] {
        var search = RequestedTypeSearch(target: self)
        search.follow(set: expression)
        return search.found
    }

    /// Returns the places in a set at which a text that the source doesn't show may select any
    /// correlation type: `names.compactMap(type)` whose function makes one of its argument.
    func openCorrelations(inSet expression: ExprSyntax)
        -> [(place: ExprSyntax, maker: FunctionDeclSyntax)]
    {
        var search = RequestedTypeSearch(target: self)
        search.follow(set: expression)
        return search.openCorrelations
    }

    /// Returns the elements that a single type can be: itself, or those of the set in a loop.
    func requestedElements(ofType expression: ExprSyntax) -> [RequestedElement] {
        var search = RequestedTypeSearch(target: self)
        search.add(expression, isLookedUp: false)
        search.finish()
        return search.found
    }
}

private struct RequestedTypeSearch {
    let target: Target
    var found: [RequestedElement] = []
    /// The places at which a text from elsewhere may select any correlation type, and the function
    /// that makes it.
    var openCorrelations: [(place: ExprSyntax, maker: FunctionDeclSyntax)] = []
    private var pending: [ExprSyntax] = []
    private var visited: Set<SyntaxIdentifier> = []
    private var lookup: ExprSyntax?

    init(target: Target) { self.target = target }

    mutating func follow(set expression: ExprSyntax) {
        pending.append(expression)
        finish()
    }

    mutating func finish() {
        var steps = 0
        while let next = pending.popLast(), steps < 80 {
            steps += 1
            guard visited.insert(next.id).inserted, !target.shrinks(next) else { continue }
            for value in target.inserted(into: next) { add(value, isLookedUp: false) }
            pending += target.united(into: next)
            let values = target.assignedValues(of: next)
            pending += values
            guard values.isEmpty else { continue }
            for origin in target.origins(of: next, calls: .notFollowed) { visit(origin) }
        }
    }

    private mutating func visit(_ origin: ExprSyntax) {
        switch origin.as(ExprSyntaxEnum.self) {
        case .arrayExpr(let array):
            for element in array.elements { add(element.expression, isLookedUp: false) }
        case .dictionaryExpr(let dictionary):
            for value in dictionary.values { add(value, isLookedUp: false) }
        case .sequenceExpr(let sum):
            let elements = Array(sum.elements)
            let operators = elements.compactMap { $0.as(BinaryOperatorExprSyntax.self) }
            guard operators.allSatisfy({ $0.operator.text == "+" }) else { return }
            pending += elements.filter { !$0.is(BinaryOperatorExprSyntax.self) }
        case .memberAccessExpr(let member):
            if member.declName.baseName.text == "values", let base = member.base {
                pending.append(base)
            } else {
                pending += target.memberValues(origin)
            }
        case .declReferenceExpr: pending += target.passedValues(for: origin)
        case .functionCallExpr(let call): visit(call)
        default: break
        }
    }

    private mutating func visit(_ call: FunctionCallExprSyntax) {
        if ["Set", "Array"].contains(call.constructedName) {
            if call.arguments.first?.label?.text == "arrayLiteral" {
                for argument in call.arguments { add(argument.expression, isLookedUp: false) }
            }
            pending += [call.unlabelledArgument(0)].compactMap { $0 }
            return
        }
        switch call.calledName {
        case "union": pending += [call.base, call.unlabelledArgument(0)].compactMap { $0 }
        case "sorted", "reversed": pending += [call.base].compactMap { $0 }
        case "map", "compactMap", "flatMap": visit(mapping: call)
        default: pending += target.function(calledBy: call).map { target.results(of: $0) } ?? []
        }
    }

    /// Visits `base.map { … }`, `base.map(\.type)`, `base.compactMap(type(named:))`.
    private mutating func visit(mapping call: FunctionCallExprSyntax) {
        guard let base = call.base else { return }
        if let closure = call.closures.first {
            for result in target.results(of: closure.statements) {
                visit(result, of: closure, over: base)
            }
            return
        }
        guard let argument = call.unlabelledArgument(0)?.bare else { return }
        if let property = argument.as(KeyPathExprSyntax.self)?.lastProperty {
            visit(property: property, of: base)
        } else if argument.isTypeInitializer {
            for element in target.elements(of: base) {
                let types = target.identifiedTypes(of: element)
                add(types.known.map { ($0, element) }, at: element, isLookedUp: false)
            }
        } else if let name = argument.lastName, target.functions(name).count == 1 {
            look(in: target.functions(name)[0], over: base, at: argument)
        }
    }

    private mutating func visit(
        _ result: ExprSyntax, of closure: ClosureExprSyntax, over base: ExprSyntax
    ) {
        let bare = result.bare
        if case .closureParameter(closure, _) = target.binding(of: bare) {
            pending.append(base)
        } else if let member = bare.as(MemberAccessExprSyntax.self), let owner = member.base,
            case .closureParameter(closure, _) = target.binding(of: owner)
        {
            visit(property: member.declName.baseName.text, of: base)
        } else if bare.is(ArrayExprSyntax.self) {
            pending.append(bare)
        } else if let inner = bare.as(FunctionCallExprSyntax.self),
            let function = target.function(calledBy: inner)
        {
            look(in: function, over: base, at: result)
        } else {
            add(result, isLookedUp: false)
        }
    }

    /// Adds the values of a property over all cases of an enumeration, or the argument for it in a
    /// list of constructed values.
    private mutating func visit(property: String, of base: ExprSyntax) {
        let bare = base.bare
        if bare.lastName == "allCases" {
            let owner = bare.as(MemberAccessExprSyntax.self)?.base?.bare
            let name = owner?.isOwn == true ? bare.enclosingTypeName : owner?.lastName
            guard let name, case .variable(let binding, _) = target.member(property, of: name),
                let getter = binding.getterStatements
            else { return }
            for result in target.results(of: getter) { add(leaves: result, isLookedUp: false) }
            return
        }
        let elements = target.elements(of: base)
        for element in elements {
            let made = element.as(FunctionCallExprSyntax.self)
            if let value = made?.argument(property) { add(value, isLookedUp: false) }
        }
        guard elements.isEmpty, !target.isShown(base), let name = target.parameterElement(base),
            target.isDeclared(name, as: [.enum]),
            case .variable(let binding, _) = target.member(property, of: name),
            let getter = binding.getterStatements
        else { return }
        let outer = lookup
        lookup = outer ?? base
        defer { lookup = outer }
        for result in target.results(of: getter) { add(leaves: result, isLookedUp: true) }
    }

    /// Adds the results of a function that looks a type up by a name, unless the names are shown.
    private mutating func look(
        in function: FunctionDeclSyntax, over names: ExprSyntax, at place: ExprSyntax
    ) {
        guard !target.isShown(names) else { return }
        let outer = lookup
        lookup = outer ?? place
        defer { lookup = outer }
        for result in target.results(of: function) { add(leaves: result, isLookedUp: true) }
        if let maker = target.correlationMaker(in: function) {
            openCorrelations.append((lookup ?? place, maker))
        }
    }

    /// Adds the values of the branches of an `if` or `switch`, or the values of the dictionary in
    /// `types[name]`.
    private mutating func add(leaves result: ExprSyntax, isLookedUp: Bool) {
        for leaf in target.origins(of: result, calls: .notFollowed) {
            guard let access = leaf.as(SubscriptCallExprSyntax.self) else {
                add(leaf, isLookedUp: isLookedUp)
                continue
            }
            for origin in target.origins(of: access.calledExpression) {
                for value in origin.as(DictionaryExprSyntax.self)?.values ?? [] {
                    add(value, isLookedUp: isLookedUp)
                }
            }
        }
    }

    mutating func add(_ element: ExprSyntax, isLookedUp: Bool) {
        guard !target.isChecked(element) else { return }
        var choices: [RequestedElement.Choice] = []
        for origin in target.origins(of: element, calls: .notFollowed) {
            if let list = target.collection(of: origin) {
                pending.append(list)
            } else if let access = origin.as(SubscriptCallExprSyntax.self) {
                look(up: access, at: element)
            } else if let call = origin.as(FunctionCallExprSyntax.self),
                let name = call.lookedUpName, !target.isShown(name),
                let function = target.function(calledBy: call), function.takesText
            {
                look(in: function, over: name, at: element)
            } else {
                choices += target.choices(ofOrigin: origin)
            }
        }
        add(choices, at: element, isLookedUp: isLookedUp)
    }

    private mutating func add(
        _ choices: [RequestedElement.Choice], at node: ExprSyntax, isLookedUp: Bool
    ) {
        guard !choices.isEmpty else { return }
        found.append(
            RequestedElement(
                node: node, choices: choices, isLookedUp: isLookedUp, lookup: lookup))
    }

    /// Adds the values of the table in `types[name]`, unless the name is shown.
    private mutating func look(up access: SubscriptCallExprSyntax, at place: ExprSyntax) {
        guard let key = access.arguments.first?.expression, target.constantText(of: key) == nil
        else { return }
        let outer = lookup
        lookup = outer ?? place
        defer { lookup = outer }
        for value in target.tableValues(of: access.calledExpression) {
            add(target.choices(ofValue: value), at: value, isLookedUp: true)
        }
    }
}

extension Target {
    /// Returns the values of a dictionary: those of its literal, and what is assigned by a text:
    /// `types["steps"] = HKQuantityType(.stepCount)`.
    fileprivate func tableValues(of table: ExprSyntax) -> [ExprSyntax] {
        var values = origins(of: table).flatMap { $0.as(DictionaryExprSyntax.self)?.values ?? [] }
        guard let name = tableName(table), let file = file(of: table) else { return values }
        for assignment in file.uses.assignments {
            guard let entry = assignment.target.bare.as(SubscriptCallExprSyntax.self),
                tableName(entry.calledExpression) == name,
                entry.arguments.first?.expression.plainString != nil
            else { continue }
            values += [assignment.singleValue].compactMap { $0 }
        }
        return values
    }

    private func tableName(_ table: ExprSyntax) -> String? {
        ownMemberName(table) ?? table.bare.ownName
    }

    fileprivate func choices(ofValue value: ExprSyntax) -> [RequestedElement.Choice] {
        origins(of: value, calls: .notFollowed).flatMap { choices(ofOrigin: $0) }
    }

    /// Returns the function that makes a correlation type of its text argument, whichever it is:
    /// a function, or one whose result it returns.
    fileprivate func correlationMaker(in function: FunctionDeclSyntax, depth: Int = 0)
        -> FunctionDeclSyntax?
    {
        guard depth < 3, function.takesText else { return nil }
        for result in results(of: function) {
            guard let call = result.bare.as(FunctionCallExprSyntax.self) else { continue }
            if ["correlationType", "HKCorrelationType"].contains(call.calledName),
                let identifier = call.argument("forIdentifier") ?? call.unlabelledArgument(0)
            {
                if identifiedTypes(of: identifier).known.isEmpty { return function }
            } else if let inner = self.function(calledBy: call),
                let maker = correlationMaker(in: inner, depth: depth + 1)
            {
                return maker
            }
        }
        return nil
    }

    /// Returns the types of one origin, each with the expression that chooses it.
    fileprivate func choices(ofOrigin origin: ExprSyntax) -> [RequestedElement.Choice] {
        guard let call = origin.as(FunctionCallExprSyntax.self) else {
            let types = memberValues(origin).map { sampleTypes(of: $0) }
            let own = sampleTypes(of: origin)
            return (types + [own]).filter { $0.known.count == 1 && $0.isComplete }
                .flatMap(\.known).map { ($0, origin) }
        }
        if let function = function(calledBy: call) {
            return choices(of: KnownCall(function: function, call: call))
        }
        guard let identifier = call.unlabelledArgument(0) ?? call.argument("forIdentifier") else {
            return sampleTypes(of: origin).known.map { ($0, origin) }
        }
        guard sampleTypes(of: origin).known.isEmpty == false else { return [] }
        return origins(of: identifier).flatMap { place in
            identifiedTypes(of: place).known.map { ($0, place) }
        }
    }

    /// Returns the type of `type(.stepCount)`, for a function that makes it of its argument, or
    /// that has one result.
    private func choices(of call: KnownCall) -> [RequestedElement.Choice] {
        let place = ExprSyntax(call.call)
        let types = sampleTypes(of: place)
        if types.known.count == 1, types.isComplete { return [(types.known[0], place)] }
        return results(of: call.function).flatMap { result in
            origins(of: result, calls: .notFollowed).flatMap { origin in
                let made = origin.as(FunctionCallExprSyntax.self)
                guard
                    let identifier = made?.unlabelledArgument(0) ?? made?.argument("forIdentifier"),
                    case .parameter(let parameter) = binding(of: identifier),
                    let argument = call.argument(for: parameter)
                else { return [RequestedElement.Choice]() }
                return identifiedTypes(of: argument).known.map { ($0, argument) }
            }
        }
    }

    /// Returns the values of a member of another value: `types.read` for `let types: HealthTypes`.
    fileprivate func memberValues(_ expression: ExprSyntax) -> [ExprSyntax] {
        guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base,
            let type = typeName(of: base),
            case .variable(let binding, _) = self.member(member.declName.baseName.text, of: type)
        else { return [] }
        if let getter = binding.getterStatements { return results(of: getter) }
        return [binding.initializer?.value].compactMap { $0 }
    }

    /// Returns the values of a variable: its initial value, what is assigned to it, and the results
    /// of its getter. Each may change before it is passed on.
    fileprivate func assignedValues(of expression: ExprSyntax) -> [ExprSyntax] {
        var found = binding(of: expression)
        if found == nil, let member = expression.bare.as(MemberAccessExprSyntax.self),
            let type = member.base?.bare.lastName, !types(type).isEmpty
        {
            found = self.member(member.declName.baseName.text, of: type)
        }
        guard case .variable(let binding, let declaration) = found else { return [] }
        let initial = binding.initializer?.value
        let closure = initial?.bare.as(FunctionCallExprSyntax.self)?.calledExpression.bare
        let made = closure?.as(ClosureExprSyntax.self).map { results(of: $0.statements) }
        return (made ?? [initial].compactMap { $0 })
            + (binding.getterStatements.map { results(of: $0) } ?? [])
            + assignments(to: binding, declaration).compactMap(\.singleValue)
    }

    /// Returns the arguments that the target passes for a parameter, and its default value.
    fileprivate func passedValues(for name: ExprSyntax) -> [ExprSyntax] {
        guard case .parameter(let parameter) = binding(of: name) else { return [] }
        if let function = parameter.function {
            let passed = calls(of: function).compactMap { $0.argument(for: parameter) }
            return passed.isEmpty ? [parameter.defaultValue?.value].compactMap { $0 } : passed
        }
        guard let type = parameter.enclosing(InitializerDeclSyntax.self)?.enclosingTypeName else {
            return []
        }
        let label = parameter.firstName.text
        let passed = (index.calls[type] ?? []).compactMap { $0.argument(label) }
        return passed + [parameter.defaultValue?.value].compactMap { $0 }
    }

    /// Returns the type of the elements of a list that a function is given: `Metric` for
    /// `metrics: [Metric]`.
    fileprivate func parameterElement(_ list: ExprSyntax) -> String? {
        guard case .parameter(let parameter) = binding(of: list) else { return nil }
        if let array = parameter.type.as(ArrayTypeSyntax.self) { return array.element.baseName }
        let generic = parameter.type.as(IdentifierTypeSyntax.self)
        guard ["Set", "Array"].contains(generic?.name.text) else { return nil }
        return generic?.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)?
            .baseName
    }

    /// Returns whether the source shows the elements of a list.
    fileprivate func isShown(_ list: ExprSyntax) -> Bool {
        origins(of: list).contains { origin in
            origin.hasElements
                || passedValues(for: origin).contains { argument in
                    origins(of: argument).contains(where: \.hasElements)
                }
        }
    }

    /// Returns whether a type comes from a loop, and the function tells correlations from others.
    fileprivate func isChecked(_ element: ExprSyntax) -> Bool {
        switch binding(of: element) {
        case .element, .closureParameter: break
        default: return false
        }
        return element.enclosingFunction.descendants.contains { node in
            node.as(IdentifierTypeSyntax.self)?.name.text == "HKCorrelationType"
        }
    }

    /// Returns the arguments of `types.insert(type)`, for a variable of the source.
    fileprivate func inserted(into set: ExprSyntax) -> [ExprSyntax] {
        calls(["insert", "append"], changing: set).compactMap { $0.unlabelledArgument(0) }
    }

    /// Returns the sets in `types.formUnion(set)`, for a variable of the source.
    fileprivate func united(into set: ExprSyntax) -> [ExprSyntax] {
        calls(["formUnion"], changing: set).compactMap { $0.unlabelledArgument(0) }
            + calls(["append"], changing: set).compactMap { $0.argument("contentsOf") }
    }

    /// Returns whether elements are removed from a variable of the source.
    fileprivate func shrinks(_ set: ExprSyntax) -> Bool {
        !calls(["remove", "subtract", "removeAll", "formIntersection"], changing: set).isEmpty
    }

    private func calls(_ names: [String], changing set: ExprSyntax) -> [FunctionCallExprSyntax] {
        guard let name = set.bare.ownName,
            case .variable(let binding, let declaration) = self.binding(of: set),
            !declaration.isConstant
        else { return [] }
        let scope =
            declaration.memberOf == nil
            ? declaration.enclosing(CodeBlockItemListSyntax.self).map { Syntax($0) }
            : Syntax(binding).root
        guard let scope else { return [] }
        return names.flatMap { index.calls[$0] ?? [] }.filter {
            $0.base?.bare.ownName == name && $0.isInside(scope)
        }
    }
}

extension FunctionDeclSyntax {
    /// Whether the only parameter is a text.
    fileprivate var takesText: Bool {
        let parameters = signature.parameterClause.parameters
        return parameters.count == 1 && parameters.first?.type.baseName == "String"
    }
}

extension FunctionCallExprSyntax {
    /// The only argument, which may be the name of a type.
    fileprivate var lookedUpName: ExprSyntax? {
        arguments.count == 1 ? arguments.first?.expression : nil
    }
}

extension DictionaryExprSyntax {
    fileprivate var values: [ExprSyntax] {
        guard case .elements(let elements) = content else { return [] }
        return elements.map(\.value)
    }
}

extension KeyPathExprSyntax {
    /// The last property: `type` in `\.type` and `\Metric.type`.
    fileprivate var lastProperty: String? {
        components.last?.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.text
    }
}

extension ExprSyntax {
    /// Whether it is a list with elements.
    fileprivate var hasElements: Bool { self.as(ArrayExprSyntax.self)?.elements.isEmpty == false }

    /// Whether it names a function that makes a type of an identifier: `HKQuantityType.init`,
    /// `HKObjectType.quantityType(forIdentifier:)`.
    fileprivate var isTypeInitializer: Bool {
        guard let member = self.as(MemberAccessExprSyntax.self),
            member.base?.bare.lastName?.hasPrefix("HK") == true
        else { return false }
        return ["init", "quantityType", "categoryType", "correlationType"].contains(
            member.declName.baseName.text)
    }
}
