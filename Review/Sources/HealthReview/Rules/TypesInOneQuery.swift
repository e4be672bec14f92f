import HealthEngine
import SwiftSyntax

/// Reports one query for two or more types.
struct TypesInOneQuery: Rule {
    let name = "types-in-one-query"
    let summary = "several types in one query, where one that may not be read costs the others"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for query in file.queries {
                let list =
                    query.call.argument("queryDescriptors") ?? query.call.argument("predicates")
                guard list != nil else { continue }
                let types = distinctTypes(target.parts(of: query), target)
                if types.count < 2 { continue }
                add(query, types, file, &report)
            }
        }
    }

    private func add(
        _ query: HealthQuery, _ types: [String], _ file: SourceFile, _ report: inout Report
    ) {
        let named = types.prefix(3).joined(separator: ", ") + (types.count > 3 ? ", …" : "")
        if query.kind == .observer {
            report.add(
                "what goes wrong with one of \(named) silences the others: execute an observer for "
                    + "each",
                at: query.call, in: file)
        } else {
            report.add(
                "one of \(named) that may not be read can leave all without an answer: give each its "
                    + "own query",
                at: query.call, in: file)
        }
    }

    /// Returns the types that are certainly requested and different. A type that can't be resolved
    /// counts under its name in the code.
    private func distinctTypes(_ parts: [QueryPart], _ target: Target) -> [String] {
        var names: [String] = []
        for part in parts {
            guard let name = name(of: part, target), !names.contains(name) else { continue }
            names.append(name)
        }
        return names
    }

    private func name(of part: QueryPart, _ target: Target) -> String? {
        if part.types.areKnown, part.types.known.count == 1 { return part.types.known[0].name }
        guard let type = part.type else { return nil }
        let origins = target.origins(of: type)
        return origins.count == 1 ? origins[0].ownName : nil
    }
}
