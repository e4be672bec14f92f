import HealthEngine
import SwiftSyntax

/// Reports a sample query without a limit whose predicate excludes nothing.
struct UnboundedQuery: Rule {
    let name = "unbounded-query"
    let summary = "a query for all samples there are, without a limit or a bounding predicate"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            /// The functions with a finding, with the types it is about.
            var reported: Set<String> = []
            for query in file.queries where isUnlimited(query, target, file) {
                guard let finding = finding(query, target) else { continue }
                let place = query.call.enclosingFunction.position.utf8Offset
                guard reported.insert("\(place) \(finding.types)").inserted else { continue }
                report.add(
                    message(finding), at: query.call, in: file,
                    severity: finding.frequency == .daily ? .note : nil)
            }
        }
    }

    private struct OpenQuery {
        let types: String
        let frequency: RecordingFrequency
    }

    private func message(_ query: OpenQuery) -> String {
        query.frequency == .daily
            ? "every sample of \(query.types) there is is loaded at once, which grows with the "
                + "years: bound it by a date or a limit"
            : "years of \(query.types) are held in memory at once, which can end the app: bound "
                + "the query by a date or a limit"
    }

    /// Returns what an unlimited query asks for; nil if it is bounded or its types are rare.
    private func finding(_ query: HealthQuery, _ target: Target) -> OpenQuery? {
        let open = target.parts(of: query).filter { part in
            target.selectivity(ofPredicate: part.predicate) == .everything
        }
        if open.isEmpty { return nil }
        if query.kind == .correlation, !isOpen(query.call.argument("samplePredicates"), target) {
            return nil
        }
        var types = PossibleTypes()
        var leastOften = RecordingFrequency.rare
        for part in open {
            let own = part.types.areKnown ? part.types : target.types(of: part, [])
            types.add(own)
            let given = own.areKnown ? RecordingFrequency(own) : frequency(ofUnknown: part, target)
            leastOften = max(leastOften, given)
        }
        if leastOften == .rare { return nil }
        return OpenQuery(
            types: types.areKnown ? Self.list(types.known) : unknownName(open[0]),
            frequency: leastOften)
    }

    private static func list(_ types: [SampleType]) -> String {
        let names = types.prefix(3).map(\.name).joined(separator: ", ")
        return types.count > 3 ? "\(names) and \(types.count - 3) more types" : names
    }

    /// The expression for a type that can't be resolved.
    private func unknownName(_ part: QueryPart) -> String {
        let call = part.node.as(FunctionCallExprSyntax.self)
        let type = call.flatMap { call in
            ["sampleType", "type", "quantityType"].lazy.compactMap { call.argument($0) }.first
        }
        guard let text = type?.shortText, text.count < 40, !text.contains("\n") else {
            return "samples of any type"
        }
        return "`\(text)`"
    }

    /// Returns how often a type is recorded that is known by its class only.
    private func frequency(ofUnknown part: QueryPart, _ target: Target) -> RecordingFrequency {
        guard let call = part.node.as(FunctionCallExprSyntax.self),
            let type = call.argument("sampleType") ?? call.argument("type")
        else { return .often }
        let classes = target.origins(of: type).map { origin in
            origin.as(FunctionCallExprSyntax.self).flatMap { made in
                made.calledName == "clinicalType" ? "HKClinicalType" : made.constructedName
            } ?? target.typeName(of: origin)
        }
        return classes.map { RecordingFrequency(className: $0) }.max() ?? .often
    }

    private func isOpen(_ dictionary: ExprSyntax?, _ target: Target) -> Bool {
        guard let dictionary else { return true }
        return target.origins(of: dictionary).allSatisfy { origin in
            if let literal = origin.as(DictionaryExprSyntax.self) {
                if case .colon = literal.content { return true }
            }
            return origin.is(NilLiteralExprSyntax.self)
        }
    }

    private func isUnlimited(_ query: HealthQuery, _ target: Target, _ file: SourceFile) -> Bool {
        switch (query.kind, query.form) {
        case (.sample, .callback):
            guard let limit = query.call.argument("limit") else { return false }
            return isNoLimit(limit, target)
        case (.sample, .descriptor):
            if setsLimit(query, file) { return false }
            guard let limit = query.call.argument("limit") else { return true }
            return isNoLimit(limit, target)
        case (.correlation, _): return true
        default: return false
        }
    }

    /// Returns whether the limit is `HKObjectQueryNoLimit`, 0 or nil, possibly converted.
    private func isNoLimit(_ limit: ExprSyntax, _ target: Target) -> Bool {
        let origins = target.origins(of: limit)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                if let call = origin.as(FunctionCallExprSyntax.self), call.constructedName == "Int",
                    let inner = call.unlabelledArgument(0)
                {
                    return Self.isNoLimit(inner.bare)
                }
                return Self.isNoLimit(origin)
            }
    }

    private static func isNoLimit(_ origin: ExprSyntax) -> Bool {
        if origin.is(NilLiteralExprSyntax.self) { return true }
        if let literal = origin.as(IntegerLiteralExprSyntax.self) {
            return literal.literal.text == "0"
        }
        let name =
            origin.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? origin.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return name == "HKObjectQueryNoLimit"
    }

    /// Returns whether `descriptor.limit = 50` follows the construction.
    private func setsLimit(_ query: HealthQuery, _ file: SourceFile) -> Bool {
        guard let variable = query.variable else { return false }
        let function = query.call.enclosingFunction
        return file.uses.assignments.contains { assignment in
            guard let member = assignment.target.as(MemberAccessExprSyntax.self) else {
                return false
            }
            return member.declName.baseName.text == "limit" && member.base?.bare.ownName == variable
                && assignment.node.isInside(function)
        }
    }
}
