import HealthEngine
import SwiftSyntax

/// Rows that nothing in a table names: the types that get the unit or the options of its `default`.
extension Target {
    /// Returns a row for each type that the target passes to a table keyed by types and that no
    /// branch of it names.
    func rows(ofDefault table: MetricTable) -> [MetricRow] {
        guard let fallback = table.fallback, let owner = table.owner else { return [] }
        let listed = table.entries.map { keyedType($0.key, table) }
        guard listed.allSatisfy({ $0 != nil }) else { return [] }
        let names = Set(listed.compactMap { $0?.name })
        var seen: Set<String> = []
        return passedTypes(to: owner).filter {
            $0.kind == .quantity && !names.contains($0.name) && seen.insert($0.name).inserted
        }.compactMap { row($0, fallback) }
    }

    /// Returns a row for each type whose key one table has and the only other one, of units or
    /// options, hasn't.
    func rows(ofDefaults tables: [MetricTable], _ types: [String: SampleType]) -> [MetricRow] {
        let measures = tables.filter { table in
            table.entries.allSatisfy { $0.value.optionNames != nil || unit(of: $0.value) != nil }
        }
        guard measures.count == 1, tables.count == 2, let table = measures.first,
            let fallback = table.fallback
        else { return [] }
        let keys = Set(table.entries.map(\.key.keyText))
        // Tables of other names, such as of units, have no keys in common.
        guard keys.count < 2 * keys.intersection(types.keys).count else { return [] }
        return types.filter { !keys.contains($0.key) && $0.value.kind == .quantity }
            .sorted { $0.key < $1.key }.compactMap { row($0.value, fallback) }
    }

    /// Returns the types that reach a function with one parameter, or a member of HealthKit's types.
    private func passedTypes(to owner: Syntax) -> [SampleType] {
        if let function = owner.as(FunctionDeclSyntax.self) {
            let parameters = function.signature.parameterClause.parameters
            guard parameters.count == 1, let parameter = parameters.first else { return [] }
            return calls(of: function).prefix(40).filter { !$0.call.isCheckedForUnit }.flatMap {
                $0.argument(for: parameter).map { namedTypes($0) } ?? []
            }
        }
        guard let name = owner.as(PatternBindingSyntax.self)?.boundName,
            ["HKQuantityType", "HKQuantityTypeIdentifier", "HKSampleType", "HKObjectType"]
                .contains(owner.enclosingTypeName)
        else { return [] }
        return (index.accesses[name] ?? []).prefix(40).filter { !$0.isCheckedForUnit }.flatMap {
            $0.base.map { namedTypes($0) } ?? []
        }
    }

    /// Returns the types that an expression may be, also of `type.identifier` and
    /// `sample.quantityType`.
    private func namedTypes(_ expression: ExprSyntax) -> [SampleType] {
        var bare = expression.bare
        while let member = bare.as(MemberAccessExprSyntax.self), let base = member.base {
            switch member.declName.baseName.text {
            case "identifier", "rawValue": bare = base.bare
            case "quantityType", "sampleType":
                return sampleOrigins(of: base).flatMap(\.types.known)
            default: return sampleTypes(of: bare).known + identifiedTypes(of: bare).known
            }
        }
        return sampleTypes(of: bare).known + identifiedTypes(of: bare).known
    }
}

extension SyntaxProtocol {
    /// Whether the function around asks `is(compatibleWith:)`.
    fileprivate var isCheckedForUnit: Bool {
        Syntax(enclosingFunction).descendants.contains {
            $0.as(LabeledExprSyntax.self)?.label?.text == "compatibleWith"
        }
    }
}
