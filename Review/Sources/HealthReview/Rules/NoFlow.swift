import HealthEngine
import SwiftSyntax

/// Reports menstrual flow samples whose value is never looked at, so that "no flow" is bleeding.
struct NoFlow: Rule {
    let name = "no-flow"
    let summary = "menstrual flow samples counted without their value, which may be none"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.mentions("menstrualFlow") else { return }
        for file in target.files where file.importsHealthKit {
            for query in file.queries where [.sample, .anchored].contains(query.kind) {
                let function = query.call.enclosingFunction
                guard target.types(of: query).areAll({ $0.name == "menstrualFlow" }),
                    function.readsDates || query.call.argument("limit")?.shortText != "1",
                    !function.deletesSamples, !function.asksForCycleStarts
                else { continue }
                if target.looksAtFlow { return }
                report.add(
                    "a day recorded as without flow counts as bleeding: leave out samples whose "
                        + "value is `.none`", at: query.call, in: file)
                return
            }
        }
    }
}

extension Target {
    /// Whether code about menstruation reads values of samples, or filters by them.
    fileprivate var looksAtFlow: Bool {
        var kept: [String: Int] = [:]
        for file in files where file.isAboutFlow {
            if file.uses.names.contains("predicateForCategorySamples") { return true }
            for access in file.uses.memberAccesses
            where access.declName.baseName.text == "value" && access.base != nil
                && !access.enclosingFunction.isAboutOtherValues
            {
                guard let label = keptAs(access) else { return true }
                kept[label, default: 0] += 1
            }
        }
        return kept.contains { label, count in
            let reads = files.flatMap(\.uses.memberAccesses).filter {
                $0.declName.baseName.text == label && $0.base?.bare.isOwn == false
            }
            return reads.count > (label == "value" ? count : 0)
        }
    }

    /// Returns the label if a value is only kept, in `FlowDay(value: sample.value)`, of a type that
    /// isn't encoded.
    private func keptAs(_ access: MemberAccessExprSyntax) -> String? {
        guard let argument = access.parent?.as(LabeledExprSyntax.self),
            let label = argument.label?.text,
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            let type = call.constructedName, !types(type).isEmpty,
            inherited(by: type).isDisjoint(with: ["Codable", "Encodable"])
        else { return nil }
        let isUsedInside = types(type).contains { block in
            Syntax(block.node).all(DeclReferenceExprSyntax.self).contains {
                $0.baseName.text == label
            }
        }
        return isUsedInside ? nil : label
    }
}

extension SourceFile {
    /// Whether a name of the file is about menstruation.
    fileprivate var isAboutFlow: Bool {
        uses.names.contains { name in
            let plain = name.lowercased()
            return ["flow", "bleed", "menstru", "period"].contains { plain.contains($0) }
        }
    }
}

extension Syntax {
    fileprivate var readsDates: Bool { takesMember("startDate") || takesMember("endDate") }

    fileprivate var deletesSamples: Bool {
        all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "delete" || $0.calledName == "deleteObjects"
        }
    }

    /// Whether samples are chosen by the mark of a cycle's first day, in a condition or predicate.
    fileprivate var asksForCycleStarts: Bool {
        references(to: "HKMetadataKeyMenstrualCycleStart").contains { node in
            if node.enclosing(ConditionElementListSyntax.self) != nil { return true }
            guard let call = node.enclosing(ClosureExprSyntax.self)?.receivingCall else {
                return isPredicate(node)
            }
            return isPredicate(node)
                || ["filter", "first", "last", "contains", "firstIndex"].contains(call.calledName)
        }
    }

    private func isPredicate(_ node: Syntax) -> Bool {
        let call = node.enclosing(FunctionCallExprSyntax.self)
        return call?.calledName?.hasPrefix("predicate") == true
            || call?.calledName == "NSPredicate"
    }

    /// Whether code is about the values of other category types.
    fileprivate var isAboutOtherValues: Bool {
        let names = all(DeclReferenceExprSyntax.self).map(\.baseName.text).filter {
            $0.hasPrefix("HKCategoryValue")
        }
        return !names.isEmpty
            && !names.contains { $0.contains("MenstrualFlow") || $0.contains("VaginalBleeding") }
    }
}
