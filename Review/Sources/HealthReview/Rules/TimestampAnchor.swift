import SwiftSyntax

/// Reports `predicateForSamples(withStart: lastSync, …)`, which misses samples that arrive late.
struct TimestampAnchor: Rule {
    let name = "timestamp-anchor"
    let summary = "a stored date of the last sync instead of an anchor"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let files = target.files.filter { $0.uses.names.contains("predicateForSamples") }
        guard !files.isEmpty else { return }
        for file in files {
            for call in file.uses.calls where call.calledName == "predicateForSamples" {
                guard let start = call.argument("withStart"), isLastSync(start, call, target)
                else {
                    continue
                }
                report.add(
                    "samples that arrive late with an earlier date are never seen, nor are deletions: keep the anchor of an HKAnchoredObjectQuery instead of a date",
                    at: start, in: file)
            }
        }
    }

    private func isLastSync(
        _ start: ExprSyntax, _ call: FunctionCallExprSyntax, _ target: Target
    ) -> Bool {
        let places = target.storageLocations(of: start)
        if !places.isEmpty { return places.contains { isLastSync($0, call, target) } }
        if isUnderVaryingKey(start, target) { return true }
        if let name = start.bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            Self.namesLastSync(name)
        {
            return isSetToNow(name, target)
        }
        guard let function = call.enclosingFunction.as(FunctionDeclSyntax.self) else {
            return false
        }
        return target.calls(of: function).contains { site in
            target.storageLocations(of: start, arguments: site.arguments)
                .contains { isLastSync($0, site.call, target) }
        }
    }

    /// Returns whether the date is stored under a key per type:
    /// `defaults.object(forKey: "lastSync-\(type)")`.
    private func isUnderVaryingKey(_ start: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: start).contains { origin in
            guard let key = origin.as(FunctionCallExprSyntax.self)?.argument("forKey") else {
                return false
            }
            return key.all(StringSegmentSyntax.self).contains {
                Self.namesLastSync($0.content.text)
            }
        }
    }

    private func isLastSync(
        _ place: StorageLocation, _ call: FunctionCallExprSyntax, _ target: Target
    ) -> Bool {
        switch place {
        case .key(let key): return Self.namesLastSync(key) || isKeptAfter(key: key, call, target)
        case .file(let name): return Self.namesLastSync(name)
        case .path(let path):
            return path.split(separator: ".").contains { Self.namesLastSync(String($0)) }
        case .variable(_, let name):
            let last = name.split(separator: ".").last.map(String.init) ?? name
            return Self.namesLastSync(last) && isSetToNow(last, target)
                || isSetToNow(last, target, after: call)
        }
    }

    /// Returns whether a name means the time of a fetch: `lastSync`, `last_sync_date`,
    /// `previousFetch`.
    private static func namesLastSync(_ name: String) -> Bool {
        let words = name.camelCaseWords
        guard words.contains("last") || words.contains("previous") || words.contains("latest")
        else {
            return false
        }
        return words.contains { word in fetching.contains { word.hasPrefix($0) } }
    }

    private static let fetching = [
        "sync", "fetch", "import", "update", "upload", "refresh", "quer", "read", "export", "poll",
        "load", "check", "process", "seen", "anchor", "run", "sample", "download", "pull", "push",
        "sent",
    ]

    /// Returns whether a variable is set to the current time or a sample's date: anywhere, or in
    /// the same function after the predicate.
    private func isSetToNow(
        _ name: String, _ target: Target, after call: FunctionCallExprSyntax? = nil
    ) -> Bool {
        let scope = call?.enclosingFunction
        let assignments =
            (target.index.assignments[name] ?? []) + (target.index.memberAssignments[name] ?? [])
        return assignments.contains { assignment in
            if let call, let scope {
                guard assignment.node.isInside(scope), assignment.node.position > call.position
                else { return false }
            }
            return assignment.value.contains { isTime($0, target) }
        }
    }

    private func isKeptAfter(
        key: String, _ call: FunctionCallExprSyntax, _ target: Target
    ) -> Bool {
        let scope = call.enclosingFunction
        return scope.all(FunctionCallExprSyntax.self).contains { other in
            guard other.position > call.position, let stored = other.argument("forKey"),
                let value = other.unlabelledArgument(0)
            else { return false }
            return target.constantText(of: stored) == key && isTime(value, target)
        }
    }

    /// Returns whether the expression is such a date: `Date()`, `.now`,
    /// `Date().timeIntervalSince1970`, `samples.last?.endDate`.
    private func isTime(_ expression: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: expression).contains { origin in
            var node = origin.bare
            while let member = node.as(MemberAccessExprSyntax.self) {
                if ["now", "endDate", "startDate"].contains(member.declName.baseName.text) {
                    return true
                }
                guard let base = member.base?.bare else { return false }
                node = base
            }
            guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
            return call.constructedName == "Date" && call.arguments.isEmpty
        }
    }
}
