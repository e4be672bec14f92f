import SwiftSyntax

/// Reports sleep time that is added up wrongly: with the time in bed or awake, over all sources, or
/// without the stages.
struct SummedSleep: Rule {
    let name = "sleep-sum"
    let summary = "sleep time that counts time in bed, time awake or two trackers, or no stages"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let files = target.files.filter { $0.mentionsSleep }
        guard !files.isEmpty else { return }
        let durations = SampleDurations(target, in: files)
        let finder = SleepSums(target, durations)
        var sums: [SleepSum] = []
        for file in target.files
        where file.mentionsSleep || !file.uses.names.isDisjoint(with: durations.models) {
            sums += finder.sums(in: file)
        }
        var reported: Set<SyntaxIdentifier> = []
        for sum in sums { review(sum, among: sums, &reported, target, &report) }
        for file in files { reviewLabels(file, &reported, target, &report) }
        if !target.files.contains(where: \.mentionsStages) {
            for file in files { reviewComparisons(file, reported, target, &report) }
        }
    }

    private func review(
        _ sum: SleepSum, among sums: [SleepSum], _ reported: inout Set<SyntaxIdentifier>,
        _ target: Target, _ report: inout Report
    ) {
        guard let file = target.file(of: sum.node) else { return }
        let function = sum.node.enclosingFunction
        let values = sum.values.map { _ in
            sums.filter { $0.scope.id == sum.scope.id && $0.name == sum.name && sum.name != nil }
                .reduce(into: sum.values ?? []) { $0.formUnion($1.values ?? []) }
        }
        let message: String
        if let values, let cause = Self.message(values, function) {
            message = cause
        } else if mergesOrChooses(sum)
            || values.map({ $0.isDisjoint(with: SleepValues.asleep) }) == true
        {
            return
        } else {
            message = Self.overlap
        }
        if reported.insert(function.id).inserted { report.add(message, at: sum.node, in: file) }
    }

    private static let overlap =
        "a night that two trackers recorded counts twice: merge overlapping intervals before adding "
        + "their lengths"

    private static func message(_ values: Set<Int>, _ function: Syntax) -> String? {
        let asleep = values.intersection(SleepValues.asleep)
        if asleep.isEmpty { return nil }
        if values.contains(SleepValues.inBed) {
            return "time in bed counts as sleep, and twice where both were recorded: add the "
                + "samples of `HKCategoryValueSleepAnalysis.allAsleepValues` only"
        }
        if values.contains(SleepValues.awake) {
            return "time awake counts as sleep: add the samples of "
                + "`HKCategoryValueSleepAnalysis.allAsleepValues` only"
        }
        return asleep == [SleepValues.unspecified] && !function.mentionsStages ? noStages : nil
    }

    private static let noStages =
        "nights with stages, as Apple Watch records them since iOS 16, have no sleep: take "
        + "`HKCategoryValueSleepAnalysis.allAsleepValues`"

    // MARK: - Sources

    /// Returns whether the code on the way merges intervals or chooses a source.
    private func mergesOrChooses(_ sum: SleepSum) -> Bool {
        let bodies = sum.path.passages + [sum.node.enclosingFunction]
        return bodies.contains { $0.merges || $0.choosesSource } || comparesWithLast(sum)
    }

    /// Returns whether the loop compares each start with an end that it keeps.
    private func comparesWithLast(_ sum: SleepSum) -> Bool {
        let kept = sum.scope.all(SequenceExprSyntax.self).compactMap { Assignment($0) }
            .filter { $0.operator == .plain }
        for assignment in kept {
            var root = assignment.target.bare
            while let base = root.as(MemberAccessExprSyntax.self)?.base?.bare, !base.isOwn {
                root = base
            }
            guard let name = root.ownName else { continue }
            let holdsEnd = assignment.value.contains { value in
                value.all(DeclReferenceExprSyntax.self).contains {
                    SampleDurations.isEnd($0.baseName.text)
                } || value.bare.is(DeclReferenceExprSyntax.self)
            }
            if holdsEnd && sum.scope.comparesStart(with: name) { return true }
        }
        return false
    }

    // MARK: - Comparisons

    private func reviewComparisons(
        _ file: SourceFile, _ reported: Set<SyntaxIdentifier>, _ target: Target,
        _ report: inout Report
    ) {
        var seen = reported
        for member in file.uses.memberAccesses
        where ["asleep", "asleepUnspecified"].contains(member.declName.baseName.text)
            && member.base?.bare.ownName == "HKCategoryValueSleepAnalysis"
            && member.selectsSamples
        {
            let function = member.enclosingFunction
            guard !function.handlesRawStages, seen.insert(function.id).inserted else { continue }
            report.add(Self.noStages, at: member, in: file)
        }
        for call in file.uses.callsByName["HKCategoryValueSleepAnalysis"] ?? [] {
            guard let member = call.comparedMember,
                ["asleep", "asleepUnspecified"].contains(member.declName.baseName.text),
                seen.insert(member.enclosingFunction.id).inserted
            else { continue }
            report.add(Self.noStages, at: member, in: file)
        }
        for comparison in file.comparisonsWithOldValue {
            let function = comparison.enclosingFunction
            guard !function.handlesRawStages, seen.insert(function.id).inserted else { continue }
            report.add(Self.noStages, at: comparison, in: file)
        }
    }
}

extension SourceFile {
    fileprivate var mentionsSleep: Bool {
        uses.names.contains("sleepAnalysis")
            || uses.names.contains("HKCategoryValueSleepAnalysis")
            || uses.names.contains("HKCategorySample")
    }

