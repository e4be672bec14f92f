import HealthEngine
import SwiftSyntax

/// Reports steps, energy or distance summed sample by sample.
struct SummedSamples: Rule {
    let name = "summed-samples"
    let summary = "raw samples of a cumulative type added up, which counts two devices twice"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("doubleValue") {
            for name in ["reduce", "sum", "total"] {
                for call in file.uses.callsByName[name] ?? [] {
                    if let type = summedType(call, target) { add(type, at: call, file, &report) }
                }
            }
            for assignment in file.uses.assignments {
                if let type = summedType(assignment, target) {
                    add(type, at: assignment.node, file, &report)
                }
            }
        }
    }

    private func add(
        _ type: String, at node: some SyntaxProtocol, _ file: SourceFile, _ report: inout Report
    ) {
        guard Self.isOfDevices(type) else {
            return report.add(
                "\(type) that two apps both wrote counts twice: use a statistics query with "
                    + "`.cumulativeSum`, which chooses one source at a time",
                at: node, in: file, severity: .note)
        }
        report.add(
            "\(type) that watch and phone both recorded counts twice: use a statistics query with "
                + "`.cumulativeSum`, which merges them",
            at: node, in: file)
    }

    /// Returns whether two devices record the type at once, as phone and watch do. What people
    /// enter, such as food, water or insulin, is there twice only where an app copies from another.
    private static func isOfDevices(_ type: String) -> Bool {
        type == "energy" || type.hasPrefix("distance") || deviceTypes.contains(type)
    }

    private static let deviceTypes: Set<String> = [
        "stepCount", "flightsClimbed", "activeEnergyBurned", "basalEnergyBurned",
        "appleExerciseTime", "appleStandTime", "appleMoveTime", "pushCount",
        "swimmingStrokeCount",
    ]

    // MARK: - reduce and sum

    private func summedType(_ call: FunctionCallExprSyntax, _ target: Target) -> String? {
        guard
            let list = call.base.flatMap({ $0.isAccelerate ? nil : $0 })
                ?? call.unlabelledArgument(0),
            !list.isOfOneCorrelation
        else { return nil }
        if let closure = call.closures.first {
            let measured = closure.all(FunctionCallExprSyntax.self).filter { isMeasure($0) }
            if !measured.isEmpty {
                guard call.calledName != "reduce" || closure.adds else { return nil }
                return measured.lazy.compactMap { cumulativeType($0, target) }.first
            }
            return mappedType(list, target) { measure in
                closure.adds && closure.addsWhat(isMadeIn: measure)
            }
        }
        guard
            call.base == nil || call.calledName != "reduce"
                || call.arguments.last?.expression.shortText == "+"
        else { return nil }
        return mappedType(list, target) { measure in measure.resultIsNumber }
    }

    /// Returns the type of samples whose values were put into a list.
    private func mappedType(
        _ list: ExprSyntax, _ target: Target, _ isSummed: (ClosureExprSyntax) -> Bool
    ) -> String? {
        let origins = target.sampleOrigins(of: list)
        if origins.isEmpty { return mappedEnergy(list, target, isSummed) }
        guard let measure = origins.first?.measures.last, isSummed(measure),
            let call = measure.all(FunctionCallExprSyntax.self).first(where: { isMeasure($0) })
        else { return nil }
        return cumulativeType(of: origins, unit: call.argument("for"), target)
    }

    /// Returns the type for `samples.map { $0.quantity.doubleValue(for: .kilocalorie()) }` where
    /// the samples come from another module.
    private func mappedEnergy(
        _ list: ExprSyntax, _ target: Target, _ isSummed: (ClosureExprSyntax) -> Bool
    ) -> String? {
        for origin in target.origins(of: list) {
            guard let call = origin.as(FunctionCallExprSyntax.self),
                ["map", "compactMap"].contains(call.calledName), let closure = call.closures.first,
                isSummed(closure),
                let measure = closure.all(FunctionCallExprSyntax.self).first(where: {
                    isMeasure($0)
                })
            else { continue }
            return unknownEnergy(measure, target)
        }
        return nil
    }

    // MARK: - Loops

    private func summedType(_ assignment: Assignment, _ target: Target) -> String? {
        guard let terms = assignment.addedTerms else { return nil }
        if let closure = assignment.node.enclosing(ClosureExprSyntax.self),
            let sum = closure.parameter(0), closure.receivingCall?.calledName == "reduce",
            assignment.target.mentions(sum)
        {
            return nil  // The `reduce` is reported instead.
        }
        if assignment.target.mentionsSource || isInBranchOfSource(assignment.node) { return nil }
        if assignment.node.enclosing(ForStmtSyntax.self)?.sequence.isOfOneCorrelation == true {
            return nil
        }
        for term in terms {
            for call in measures(in: term, target) {
                let origins = origins(ofMeasure: call, target)
                if origins.isEmpty, let type = unknownEnergy(call, target) { return type }
                guard origins.contains(where: \.isElement) else { continue }
                if let type = cumulativeType(of: origins, unit: call.argument("for"), target) {
                    return type
                }
            }
        }
        return nil
    }

    /// Returns the calls of `doubleValue(for:)` in a term, or in the expressions it derives from.
    private func measures(in term: ExprSyntax, _ target: Target) -> [FunctionCallExprSyntax] {
        let written = term.all(FunctionCallExprSyntax.self).filter { isMeasure($0) }
        if !written.isEmpty { return written }
        return target.origins(of: term).compactMap { $0.as(FunctionCallExprSyntax.self) }
            .filter { isMeasure($0) }
    }

    /// Returns whether an `if` between the sum and its loop checks the source.
    private func isInBranchOfSource(_ node: SequenceExprSyntax) -> Bool {
        var place = node.parent
        while let current = place {
            switch current.as(SyntaxEnum.self) {
            case .ifExpr(let branch): if branch.conditions.mentionsSource { return true }
            case .codeBlockItemList(let items):
                for item in items where item.position < node.position {
                    if let guardStatement = item.item.as(GuardStmtSyntax.self),
                        guardStatement.conditions.mentionsSource
                    {
                        return true
                    }
                }
            case .functionDecl, .initializerDecl: return false
            default: break
            }
            place = current.parent
        }
        return false
    }

    // MARK: - Measured values

    private func isMeasure(_ call: FunctionCallExprSyntax) -> Bool {
        call.calledName == "doubleValue" && call.argument("for") != nil && call.base != nil
    }

    private func origins(
        ofMeasure call: FunctionCallExprSyntax, _ target: Target
    ) -> [SampleOrigin] {
        call.base.map { target.sampleOrigins(of: $0) } ?? []
    }

    private func cumulativeType(_ call: FunctionCallExprSyntax, _ target: Target) -> String? {
        let origins = origins(ofMeasure: call, target)
        if origins.isEmpty { return unknownEnergy(call, target) }
        return cumulativeType(of: origins, unit: call.argument("for"), target)
    }

    /// Returns the type for `$1.quantity.doubleValue(for: .kilocalorie())` on elements from another
    /// module. Only quantity samples have a `quantity`, unless the target declares such a member.
    private func unknownEnergy(_ call: FunctionCallExprSyntax, _ target: Target) -> String? {
        guard let member = call.base?.bare.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "quantity", let sample = member.base?.bare,
            let name = sample.ownName, let list = collection(of: name, at: sample, target),
            isFromElsewhere(list, target), !target.declares(member: "quantity"),
            measuresOnlyCumulative(call.argument("for"), target)
        else { return nil }
        return "energy"
    }

    /// Returns whether a list comes from a function that isn't in the target.
    private func isFromElsewhere(_ list: ExprSyntax, _ target: Target) -> Bool {
        let origins = target.origins(of: list)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                guard let call = origin.as(FunctionCallExprSyntax.self), !call.mentionsSource,
                    let name = call.calledName, !name.lowercased().contains("workout"),
                    !call.arguments.contains(where: {
                        $0.trimmedDescription.lowercased().contains("workout")
                    })
                else { return false }
                return call.base == nil || call.base?.bare.ownName != nil
            }
    }

    /// Returns the collection that a name is an element of.
    private func collection(of name: String, at node: ExprSyntax, _ target: Target) -> ExprSyntax? {
        switch target.binding(name, at: node) {
        case .element(let list, _): list
        case .closureParameter(let closure, let place): closure.collection(ofParameter: place)
        default: nil
        }
    }

    private func measuresOnlyCumulative(_ unit: ExprSyntax?, _ target: Target) -> Bool {
        guard let unit = unit.flatMap({ target.unit(of: $0) }) else { return false }
        let measurable = Catalogue.quantityTypes(measuredIn: unit)
        return !measurable.isEmpty && measurable.allSatisfy(\.isCumulative)
    }

    /// Returns the type's name if all origins are raw samples of cumulative types, from any source.
    private func cumulativeType(
        of origins: [SampleOrigin], unit: ExprSyntax?, _ target: Target
    ) -> String? {
        var types = PossibleTypes()
        for origin in origins {
            guard origin.kind == .rawSamples, !origin.isOfSomeSources else { return nil }
            types.add(origin.types)
        }
        if origins.isEmpty || types.known.contains(where: { !$0.isCumulative }) { return nil }
        if types.isComplete { return types.known.first?.name }
        return measuresOnlyCumulative(unit, target) ? "energy" : nil
    }
}

