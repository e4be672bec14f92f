import HealthEngine
import SwiftSyntax

/// Reports the newest sample taken from a query that doesn't give it: oldest first, in any order,
/// or cut off by the limit.
struct NewestSample: Rule {
    let name = "newest-sample"
    let summary = "the newest samples taken from a query that returns the oldest or any"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        var reported: Set<SyntaxIdentifier> = []
        for file in target.files
        where !file.uses.names.isDisjoint(with: ["first", "last", "samples"]) {
            for taken in file.takenSamples {
                for source in target.orderedSources(of: taken.list) {
                    guard !reported.contains(source.query.call.id),
                        let message = message(taken, source, target),
                        let place = target.file(of: source.query.call)
                    else { continue }
                    reported.insert(source.query.call.id)
                    report.add(message, at: source.query.orderNode, in: place)
                }
            }
        }
        for file in target.files
        where file.uses.names.contains("sortDescriptors")
            || !file.queries.isEmpty
        {
            for query in file.queries
            where query.kind == .sample && !reported.contains(query.call.id) {
                reviewList(query, target, file, &report)
            }
        }
    }

    // MARK: - One sample

    private func message(
        _ taken: TakenSample, _ source: OrderedSource, _ target: Target
    ) -> String? {
        let query = source.query
        let expectation = taken.expectation(through: source.calls)
        let isOpen = target.parts(of: query).allSatisfy {
            target.selectivity(ofPredicate: $0.predicate) == .everything
        }
        if query.kind == .anchored {
            guard isOpen, target.isFromBeginning(query),
                expectation.isNewest || expectation == .unknown,
                taken.isShown, target.limit(of: query) == SampleLimit.none,
                target.isOnlyTaken(taken.list)
            else { return nil }
            return "reads every sample there is to show one, and not in the order of their dates: "
                + "use a sample query with a descending sort descriptor and limit 1"
        }
        guard query.kind == .sample, let order = target.order(of: query, source.calls),
            let limit = target.limit(of: query, source.calls)
        else { return nil }
        if limit == .number(1) {
            let isExpected =
                expectation.isNewest || isOpen && expectation == .unknown && taken.isShown
            guard isExpected else { return nil }
            switch order {
            case .ascending: return Self.oldest
            case .none: return Self.unordered
            case .descending: return nil
            }
        }
        guard expectation == .newest else { return nil }
        switch (order, taken.end, limit) {
        case (.none, _, _): return Self.unordered
        case (.ascending, .first, _), (.descending, .last, _): return Self.oldest
        case (.ascending, .last, .number(let number)): return Self.cut(number)
        default: return nil
        }
    }

    private static let oldest =
        "the oldest sample is taken for the newest: sort descending by date and take the first"
    private static let unordered =
        "any sample may be taken for the newest, since there are no sort descriptors: sort descending "
        + "by date"

    private static func cut(_ number: Int) -> String {
        "the newest samples are left out, since the limit keeps the first \(number) of an ascending "
            + "order: sort descending by date"
    }

    // MARK: - Lists

    /// Reports `limit: 500` with an ascending order, for types with hundreds of samples a day.
    private func reviewList(
        _ query: HealthQuery, _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        guard let limit = target.limit(of: query), case .number(let number) = limit,
            (2...1_000).contains(number), target.order(of: query) == .ascending,
            let argument = query.call.argument("limit"),
            target.types(of: query).areAll({ Self.frequent.contains($0.name) })
        else { return }
        let function = query.call.enclosingFunction
        guard !function.isPaging, !function.namesOneDay else { return }
        report.add(Self.cut(number), at: argument, in: file)
    }

    /// Types with dozens to hundreds of samples a day.
    private static let frequent: Set<String> = [
        "heartRate", "bloodGlucose", "stepCount", "activeEnergyBurned", "basalEnergyBurned",
        "distanceWalkingRunning", "oxygenSaturation", "respiratoryRate",
        "environmentalAudioExposure", "headphoneAudioExposure",
    ]
}

/// `samples.first`, `samples.last` or `samples[0]`.
private struct TakenSample {
    enum End { case first, last }

    let node: ExprSyntax
    let list: ExprSyntax
    let end: End

    /// What the names say that the sample is.
    enum Expectation {
        case newest
        /// The newest by a name that also describes lists: `recent`, `last`.
        case perhapsNewest
        case oldest, unknown

        var isNewest: Bool { self == .newest || self == .perhapsNewest }
    }