    /// Comparisons of a sample's value with 1, in functions about sleep.
    fileprivate var comparisonsWithOldValue: [SequenceExprSyntax] {
        let literals = Syntax(tree).all(IntegerLiteralExprSyntax.self).filter {
            $0.literal.text == "1"
        }
        return literals.compactMap { literal in
            guard let sequence = literal.parent?.parent?.as(SequenceExprSyntax.self),
                Syntax(literal).isComparedByEquality
            else { return nil }
            let parts = Array(sequence.elements)
            guard let place = parts.firstIndex(where: { $0.id == ExprSyntax(literal).id }),
                [place - 2, place + 2].contains(where: { other in
                    parts.indices.contains(other)
                        && parts[other].bare.as(MemberAccessExprSyntax.self)?
                            .declName.baseName.text == "value"
                }),
                ["HKCategoryValueSleepAnalysis", "sleepAnalysis"].contains(where: {
                    sequence.enclosingFunction.mentionsName($0)
                })
            else { return nil }
            return sequence
        }
    }

    fileprivate var mentionsStages: Bool { !uses.names.isDisjoint(with: SleepValues.ofStages) }
}

extension Syntax {
    fileprivate var mentionsStages: Bool {
        descendants.contains {
            $0.as(TokenSyntax.self).map { SleepValues.ofStages.contains($0.text) } ?? false
        }
    }

    /// Whether the code names the merging of intervals.
    fileprivate var merges: Bool {
        descendants.contains { node in
            guard case .identifier(let text) = node.as(TokenSyntax.self)?.tokenKind else {
                return false
            }
            let name = text.lowercased()
            return [
                "merg", "union", "overlap", "dedup", "duplicate", "coalesc", "flatten",
                "consolidat",
                "disjoint", "intersects", "covered",
            ].contains { name.contains($0) }
        }
    }

    /// Whether the code selects samples by their source: in a condition, a filter, a grouping, a
    /// sort or a predicate.
    fileprivate var choosesSource: Bool {
        descendants.contains { node in
            switch node.as(SyntaxEnum.self) {
            case .functionCallExpr(let call):
                switch call.calledName {
                case "predicateForObjects", "predicateForObject": return true
                case "filter", "first", "contains", "sorted", "removeAll", "Dictionary", "min",
                    "max", "allSatisfy":
                    return call.arguments.namesSource
                        || call.closures.contains { $0.namesSource }
                default: return false
                }
            case .conditionElement(let condition): return condition.namesSource
            case .whereClause(let condition): return condition.namesSource
            case .switchExpr(let choice): return choice.subject.namesSource
            case .subscriptCallExpr(let call): return call.arguments.namesSource
            default: return false
            }
        }
    }

    /// Returns whether a comparison or `max` inside uses a start and a named value.
    fileprivate func comparesStart(with name: String) -> Bool {
        descendants.contains { node in
            let isComparison: Bool
            if let call = node.as(FunctionCallExprSyntax.self) {
                isComparison = call.calledName == "max" || call.calledName == "timeIntervalSince"
            } else if let sequence = node.as(SequenceExprSyntax.self) {
                isComparison = sequence.elements.contains {
                    ["<", ">", "<=", ">="].contains(
                        $0.as(BinaryOperatorExprSyntax.self)?.operator.text)
                }
            } else {
                return false
            }
            guard isComparison, node.mentions(name) else { return false }
            return node.all(DeclReferenceExprSyntax.self).contains {
                SampleDurations.isStart($0.baseName.text)
            }
        }
    }

    /// Whether the code has the raw values of stages: 3, 4 or 5.
    fileprivate var handlesRawStages: Bool {
        all(IntegerLiteralExprSyntax.self).contains { ["3", "4", "5"].contains($0.literal.text) }
    }
}

extension SyntaxProtocol {
    fileprivate var namesSource: Bool {
        Syntax(self).descendants.contains { node in
            guard case .identifier(let text) = node.as(TokenSyntax.self)?.tokenKind else {
                return false
            }
            let name = text.lowercased()
            return name.contains("source") || name.contains("device") || name.contains("bundleid")
                || name.contains("iswatch") || name.contains("fromwatch")
        }
    }
}

extension MemberAccessExprSyntax {
    /// Whether a value is compared by `==`, or is the value of a predicate.
    fileprivate var selectsSamples: Bool {
        var node = Syntax(self)
        if let outer = parent?.as(MemberAccessExprSyntax.self),
            outer.declName.baseName.text == "rawValue"
        {
            node = Syntax(outer)
        }
        if let argument = node.parent?.as(LabeledExprSyntax.self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        {
            return call.calledName == "predicateForCategorySamples"
        }
        return node.isComparedByEquality
    }
}

extension Syntax {
    fileprivate var isComparedByEquality: Bool {
        guard let list = parent?.as(ExprListSyntax.self) else { return false }
        let elements = Array(list)
        guard let place = elements.firstIndex(where: { $0.id == ExprSyntax(self)?.id }) else {
            return false
        }
        return [place - 1, place + 1].contains { next in
            elements.indices.contains(next)
                && elements[next].as(BinaryOperatorExprSyntax.self)?.operator.text == "=="
        }
    }
}

extension FunctionCallExprSyntax {
    /// The member in `HKCategoryValueSleepAnalysis(rawValue: value) == .asleep`.
    fileprivate var comparedMember: MemberAccessExprSyntax? {
        guard let list = parent?.as(ExprListSyntax.self) else { return nil }
        let elements = Array(list)
        guard let place = elements.firstIndex(where: { $0.id == ExprSyntax(self).id }),
            elements.indices.contains(place + 2),
            elements[place + 1].as(BinaryOperatorExprSyntax.self)?.operator.text == "=="
        else { return nil }
        return elements[place + 2].as(MemberAccessExprSyntax.self)
    }
}
