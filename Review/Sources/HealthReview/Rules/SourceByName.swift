import SwiftSyntax

/// `source.name.contains("Watch")`: names are a person's to change, and each language has its own.
struct SourceByName: Rule {
    let name = "source-by-name"
    let summary = "a source's name compared to decide which samples count"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("name") {
            guard file.mentionsSources else { continue }
            for member in file.uses.memberAccesses where isSourceName(member, target) {
                let comparison = comparison(of: Syntax(member), target)
                guard let comparison, !isForShow(comparison) else { continue }
                report.add(
                    "people rename their devices and each language names them otherwise: tell "
                        + "sources by `productType` or bundle identifier, or let statistics merge them",
                    at: comparison, in: file)
            }
        }
    }

    /// `sample.sourceRevision.source.name`, or the name of a variable that is a source.
    private func isSourceName(_ member: MemberAccessExprSyntax, _ target: Target) -> Bool {
        guard member.declName.baseName.text == "name", let base = member.base?.bare else {
            return false
        }
        return isSource(base, target, depth: 0)
    }

    private func isSource(_ expression: ExprSyntax, _ target: Target, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        let bare = expression.bare
        if let member = bare.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "source", let base = member.base?.bare
        {
            return base.endsInRevision || target.typeName(of: base).map(Self.hasSource) == true
                || isSample(base, target)
        }
        if target.typeName(of: bare) == "HKSource" { return true }
        switch target.binding(of: bare) {
        case .variable(let binding, _):
            return binding.initializer.map { isSource($0.value, target, depth: depth + 1) } ?? false
        case .unwrapped(let value): return isSource(value, target, depth: depth + 1)
        case .element(let sequence, _): return areSources(sequence, target, depth: depth + 1)
        case .closureParameter(let closure, _):
            guard let call = closure.callItIsGivenTo, let base = call.base,
                FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
            else { return false }
            return areSources(base, target, depth: depth + 1)
        default: return false
        }
    }

    private static func hasSource(_ type: String) -> Bool {
        ["HKSourceRevision", "HKObject", "HKWorkout", "HKCorrelation"].contains(type)
            || type.hasPrefix("HK") && type.hasSuffix("Sample")
    }

    /// Whether an expression is a revision, or an element of a collection of samples.
    private func isSample(_ expression: ExprSyntax, _ target: Target) -> Bool {
        if target.origins(of: expression).contains(where: \.endsInRevision) { return true }
        guard let collection = target.collection(of: expression),
            case .parameter(let parameter) = target.binding(of: collection)
        else { return false }
        return parameter.type.all(IdentifierTypeSyntax.self).contains {
            Self.hasSource($0.name.text)
        }
    }

    /// Whether an expression is a collection of sources: `statistics.sources`, a source query's result.
    private func areSources(_ expression: ExprSyntax, _ target: Target, depth: Int) -> Bool {
        guard depth < 6 else { return false }
        let bare = expression.bare
        if let member = bare.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "sources", let base = member.base?.bare
        {
            if let type = target.typeName(of: base) { return type == "HKStatistics" }
            let name = base.ownName ?? base.shortText ?? ""
            return name.lowercased().contains("stat")
        }
        if let call = bare.as(FunctionCallExprSyntax.self), let base = call.base {
            return FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
                && areSources(base, target, depth: depth + 1)
        }
        if let sequence = bare.as(SequenceExprSyntax.self), let first = sequence.elements.first {
            return areSources(first, target, depth: depth + 1)
        }
        switch target.binding(of: bare) {
        case .variable(let binding, _):
            if binding.typeAnnotation?.type.contains("HKSource") == true { return true }
            return binding.initializer.map { areSources($0.value, target, depth: depth + 1) }
                ?? false
        case .parameter(let parameter): return parameter.type.contains("HKSource")
        case .unwrapped(let value): return areSources(value, target, depth: depth + 1)
        case .closureParameter(let closure, let place):
            return place == 1 && closure.callItIsGivenTo?.constructedName == "HKSourceQuery"
        default: return false
        }
    }

    /// The comparison that a name is part of: the whole of it, to point at.
    private func comparison(of name: Syntax, _ target: Target) -> Syntax? {
        var inner = name
        while let outer = inner.parent {
            switch outer.as(SyntaxEnum.self) {
            case .memberAccessExpr(let member):
                let method = member.declName.baseName.text
                if Self.tests.contains(method) { return name }
                guard Self.forms.contains(method) else { return nil }
                inner = outer
            case .functionCallExpr, .optionalChainingExpr, .forceUnwrapExpr:
                inner = outer
            case .labeledExpr(let argument):
                guard let tuple = argument.parent?.parent?.as(TupleExprSyntax.self) else {
                    return listComparison(argument, target)
                }
                inner = Syntax(tuple)
            case .exprList:
                return outer.parent.flatMap { equality($0, name) }
            case .switchExpr(let node):
                let matchesText = node.cases.contains { $0.trimmedDescription.contains("\"") }
                return matchesText ? name : nil
            case .initializerClause(let clause):
                return follow(clause, name, target)
            case .optionalBindingCondition:
                return nil
            default: return nil
            }
        }
        return nil
    }

    /// `name == "Watch"`, from either side.
    private func equality(_ node: Syntax, _ name: Syntax) -> Syntax? {
        guard let elements = node.as(SequenceExprSyntax.self).map({ Array($0.elements) }),
            let place = elements.firstIndex(where: { name.isInside($0) })
        else { return nil }
        if place >= 2, elements[place - 1].isEquality { return Syntax(elements[place - 2]) }
        return place + 1 < elements.count && elements[place + 1].isEquality ? name : nil
    }

    /// `["Watch"].contains(name)`, with a list that the code knows.
    private func listComparison(_ argument: LabeledExprSyntax, _ target: Target) -> Syntax? {
        guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            call.calledName == "contains", let base = call.base, argument.label == nil
        else { return nil }
        let isKnown = target.origins(of: base).contains { origin in
            origin.is(ArrayExprSyntax.self) && !origin.all(StringLiteralExprSyntax.self).isEmpty
        }
        return isKnown ? Syntax(call) : nil
    }

    /// `let name = source.name`, compared further down; the first comparison.
    private func follow(_ clause: InitializerClauseSyntax, _ name: Syntax, _ target: Target)
        -> Syntax?
    {
        let pattern =
            clause.parent?.as(PatternBindingSyntax.self)?.pattern
            ?? clause.parent?.as(OptionalBindingConditionSyntax.self)?.pattern
        guard let variable = pattern?.as(IdentifierPatternSyntax.self)?.identifier.text,
            let scope = clause.enclosing(CodeBlockItemListSyntax.self)
        else { return nil }
        let uses = scope.references(to: variable).filter { $0.position > clause.position }
        return uses.lazy.compactMap { comparison(of: $0, target) }.first { !isForShow($0) }
    }

    private static let tests: Set<String> = [
        "contains", "hasPrefix", "hasSuffix", "localizedCaseInsensitiveContains",
        "localizedStandardContains", "caseInsensitiveCompare", "localizedCompare", "compare",
        "range",
        "starts", "firstRange", "wholeMatch", "firstMatch", "elementsEqual",
    ]
    private static let forms: Set<String> = [
        "lowercased", "uppercased", "trimmingCharacters", "localizedLowercase", "capitalized",
        "replacingOccurrences", "folding",
    ]

    /// Whether a comparison only chooses a word, a picture or a colour.
    private func isForShow(_ comparison: Syntax) -> Bool {
        if comparison.choosesBetweenWords { return true }
        var node = comparison
        while let outer = node.parent {
            if let function = outer.as(FunctionDeclSyntax.self) {
                return Self.isShown(function.signature.returnClause?.type)
            }
            if outer.is(AccessorBlockSyntax.self) {
                return Self.isShown(
                    outer.enclosing(PatternBindingSyntax.self)?.typeAnnotation?.type)
            }
            if outer.is(ClosureExprSyntax.self) { return false }
            node = outer
        }
        return false
    }

    private static func isShown(_ type: TypeSyntax?) -> Bool {
        let name = type?.baseName ?? ""
        return ["String", "Image", "Color", "UIImage", "UIColor", "View", "Text", "Label"].contains(
            name)
    }
}

