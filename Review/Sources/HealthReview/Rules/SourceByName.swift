import SwiftSyntax

/// Reports a source that is chosen by its name: `source.name.contains("Watch")`.
struct SourceByName: Rule {
    let name = "source-by-name"
    let summary = "a source told by its name, which people change and devices share"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where mentionsSources(file) {
            for access in file.uses.memberAccesses where access.declName.baseName.text == "name" {
                guard let base = access.base, target.elementTypeName(of: base) == "HKSource" else {
                    continue
                }
                for comparison in comparisons(of: ExprSyntax(access), target, file)
                where !isShown(comparison)
                    && comparison.enclosing(MacroExpansionExprSyntax.self) == nil
                {
                    report.add(
                        "a renamed device or another language isn't recognized: identify a source by "
                            + "`productType` or `bundleIdentifier`, not by its name",
                        at: comparison, in: file)
                }
            }
        }
    }

    private func mentionsSources(_ file: SourceFile) -> Bool {
        let names = file.uses.names
        return names.contains("name")
            && ["sourceRevision", "HKSource", "HKSourceQuery", "sources"].contains {
                names.contains($0)
            }
    }

    // MARK: - Uses of the name

    /// Returns the comparisons of a name: in place, or of the variable that stores it.
    private func comparisons(
        of name: ExprSyntax, _ target: Target, _ file: SourceFile
    ) -> [ExprSyntax] {
        if let comparison = comparison(of: name) { return [comparison] }
        guard let variable = keptName(of: name),
            let scope = name.enclosing(CodeBlockItemListSyntax.self)
        else { return [] }
        return scope.references(to: variable).compactMap { node in
            guard node.position > name.position, let use = node.as(ExprSyntax.self) else {
                return nil
            }
            return comparison(of: use)
        }
    }

    /// Returns the comparison that an expression is part of: `x.lowercased().contains("watch")`,
    /// `x == "Watch"`, `switch x`.
    private func comparison(of expression: ExprSyntax) -> ExprSyntax? {
        var node = Syntax(expression)
        while let parent = node.parent {
            switch parent.as(SyntaxEnum.self) {
            case .memberAccessExpr(let member):
                let name = member.declName.baseName.text
                if member.base.map({ Syntax($0).id }) != node.id { return nil }
                if Self.tests.contains(name) { return ExprSyntax(expression) }
                guard Self.spellings.contains(name) else { return nil }
            case .functionCallExpr, .optionalChainingExpr, .forceUnwrapExpr: break
            case .labeledExpr(let argument):
                return isTested(argument) ? expression : nil
            case .exprList(let list): return isCompared(node, in: list) ? expression : nil
            case .switchExpr(let node):
                let literals = node.cases.contains { $0.mentionsString }
                return literals ? expression : nil
            default: return nil
            }
            node = parent
        }
        return nil
    }

    /// Returns whether it is an argument in `names.contains(source.name)`.
    private func isTested(_ argument: LabeledExprSyntax) -> Bool {
        let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        return call?.calledName == "contains" && argument.label == nil
    }

    private func isCompared(_ node: Syntax, in list: ExprListSyntax) -> Bool {
        let elements = Array(list)
        guard let place = elements.firstIndex(where: { Syntax($0).id == node.id }) else {
            return false
        }
        let beside = [place - 1, place + 1].filter { elements.indices.contains($0) }
        for neighbour in beside {
            guard let text = elements[neighbour].as(BinaryOperatorExprSyntax.self)?.operator.text,
                ["==", "!=", "~="].contains(text)
            else { continue }
            let other = neighbour < place ? neighbour - 1 : neighbour + 1
            guard elements.indices.contains(other) else { return false }
            return elements[other].plainString != ""
        }
        return false
    }

    private static let tests: Set<String> = [
        "contains", "hasPrefix", "hasSuffix", "localizedCaseInsensitiveContains",
        "localizedStandardContains", "range", "caseInsensitiveCompare", "compare",
        "localizedCaseInsensitiveCompare", "starts", "elementsEqual", "wholeMatch", "firstMatch",
        "isEqual",
    ]
    private static let spellings: Set<String> = [
        "lowercased", "uppercased", "localizedLowercase", "localizedUppercase", "capitalized",
        "trimmingCharacters", "replacingOccurrences", "folding",
    ]

    /// Returns the variable that stores the name: `name` in
    /// `let name = sample.sourceRevision.source.name.lowercased()`.
    private func keptName(of expression: ExprSyntax) -> String? {
        var node = Syntax(expression)
        while let parent = node.parent {
            switch parent.as(SyntaxEnum.self) {
            case .patternBinding(let binding): return binding.boundName
            case .optionalBindingCondition(let binding):
                return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            case .memberAccessExpr(let member):
                guard Self.spellings.contains(member.declName.baseName.text) else { return nil }
            case .functionCallExpr, .initializerClause, .optionalChainingExpr: break
            default: return nil
            }
            node = parent
        }
        return nil
    }

    /// Returns whether the comparison only affects display: the function returns a text, image or
    /// view.
    private func isShown(_ node: ExprSyntax) -> Bool {
        let result: String?
        switch node.enclosingFunction.as(SyntaxEnum.self) {
        case .functionDecl(let function):
            result = function.signature.returnClause?.type.elementName
        case .memberBlockItem(let item):
            result =
                item.decl.as(VariableDeclSyntax.self)?.bindings.first?.typeAnnotation?.type
                .elementName
        case .accessorDecl(let accessor):
            result = accessor.enclosing(PatternBindingSyntax.self)?.typeAnnotation?.type.elementName
        default: result = nil
        }
        return ["String", "View", "Image", "UIImage", "Color", "UIColor", "Text"]
            .contains(result ?? "")
    }
}

extension SyntaxProtocol {
    fileprivate var mentionsString: Bool {
        Syntax(self).descendants.contains { $0.is(StringLiteralExprSyntax.self) }
    }
}
