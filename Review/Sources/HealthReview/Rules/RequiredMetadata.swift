import HealthEngine
import SwiftSyntax

/// Reports samples that are made without the metadata that HealthKit requires for their type.
struct RequiredMetadata: Rule {
    let name = "required-metadata"
    let summary = "a sample without the metadata that its type requires, which ends the app"
    let severity = Severity.error

    private static let classes: Set<String> = [
        "HKCategorySample", "HKQuantitySample", "HKCumulativeQuantitySample",
    ]

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for name in Self.classes.sorted() + ["init"] {
                for call in file.uses.callsByName[name] ?? [] {
                    review(call, file, target, &report)
                }
            }
        }
    }

    private func review(
        _ call: FunctionCallExprSyntax, _ file: SourceFile, _ target: Target,
        _ report: inout Report
    ) {
        guard Self.classes.contains(call.constructedName ?? call.impliedName ?? ""),
            let expression = call.argument("type")
        else { return }
        let metadata = call.argument("metadata")
        let types = target.sampleTypes(of: expression)
        if types.isComplete, types.known.count == 1 {
            let type = types.known[0]
            let callers = callers(deciding: metadata, target)
            guard callers.isEmpty else {
                for (caller, given) in callers {
                    review(type, given, at: caller, target, &report)
                }
                return
            }
            return review(type, metadata, at: call, target, &report)
        }
        reviewCallers(deciding: expression, metadata, of: call, target, &report)
    }

    /// Reports a call if the metadata lacks a key that the type requires.
    private func review(
        _ type: SampleType, _ metadata: ExprSyntax?, at call: FunctionCallExprSyntax,
        _ target: Target, _ report: inout Report
    ) {
        guard let file = target.file(of: call) else { return }
        for key in type.requiredMetadata.map({ RequiredKey($0) })
        where key.isMissing(in: metadata, of: call, target) {
            report.add(
                "HealthKit ends the app when \(type.name) is saved without `\(key.constant)`: set "
                    + "it on every sample", at: call, in: file)
        }
    }

    /// Returns the calls of a function whose parameter is the metadata, each with its argument.
    private func callers(
        deciding metadata: ExprSyntax?, _ target: Target
    ) -> [(FunctionCallExprSyntax, ExprSyntax?)] {
        guard let metadata, case .parameter(let parameter) = target.binding(of: metadata),
            let function = parameter.function
        else { return [] }
        return target.calls(of: function).map { ($0.call, $0.argument(for: parameter)) }
    }

    /// Reviews the calls of a function whose parameter decides the sample's type.
    private func reviewCallers(
        deciding type: ExprSyntax, _ metadata: ExprSyntax?, of call: FunctionCallExprSyntax,
        _ target: Target, _ report: inout Report
    ) {
        guard let parameter = parameter(deciding: type, target),
            let function = parameter.function
        else { return }
        for known in target.calls(of: function) {
            guard let argument = known.argument(for: parameter) else { continue }
            let named = target.identifiedTypes(of: argument)
            let types = named.areKnown ? named : target.sampleTypes(of: argument)
            guard types.isComplete, types.known.count == 1,
                !types.known[0].requiredMetadata.contains(where: {
                    RequiredKey($0).isMentioned(in: function)
                })
            else { continue }
            var given = metadata
            if let metadata, case .parameter(let own) = target.binding(of: metadata) {
                guard own.function?.id == function.id else { continue }
                given = known.argument(for: own)
                if target.isChanged(metadata, in: function) { continue }
                review(types.known[0], given, at: known.call, target, &report)
            } else if let key = types.known[0].requiredMetadata.first.map({ RequiredKey($0) }),
                key.isMissing(in: given, of: call, target)
            {
                review(types.known[0], nil, at: known.call, target, &report)
            }
        }
    }

    /// Returns the parameter that is the type, or the identifier that the type is made of.
    private func parameter(
        deciding type: ExprSyntax, _ target: Target
    ) -> FunctionParameterSyntax? {
        if case .parameter(let parameter) = target.binding(of: type) { return parameter }
        let origins = target.origins(of: type, calls: .notFollowed)
        guard origins.count == 1 else { return nil }
        let made = origins[0].as(FunctionCallExprSyntax.self)
        let identifier = made?.unlabelledArgument(0) ?? made?.argument("forIdentifier")
        guard case .parameter(let parameter) = target.binding(of: identifier ?? origins[0]) else {
            return nil
        }
        return parameter
    }
}

extension Target {
    /// Returns whether a function gives its metadata parameter another value, under the same name.
    fileprivate func isChanged(_ metadata: ExprSyntax, in function: FunctionDeclSyntax) -> Bool {
        guard let name = metadata.bare.ownName else { return false }
        return function.all(SequenceExprSyntax.self).compactMap { Assignment($0) }.contains {
            $0.target.bare.ownName == name
                || $0.target.as(SubscriptCallExprSyntax.self)?.calledExpression.bare.ownName == name
        }
    }
}
