import SwiftSyntax

/// Reports an anchored query that uses added samples and ignores deleted objects.
struct IgnoredDeletions: Rule {
    let name = "ignored-deletions"
    let summary = "an anchored query whose deletions are dropped"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            if file.uses.names.contains("HKAnchoredObjectQuery") {
                for query in file.queries where query.kind == .anchored {
                    let handlers = target.handlers(of: query)
                    let isOnce = handlers.allSatisfy { $0.property == nil }
                    for handler in handlers {
                        // A one-time query without an anchor has no deletions to handle. A query
                        // that continues without one can miss deletions only in what it displays.
                        if isOnce, target.isFromBeginning(query) { continue }
                        let isFresh = isFresh(handler, of: query, target)
                        // The first results of such a query can't have shown what was deleted.
                        if isFresh, handler.property == nil || target.startsNow(query) { continue }
                        review(handler, target, isFresh ? .note : severity, &report)
                    }
                }
            }
            if file.uses.names.contains("addedSamples") { reviewResults(file, target, &report) }
        }
        reviewParameters(target, &report)
    }

    private func review(
        _ handler: QueryHandler, _ target: Target, _ severity: Severity, _ report: inout Report
    ) {
        guard let file = target.file(of: handler.node),
            let added = handler.parameter(1), let token = handler.parameterToken(2),
            handler.statements.uses(added),
            !target.usesOnlyNewest(of: added, in: handler.statements)
        else { return }
        if let deleted = handler.parameter(2), handler.statements.uses(deleted) { return }
        var kept = KeptValues(target)
        let isShown = kept.keepsNothing(of: added, in: handler.statements)
        report.add(
            isShown ? Self.shown : Self.stored, at: token, in: file,
            severity: isShown ? .note : severity)
    }

    private static let stored = "deleted samples stay in your copy: handle `deletedObjects`"
    private static let shown =
        "what a deleted sample showed stays until the next one comes: handle `deletedObjects` too"

    /// Returns whether a query starts without an anchor and doesn't store one.
    private func isFresh(
        _ handler: QueryHandler, of query: HealthQuery, _ target: Target
    ) -> Bool {
        let keepsAnchor = handler.parameter(3).map { handler.statements.uses($0) } ?? false
        return !keepsAnchor && target.isFromBeginning(query)
    }

    /// Reports `result.addedSamples` without `result.deletedObjects`.
    private func reviewResults(_ file: SourceFile, _ target: Target, _ report: inout Report) {
        var reviewed: Set<String> = []
        for access in file.uses.memberAccesses where access.declName.baseName.text == "addedSamples"
        {
            guard let base = access.base?.bare, target.isAnchoredResult(base) else { continue }
            let query = target.descriptorQuery(of: base)
            let isFresh =
                query.map { target.isFromBeginning($0) } == true
                && !access.enclosingFunction.takesMember("newAnchor")
            if isFresh, case .element? = target.binding(of: base) {} else if isFresh { continue }
            if let name = base.as(DeclReferenceExprSyntax.self)?.baseName.text {
                let scope = access.enclosingFunction
                let isFirst = reviewed.insert("\(scope.position.utf8Offset) \(name)").inserted
                guard isFirst, !scope.handsOn(name), !scope.takes("deletedObjects", of: name),
                    !takesOnlyNewest(of: name, in: scope, target)
                else { continue }
            } else if case .newest = target.newestUse(of: Syntax(access)) {
                continue
            }
            let isShown = keepsNothing(of: base, access, target)
            report.add(
                isShown ? Self.shown : Self.stored, at: access.declName, in: file,
                severity: isFresh || isShown ? .note : severity)
        }
    }

    /// Returns whether nothing made of any `addedSamples` of a result is kept.
    private func keepsNothing(
        of base: ExprSyntax, _ access: MemberAccessExprSyntax, _ target: Target
    ) -> Bool {
        let name = base.ownName
        return access.enclosingFunction.all(MemberAccessExprSyntax.self).allSatisfy { other in
            var kept = KeptValues(target)
            return other.declName.baseName.text != "addedSamples"
                || other.base?.bare.ownName != name || kept.keepsNothing(of: other)
        }
    }

    /// Returns whether each `addedSamples` of a result only serves for its newest sample.
    private func takesOnlyNewest(of name: String, in scope: Syntax, _ target: Target) -> Bool {
        let accesses = scope.all(MemberAccessExprSyntax.self).filter {
            $0.declName.baseName.text == "addedSamples" && $0.base?.bare.ownName == name
        }
        var isUsed = false
        for access in accesses {
            switch target.newestUse(of: Syntax(access)) {
            case .newest: isUsed = true
            case .test: break
            case .named(let alias):
                guard target.usesOnlyNewest(of: alias, in: scope) else { return false }
                isUsed = true
            case .passed(let parameter, let body):
                guard target.usesOnlyNewest(of: parameter, in: body) else { return false }
                isUsed = true
            case .other: return false
            }
        }
        return isUsed
    }

    // MARK: - Deletions handed to a function

    /// Reports functions that are given deletions and never use them:
    /// `func upload(_ added: [Record], deleted: [UUID])`.
    private func reviewParameters(_ target: Target, _ report: inout Report) {
        guard
            target.files.contains(where: {
                $0.uses.names.contains("HKAnchoredObjectQuery")
                    || $0.uses.names.contains("HKAnchoredObjectQueryDescriptor")
            })
        else { return }
        for file in target.files {
            for function in file.declarations.functions.values.joined() {
                guard let body = function.body, !body.statements.isEmpty else { continue }
                let parameters = function.signature.parameterClause.parameters
                for parameter in parameters where Self.namesDeletions(parameter.ownName) {
                    guard !body.uses(parameter.ownName),
                        parameters.contains(where: { !$0.isHandler && body.uses($0.ownName) }),
                        target.calls(of: function).contains(where: {
                            $0.argument(for: parameter).map { Self.carriesDeletions($0) } ?? false
                        })
                    else { continue }
                    report.add(
                        "deleted samples stay in your copy: the deletions that are passed here are never used",
                        at: parameter, in: file)
                }
            }
        }
    }

    private static func namesDeletions(_ name: String) -> Bool {
        name.camelCaseWords.contains { $0.hasPrefix("deleted") || $0.hasPrefix("deletion") }
    }

    private static func carriesDeletions(_ argument: ExprSyntax) -> Bool {
        argument.all(DeclReferenceExprSyntax.self).contains { namesDeletions($0.baseName.text) }
    }
}

extension FunctionParameterSyntax {
    /// Whether the parameter is a closure.
    fileprivate var isHandler: Bool { !type.all(FunctionTypeSyntax.self).isEmpty }
}

extension Target {
    /// Returns whether a query asks only for what begins from now on, which it reports as events.
    fileprivate func startsNow(_ query: HealthQuery) -> Bool {
        let predicates = parts(of: query).compactMap(\.predicate)
        return !predicates.isEmpty
            && predicates.allSatisfy { predicate in
                origins(of: predicate).contains { origin in
                    guard let call = origin.as(FunctionCallExprSyntax.self),
                        let start = call.argument("withStart")
                    else { return false }
                    return origins(of: start).allSatisfy { value in
                        ["Date()", "Date.now", ".now", "Date.init()"].contains(value.shortText)
                    }
                }
            }
    }
}