extension SourceFile {
    fileprivate var mentionsSources: Bool {
        ["sourceRevision", "HKSource", "HKSourceQuery", "HKSourceRevision", "sources", "source"]
            .contains { uses.names.contains($0) } && mentionsStore
    }
}

extension ExprSyntax {
    /// `==` or `!=`.
    fileprivate var isEquality: Bool {
        ["==", "!="].contains(self.as(BinaryOperatorExprSyntax.self)?.operator.text ?? "")
    }

    /// `sample.sourceRevision`.
    fileprivate var endsInRevision: Bool {
        bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "sourceRevision"
    }
}

extension Syntax {
    /// `name == "Watch" ? "applewatch" : "iphone"`.
    fileprivate var choosesBetweenWords: Bool {
        guard let sequence = enclosing(SequenceExprSyntax.self) else { return false }
        let elements = Array(sequence.elements)
        guard let place = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
            isInsideAny(of: elements[..<place]), place + 1 < elements.count,
            let choice = elements[place].as(UnresolvedTernaryExprSyntax.self)
        else { return false }
        return [choice.thenExpression, elements[place + 1]].allSatisfy { value in
            value.is(StringLiteralExprSyntax.self)
                || value.as(MemberAccessExprSyntax.self)?.base?.shortText.map {
                    ["Color", "UIColor", "Image"].contains($0)
                } == true
        }
    }

    private func isInsideAny(of elements: ArraySlice<ExprSyntax>) -> Bool {
        elements.contains { self.isInside($0) }
    }
}
