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
                        // A one-time query without a stored anchor has no deletions to handle. A
                        // query that continues without one can miss deletions only in what it
                        // displays.
                        let isFresh = isFresh(handler, of: query, target)
                        if isOnce, isFresh { continue }
                        review(handler, target, isFresh ? .note : severity, &report)
                    }
                }
            }
            if file.uses.names.contains("addedSamples") { reviewResults(file, target, &report) }
        }
    }

    private func review(
        _ handler: QueryHandler, _ target: Target, _ severity: Severity, _ report: inout Report
    ) {
        guard let file = target.file(of: handler.node),
            let added = handler.parameter(1), let token = handler.parameterToken(2),
            handler.statements.uses(added)
        else { return }
        if let deleted = handler.parameter(2), handler.statements.uses(deleted) { return }
        report.add(
            "deletions are dropped: samples that a person deletes in Health are kept forever",
            at: token, in: file, severity: severity)
    }

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
            if let query = target.descriptorQuery(of: base), target.isFromBeginning(query),
                !access.enclosingFunction.takesMember("newAnchor")
            {
                continue
            }
            if let name = base.as(DeclReferenceExprSyntax.self)?.baseName.text {
                let scope = access.enclosingFunction
                let isFirst = reviewed.insert("\(scope.position.utf8Offset) \(name)").inserted
                guard isFirst, !scope.handsOn(name), !scope.takes("deletedObjects", of: name) else {
                    continue
                }
            }
            report.add(
                "deletions are dropped: samples that a person deletes in Health are kept forever; use `deletedObjects` too",
                at: access.declName, in: file)
        }
    }
}