    /// Returns the expectation that the names of the variable, the function and the callers express.
    func expectation(through calls: [KnownCall]) -> Expectation {
        var names: [String] = []
        if let bound = boundName { names.append(bound) }
        let function = node.enclosingFunction
        if let name = function.as(FunctionDeclSyntax.self)?.name.text {
            names.append(name)
        } else if let member = function.as(MemberBlockItemSyntax.self)?.decl
            .as(VariableDeclSyntax.self)?.bindings.first?.boundName
            ?? function.enclosing(PatternBindingSyntax.self)?.boundName
        {
            names.append(member)
        }
        names += calls.map { $0.function.name.text }
        var result = Expectation.unknown
        for name in names {
            switch Self.expectation(of: name) {
            case .oldest: return .oldest
            case .newest: result = .newest
            case .perhapsNewest where result == .unknown: result = .perhapsNewest
            default: break
            }
        }
        return result
    }

    private static func expectation(of name: String) -> Expectation {
        let words = name.camelCaseWords
        if words.contains(where: {
            ["earliest", "oldest", "first", "initial", "begin"].contains($0)
        }) {
            return .oldest
        }
        if words.contains(where: { ["latest", "newest"].contains($0) }) { return .newest }
        for (place, word) in words.enumerated() where ["last", "recent", "current"].contains(word) {
            let next = place + 1 < words.count ? words[place + 1] : ""
            let spans = [
                "week", "month", "day", "night", "year", "hour", "n", "x", "minute", "sync",
            ]
            guard !spans.contains(where: { next.hasPrefix($0) && (next.count < 8) }) else {
                continue
            }
            return place > 0 && words[place - 1] == "most" ? .newest : .perhapsNewest
        }
        return .unknown
    }

    private var boundName: String? {
        var current = Syntax(node)
        while let parent = current.parent {
            if let binding = parent.as(PatternBindingSyntax.self) { return binding.boundName }
            if let binding = parent.as(OptionalBindingConditionSyntax.self) {
                return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            }
            if let sequence = parent.as(SequenceExprSyntax.self),
                let assignment = Assignment(sequence)
            {
                return assignment.target.bare.lastName
            }
            if parent.is(CodeBlockItemSyntax.self) || parent.is(ClosureExprSyntax.self) {
                return nil
            }
            current = parent
        }
        return nil
    }

    /// Whether the function around it reads a number.
    var isShown: Bool {
        let function = node.enclosingFunction
        return function.contains("doubleValue") || function.contains("quantity")
    }
}

extension SourceFile {
    fileprivate var takenSamples: [TakenSample] {
        uses.memberAccesses.compactMap { member in
            let name = member.declName.baseName.text
            guard name == "first" || name == "last", let base = member.base,
                member.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id
                    != ExprSyntax(member).id,
                !member.isComparedWithNil
            else { return nil }
            return TakenSample(
                node: ExprSyntax(member), list: base, end: name == "first" ? .first : .last)
        }
    }
}

extension Target {
    /// Returns whether a list is used for nothing but its first or last sample.
    fileprivate func isOnlyTaken(_ list: ExprSyntax) -> Bool {
        guard let name = list.bare.ownName else { return true }
        return list.enclosingFunction.references(to: name).allSatisfy { reference in
            guard let member = reference.accessedMember else {
                return reference.isIdle || reference.alias != nil
                    || reference.parent?.is(OptionalBindingConditionSyntax.self) == true
            }
            return ["first", "last", "count", "isEmpty"].contains(member)
        }
    }
}

extension HealthQuery {
    /// The sort descriptors, or the whole query.
    fileprivate var orderNode: ExprSyntax {
        call.argument("sortDescriptors") ?? ExprSyntax(call)
    }
}

extension MemberAccessExprSyntax {
    fileprivate var isComparedWithNil: Bool {
        guard let list = parent?.as(ExprListSyntax.self) else { return false }
        return list.contains { $0.is(NilLiteralExprSyntax.self) }
    }
}

extension Syntax {
    /// Whether the function reads one page after the other.
    fileprivate var isPaging: Bool {
        let own = self.as(FunctionDeclSyntax.self)?.name.text
        return descendants.contains { node in
            if node.is(WhileStmtSyntax.self) || node.is(RepeatStmtSyntax.self) { return true }
            if let own, let call = node.as(FunctionCallExprSyntax.self), call.calledName == own {
                return true
            }
            guard case .identifier(let text) = node.as(TokenSyntax.self)?.tokenKind else {
                return false
            }
            return text != "anchorDate"
                && text.camelCaseWords.contains { Self.pagingWords.contains($0) }
        }
    }

    private static let pagingWords: Set<String> = [
        "page", "pages", "paging", "batch", "batches", "chunk", "cursor", "anchor", "after",
        "oldest", "sync", "synced", "upload",
    ]

    /// Whether the function is about one day or less.
    fileprivate var namesOneDay: Bool {
        contains("startOfDay") || mentions(word: "today") || mentions(word: "workout")
            || mentions(word: "night")
    }
}
