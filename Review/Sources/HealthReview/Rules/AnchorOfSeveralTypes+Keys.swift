import HealthEngine
import SwiftSyntax

/// Keys of stored anchors that several types share: made of a class's name, or of a group's.
extension AnchorOfSeveralTypes {
    func reviewKeys(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for call in file.uses.callsByName["type"] ?? [] where target.namesClass(call) {
                report.add(
                    "all quantity types have the same class, and so one anchor here: use "
                        + "`type.identifier` in the key", at: call, in: file)
            }
            for text in file.uses.strings where text.isAnchorKey {
                guard let pair = target.casesWithOneKey(text) else { continue }
                report.add(
                    "\(pair.0) and \(pair.1) have the same key, and each skips changes that came "
                        + "with the other: keep one anchor for each type", at: text, in: file)
            }
        }
    }
}

extension StringLiteralExprSyntax {
    /// Whether the text is a key for an anchor and has a value inside.
    fileprivate var isAnchorKey: Bool {
        segments.count > 1 && segments.description.lowercased().contains("anchor")
    }
}

extension Target {
    /// Returns whether a call gives the class of a type of samples, as a part of an anchor's key:
    /// `"anchor.\(type(of: sampleType))"`.
    fileprivate func namesClass(_ call: FunctionCallExprSyntax) -> Bool {
        let bases = [nil, "Swift"]
        guard let value = call.argument("of"), bases.contains(call.base?.trimmedDescription),
            let name = typeName(of: value),
            [
                "HKSampleType", "HKObjectType", "HKQuantityType", "HKSample", "HKQuantitySample",
                "HKCategoryType", "HKCategorySample",
            ].contains(name)
        else { return false }
        var node = Syntax(call)
        var isText = false
        while let outer = node.parent, !outer.is(MemberBlockItemSyntax.self) {
            if outer.is(ExpressionSegmentSyntax.self) { isText = true }
            if outer.as(FunctionCallExprSyntax.self)?.calledName == "String" { isText = true }
            node = outer
        }
        guard isText, !Syntax(call).isLogEntry else { return false }
        let function = call.enclosingFunction
        return function.all(TokenSyntax.self).contains { $0.text.lowercased().contains("anchor") }
    }

    /// Returns two cases of an enum, with types of their own, for which a key has the same text.
    fileprivate func casesWithOneKey(_ key: StringLiteralExprSyntax) -> (String, String)? {
        let parts = key.segments.compactMap {
            $0.as(ExpressionSegmentSyntax.self)?.expressions.first?.expression.bare
        }
        for part in parts {
            guard var member = part.as(MemberAccessExprSyntax.self) else { continue }
            if member.declName.baseName.text == "rawValue",
                let inner = member.base?.bare.as(MemberAccessExprSyntax.self)
            {
                member = inner
            }
            guard let base = member.base, let type = typeName(of: base),
                isDeclared(type, as: [.enum])
            else { continue }
            let others = parts.filter { $0.id != part.id && $0.mentions(base.trimmedDescription) }
            guard others.isEmpty,
                case .variable(let binding, _) = self.member(
                    member.declName.baseName.text, of: type),
                let getter = binding.getterStatements
            else { continue }
            if let pair = casesWithOneValue(type, getter) { return pair }
        }
        return nil
    }

    private func casesWithOneValue(
        _ type: String, _ key: CodeBlockItemListSyntax
    ) -> (String, String)? {
        let blocks = types(type)
        let names = [
            "HKQuantityTypeIdentifier", "HKQuantityType", "HKSampleType", "HKObjectType",
            "HKCategoryTypeIdentifier",
        ]
        guard
            let sampled = blocks.lazy.flatMap(\.variables).map(\.binding).first(where: {
                names.contains($0.declaredTypeName ?? "") && $0.getterStatements != nil
            })?.getterStatements
        else { return nil }
        let cases = blocks.flatMap { block in
            block.node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
                .flatMap(\.elements)
        }
        var found: [String: (name: String, type: SampleType)] = [:]
        for element in cases.prefix(100) {
            let value = CaseValue(target: self, type: type, name: element.name.text)
            guard let own = value.result(of: sampled)?.value, let text = value.result(of: key),
                text.value.is(MemberAccessExprSyntax.self) || text.value.plainString != nil
            else { continue }
            let known = sampleTypes(of: own).known + identifiedTypes(of: own).known
            guard known.count == 1 else { continue }
            let key = text.value.trimmedDescription
            if let other = found[key], other.type.name != known[0].name {
                return (other.type.name, known[0].name)
            }
            found[key] = (element.name.text, known[0])
        }
        return nil
    }
}
