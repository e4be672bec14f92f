import SwiftSyntax

/// Reports user interface state that is changed on the queue of a HealthKit callback.
struct MainActorState: Rule {
    let name = "main-actor-state"
    let summary = "state that screens show, changed off the main thread by a HealthKit callback"
    let severity = Severity.warning

    /// State that is changed, and how certain it is that this is wrong.
    private struct State {
        let name: String
        /// A note where the class says only that it is observable.
        let severity: Severity
    }

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.mentionsStore) else { return }
        for body in target.callbackBodies {
            // One hop mends the whole body, so one finding is enough.
            var first: (state: State, node: Syntax)?
            func found(_ state: State?, at node: Syntax) {
                guard let state else { return }
                guard let known = first else { return first = (state, node) }
                let isWorse = state.severity == .warning && known.state.severity == .note
                let isSame = state.severity == known.state.severity
                if isWorse || isSame && node.position < known.node.position {
                    first = (state, node)
                }
            }
            for assignment in body.assignments where isJudged(assignment.target, body, target) {
                found(state(in: assignment.target, target), at: Syntax(assignment.node))
            }
            for call in body.calls where call.base.map({ isJudged($0, body, target) }) ?? true {
                if body.origin == .task, call.base == nil { continue }
                found(changed(by: call, target), at: Syntax(call))
            }
            if let first { add(first.state, body.origin, at: first.node, body.file, &report) }
        }
    }

    /// Returns whether a change in `async` code compiles although it is wrong: of own properties of
    /// a class without an actor. The compiler refuses the rest.
    private func isJudged(_ place: ExprSyntax, _ body: CallbackCode.Body, _ target: Target) -> Bool
    {
        guard body.origin == .task else { return true }
        guard !target.isOnMainActor(place.enclosingTypeName) else { return false }
        var current = place.bare
        for _ in 0..<32 {
            if target.ownMemberName(current) != nil || current.ownName != nil {
                guard case .variable(_, let declaration) = target.binding(of: current) else {
                    return false
                }
                let names = declaration.attributes.names
                return declaration.memberOf != nil && !names.contains("MainActor")
            }
            guard let next = current.inner else { return false }
            current = next
        }
        return false
    }

    private func add(
        _ state: State, _ origin: CallbackCode.Origin, at node: Syntax, _ file: SourceFile,
        _ report: inout Report
    ) {
        let message =
            origin == .callback
            ? "what shows `\(state.name)` misses updates or ends the app, as HealthKit calls back on "
                + "a queue of its own: hop with `Task { @MainActor in … }`"
            : "what shows `\(state.name)` misses updates or ends the app, as `async` code of a class "
                + "without an actor runs off the main thread: mark the class with `@MainActor`"
        report.add(message, at: node, in: file, severity: state.severity)
    }

    /// Returns what a call changes: by a mutating collection method, or by a view method.
    private func changed(by call: FunctionCallExprSyntax, _ target: Target) -> State? {
        if let name = call.calledName, Self.mutating.contains(name), let base = call.base?.bare {
            return state(in: base, target)
        }
        return view(changedBy: call, target).map { State(name: $0, severity: .warning) }
    }

    private func view(changedBy call: FunctionCallExprSyntax, _ target: Target) -> String? {
        guard let name = call.calledName else { return nil }
        guard let base = call.base?.bare else {
            return isScreenMethod(name, of: call, target) ? name : nil
        }
        if name == "send" {
            let member =
                base.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? base.ownName
            return member == "objectWillChange" ? member : nil
        }
        if target.isSelf(base), isScreenMethod(name, of: call, target) { return name }
        guard Self.viewMethods.contains(name) else { return nil }
        if let view = view(in: base, target) { return view }
        // An inherited member, such as the table view of a UITableViewController.
        let last = target.ownMemberName(base) ?? base.ownName ?? ""
        let isInherited =
            ["tableView", "collectionView"].contains(last) && target.binding(of: base) == nil
        return isInherited && call.enclosingTypeName != nil ? last : nil
    }

    /// Returns whether the call is a view controller's method, such as `present(_:animated:)`.
    private func isScreenMethod(
        _ name: String, of call: FunctionCallExprSyntax, _ target: Target
    ) -> Bool {
        Self.screenMethods.contains(name) && call.enclosingTypeName.map(target.isScreen) == true
            && target.function(named: call.calledExpression) == nil
    }

    /// Returns the main actor's state that the left side of an assignment is, or is part of.
    private func state(in place: ExprSyntax, _ target: Target) -> State? {
        if let name = view(withPart: place, target) ?? inherited(place, target) {
            return State(name: name, severity: .warning)
        }
        var current = place.bare
        for _ in 0..<32 {
            if let name = target.ownMemberName(current) ?? current.ownName,
                case .variable(let binding, let declaration) = target.binding(of: current)
            {
                return severity(binding, declaration, target).map {
                    State(name: name, severity: $0)
                }
            }
            guard let next = current.inner else { return nil }
            if let found = memberState(current, of: next, target) { return found }
            current = next
        }
        return nil
    }

    /// Returns an inherited member of a view controller: `title`, `view.backgroundColor`.
    private func inherited(_ place: ExprSyntax, _ target: Target) -> String? {
        var current = place.bare
        for _ in 0..<32 {
            guard let inner = current.inner, !target.isSelf(inner) else { break }
            current = inner
        }
        guard let name = target.ownMemberName(current) ?? current.ownName,
            ["title", "view", "navigationItem", "tabBarItem"].contains(name),
            target.binding(of: current) == nil, let type = current.enclosingTypeName
        else { return nil }
        return target.inherited(by: type).contains { $0.hasSuffix("ViewController") } ? name : nil
    }

    /// Returns the state in `model.steps`, where the model's type belongs to the target.
    private func memberState(_ expression: ExprSyntax, of base: ExprSyntax, _ target: Target)
        -> State?
    {
        guard let member = expression.as(MemberAccessExprSyntax.self),
            let type = target.typeName(of: base),
            case .variable(let binding, let declaration) = target.member(
                member.declName.baseName.text, of: type)
        else { return nil }
        let name = member.declName.baseName.text
        return severity(binding, declaration, target).map { State(name: name, severity: $0) }
    }

    /// Returns how wrong a change off the main thread is; nil for properties that any thread may
    /// change, such as SwiftUI's `@State`.
    private func severity(
        _ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax, _ target: Target
    ) -> Severity? {
        let attributes = Set(declaration.attributes.names)
        if !attributes.isDisjoint(with: ["Published", "MainActor"]) { return .warning }
        let wrappers = ["State", "Binding", "AppStorage", "SceneStorage", "ObservationIgnored"]
        guard let type = declaration.memberOf, attributes.isDisjoint(with: wrappers),
            !declaration.isConstant,
            !declaration.isStatic,
            !declaration.modifiers.contains(where: { $0.name.text == "nonisolated" })
        else { return nil }
        let types = target.types(type)
        if types.contains(where: { $0.attributes.contains("MainActor") }) { return .warning }
        let isObserved =
            types.contains { $0.attributes.contains("Observable") }
            && binding.accessorBlock?.isComputed != true
        return isObserved ? .note : nil
    }

    /// Returns the view whose part is set: `label` in `label.text`; nil for the variable itself.
    private func view(withPart place: ExprSyntax, _ target: Target) -> String? {
        let isVariable =
            place.bare.is(DeclReferenceExprSyntax.self) || target.ownMemberName(place) != nil
        return isVariable ? nil : view(in: place, target)
    }

    /// Returns the view that an expression is or belongs to, by its declared type.
    private func view(in expression: ExprSyntax, _ target: Target) -> String? {
        var current = expression.bare
        for _ in 0..<32 {
            if let name = target.ownMemberName(current) ?? current.ownName {
                if case .variable(_, let declaration) = target.binding(of: current),
                    declaration.attributes.names.contains("IBOutlet")
                {
                    return name
                }
                return target.typeName(of: current).map(Self.isView) == true ? name : nil
            }
            guard let next = current.inner else { return nil }
            current = next
        }
        return nil
    }

    private static func isView(_ type: String) -> Bool {
        type.hasPrefix("WKInterface")
            || type.hasPrefix("UI") && viewSuffixes.contains { type.hasSuffix($0) }
    }

    private static let viewSuffixes = [
        "View", "Label", "Button", "Field", "Controller", "Switch", "Slider", "Control", "Picker",
        "Stepper", "Bar", "Item", "Cell",
    ]

    private static let mutating: Set<String> = [
        "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue",
        "sort",
        "reverse", "toggle", "formUnion", "subtract", "merge", "updateValue",
    ]

    private static let viewMethods: Set<String> = [
        "reloadData", "reloadRows", "reloadSections", "reloadItems", "insertRows", "deleteRows",
        "beginUpdates", "endUpdates", "performBatchUpdates", "setTitle", "setText", "setHidden",
        "setImage", "setProgress", "setNeedsDisplay", "setNeedsLayout", "layoutIfNeeded",
        "addSubview", "removeFromSuperview", "startAnimating", "stopAnimating", "beginRefreshing",
        "endRefreshing", "setNumberOfRows", "setEnabled", "pushViewController",
        "popViewController",
    ]

    private static let screenMethods: Set<String> = [
        "present", "dismiss", "performSegue", "setNeedsStatusBarAppearanceUpdate",
        "pushController", "presentController",
    ]
}

extension ExprSyntax {
    /// The expression's base: `model` in `model.days`, `days` in `days[0]`.
    fileprivate var inner: ExprSyntax? {
        if let member = self.as(MemberAccessExprSyntax.self) { return member.base?.bare }
        return self.as(SubscriptCallExprSyntax.self)?.calledExpression.bare
    }
}

extension AccessorBlockSyntax {
    /// Whether the property has a getter and no storage. Property observers don't count.
    fileprivate var isComputed: Bool {
        guard case .accessors(let list) = accessors else { return true }
        return list.contains { $0.accessorSpecifier.tokenKind == .keyword(.get) }
    }
}
