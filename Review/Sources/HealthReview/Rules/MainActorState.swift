import SwiftSyntax

/// Reports user interface state that is changed on the queue of a HealthKit callback.
struct MainActorState: Rule {
    let name = "main-actor-state"
    let summary = "state of the main actor changed in a HealthKit callback"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.mentionsStore) else { return }
        for body in CallbackCode(target).bodies {
            for assignment in body.assignments {
                guard let state = state(in: assignment.target, target) else { continue }
                add(state, at: assignment.node, body.file, &report)
            }
            for call in body.calls {
                guard let state = changed(by: call, target) else { continue }
                add(state, at: call, body.file, &report)
            }
        }
    }

    private func add(
        _ state: String, at node: some SyntaxProtocol, _ file: SourceFile, _ report: inout Report
    ) {
        report.add(
            "`\(state)` belongs to the main actor and HealthKit calls back on a queue of its own: "
                + "hop with `Task { @MainActor in … }`", at: node, in: file)
    }

    /// Returns what a call changes: by a mutating collection method, or by a view method.
    private func changed(by call: FunctionCallExprSyntax, _ target: Target) -> String? {
        guard let name = call.calledName else { return nil }
        guard let base = call.base?.bare else {
            return isScreenMethod(name, of: call, target) ? name : nil
        }
        if Self.mutating.contains(name) { return state(in: base, target) }
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
    private func state(in place: ExprSyntax, _ target: Target) -> String? {
        if let view = view(withPart: place, target) { return view }
        if let name = inherited(place, target) { return name }
        var current = place.bare
        for _ in 0..<32 {
            if let name = target.ownMemberName(current) ?? current.ownName,
                case .variable(let binding, let declaration) = target.binding(of: current)
            {
                return isState(binding, declaration, target) ? name : nil
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
        -> String?
    {
        guard let member = expression.as(MemberAccessExprSyntax.self),
            let type = target.typeName(of: base),
            case .variable(let binding, let declaration) = target.member(
                member.declName.baseName.text, of: type)
        else { return nil }
        return isState(binding, declaration, target) ? member.declName.baseName.text : nil
    }

    private func isState(
        _ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax, _ target: Target
    ) -> Bool {
        let attributes = Set(declaration.attributes.names)
        if !attributes.isDisjoint(with: ["Published", "State", "Binding", "MainActor"]) {
            return true
        }
        guard let type = declaration.memberOf, !attributes.contains("ObservationIgnored"),
            !declaration.isStatic,
            !declaration.modifiers.contains(where: { $0.name.text == "nonisolated" })
        else { return false }
        return target.types(type).contains { block in
            let attributes = block.attributes
            return attributes.contains("MainActor")
                || attributes.contains("Observable") && binding.accessorBlock?.isComputed != true
        }
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