extension ExprSyntax {
    fileprivate var isAccelerate: Bool { bare.ownName == "vDSP" }
}

extension ClosureExprSyntax {
    /// Whether the closure adds: `$0 + …`, `$0 += …`.
    fileprivate var adds: Bool {
        Syntax(self).descendants.contains {
            let text = $0.as(BinaryOperatorExprSyntax.self)?.operator.text
            return text == "+" || text == "+="
        }
    }

    /// Whether a closure of `map` returns the number itself: `$0.quantity.doubleValue(for: unit)`,
    /// possibly with arithmetic, and not a value that contains it.
    fileprivate var resultIsNumber: Bool {
        !Syntax(self).descendants.contains { node in
            guard let argument = node.as(LabeledExprSyntax.self) else { return false }
            return argument.expression.takesMember("doubleValue")
                && !["Int", "Double", "Float"].contains(
                    argument.parent?.parent?.as(FunctionCallExprSyntax.self)?.calledName ?? "")
        }
    }

    /// Returns whether a `reduce` adds the value that a closure of `map` created: the number
    /// itself, or the member with its name.
    fileprivate func addsWhat(isMadeIn measure: ClosureExprSyntax) -> Bool {
        if measure.resultIsNumber { return true }
        let labels = Syntax(measure).descendants.compactMap { node -> String? in
            guard let argument = node.as(LabeledExprSyntax.self),
                argument.expression.takesMember("doubleValue")
            else { return nil }
            return argument.label?.text
        }
        return labels.contains { self.takesMember($0) }
    }
}

extension ExprSyntax {
    /// Whether the samples belong to one correlation: `meal.objects(for: energy)`, filtered or
    /// mapped. They were saved together, so no second device recorded them.
    fileprivate var isOfOneCorrelation: Bool {
        var expression = bare
        for _ in 0..<16 {
            guard let call = expression.as(FunctionCallExprSyntax.self), let base = call.base else {
                return false
            }
            if call.calledName == "objects", call.argument("for") != nil { return true }
            expression = base.bare
        }
        return false
    }
}
