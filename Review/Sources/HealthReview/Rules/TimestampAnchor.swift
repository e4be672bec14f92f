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
        let function = call.enclosingFunction.as(FunctionDeclSyntax.self)
        let isGiven = function.map { function in
            target.calls(of: function).contains { site in
                target.storageLocations(of: start, arguments: site.arguments)
                    .contains { isLastSync($0, site.call, target) }
            }
        }
        if isGiven == true { return true }
        let times = StoredTimes(target)
        return times.sources(of: start).contains { source in
            if Self.isNamedLastSync(source, times, target) { return true }
            return target.storageLocations(of: source).contains { place in
                isLastSync(place, call, target) || isLastSyncOf(place, at: source, target)
            }
        }
    }

    /// Returns whether a place that a caller reads is set after the calling code.
    private func isLastSyncOf(
        _ place: StorageLocation, at source: ExprSyntax, _ target: Target
    ) -> Bool {
        guard case .key(let key) = place else { return false }
        return StoredTimes(target).isSet(key: key, around: source)
    }

    /// Returns whether a value's name says so: `settings.lastSync`, `api.lastSyncDate()`,
    /// `keychain.string(for: "lastSync")`. What the target declares must also be set to a time.
    private static func isNamedLastSync(
        _ source: ExprSyntax, _ times: StoredTimes, _ target: Target
    ) -> Bool {
        if let member = source.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.text
            guard member.base != nil, namesLastSync(name) || namesCursor(name) else { return false }
            return target.declares(member: name) ? times.isSet(member: name) : namesStrongly(name)
        }
        guard let call = source.as(FunctionCallExprSyntax.self), call.constructedName != "Date",
            let name = call.calledName
        else { return false }
        if namesStrongly(name) { return true }
        return call.arguments.contains { argument in
            guard ["for", "forKey", "key", "account", "named", nil].contains(argument.label?.text)
            else { return false }
            return target.constantText(of: argument.expression).map(namesStrongly) ?? false
        }
    }

    /// Returns whether a name means the last time of a transfer, and nothing else.
    private static func namesStrongly(_ name: String) -> Bool {
        let words = name.camelCaseWords
        return namesLastSync(name)
            && words.contains { word in transfers.contains { word.hasPrefix($0) } }
    }

    private static let transfers = [
        "sync", "upload", "fetch", "import", "export", "poll", "push", "pull", "sent", "download",
    ]

    /// Returns whether a name means a position: `cursor`, `syncedUntil`, `uploadWatermark`.
    private static func namesCursor(_ name: String) -> Bool {
        name.camelCaseWords.contains {
            [
                "cursor", "checkpoint", "watermark", "bookmark", "synced", "uploaded", "imported",
                "exported",
            ].contains($0)
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
        case .key(let key):
            return Self.namesLastSync(key) || isKeptAfter(key: key, call, target)
                || StoredTimes(target).isSet(key: key, around: call)
        case .file(let name): return Self.namesLastSync(name)
        case .path(let path):
            return path.split(separator: ".").contains { Self.namesLastSync(String($0)) }
        case .variable(_, let name):
            let last = name.split(separator: ".").last.map(String.init) ?? name
            let times = StoredTimes(target)
            return (Self.namesLastSync(last) || Self.namesCursor(last))
                && (isSetToNow(last, target) || times.isSet(member: last))
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
