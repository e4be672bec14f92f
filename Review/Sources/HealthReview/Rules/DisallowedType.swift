import HealthEngine
import SwiftSyntax

/// Reports correlation types where HealthKit refuses them, and types that only the system writes in
/// the set to share.
struct DisallowedType: Rule {
    let name = "disallowed-type"
    let summary = "a type that can't be asked for, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        var seen: Set<SyntaxIdentifier> = []
        for file in target.files {
            for call in file.uses.calls where call.asksForTypes {
                let share = call.shareArgument.map { target.requestedElements(ofSet: $0) } ?? []
                let read = call.readArgument.map { target.requestedElements(ofSet: $0) } ?? []
                for element in share + read {
                    let bad = element.places { $0.kind == .correlation }
                    add(bad, &seen, target, &report) {
                        "HealthKit ends the app when it is asked for a correlation type: ask for "
                            + "\($0.contents) instead of \($0.name)"
                    }
                }
                for element in share where !element.isLookedUp {
                    let bad = element.places { Self.readOnly.contains($0.name) }
                    add(bad, &seen, target, &report) {
                        "HealthKit ends the app when it is asked to share \($0.name), which only "
                            + "the system writes: ask to read it"
                    }
                }
                reviewLookups(share, target, &seen, &report)
                let sets = [call.shareArgument, call.readArgument].compactMap { $0 }
                for (place, maker) in sets.flatMap({ target.openCorrelations(inSet: $0) })
                where !Syntax(place.enclosingFunction).tellsKinds && seen.insert(maker.id).inserted
                {
                    guard let file = target.file(of: place) else { continue }
                    report.add(
                        "HealthKit ends the app when the other side asks for a correlation type: "
                            + "ask for the types of its samples instead",
                        at: place, in: file, severity: .warning)
                }
            }
        }
        reviewDelivery(target, &seen, &report)
    }

    /// Reports a name from elsewhere by which a type that only the system writes is shared; once
    /// for each set.
    private func reviewLookups(
        _ share: [RequestedElement], _ target: Target, _ seen: inout Set<SyntaxIdentifier>,
        _ report: inout Report
    ) {
        for element in share where element.isLookedUp {
            guard let place = element.lookup, let file = target.file(of: place),
                let type = element.choices.first(where: { Self.readOnly.contains($0.type.name) })?
                    .type,
                !Syntax(place.enclosingFunction).tellsKinds,
                seen.insert(place.enclosingFunction.id).inserted
            else { continue }
            report.add(
                "HealthKit ends the app when a caller asks to share \(type.name), which only "
                    + "the system writes: leave such types out of this set",
                at: place, in: file, severity: .warning)
        }
    }

    private func reviewDelivery(
        _ target: Target, _ seen: inout Set<SyntaxIdentifier>, _ report: inout Report
    ) {
        for call in target.index.calls["enableBackgroundDelivery"] ?? []
        where call.argument("frequency") != nil {
            guard let type = call.argument("for") else { continue }
            for element in target.requestedElements(ofType: type) {
                let bad = element.places { $0.kind == .correlation }
                add(bad, &seen, target, &report) {
                    "HealthKit ends the app when it should deliver a correlation type: enable "
                        + "\($0.contents) instead of \($0.name)"
                }
            }
        }
    }

    private func add(
        _ choices: [RequestedElement.Choice], _ seen: inout Set<SyntaxIdentifier>,
        _ target: Target, _ report: inout Report, _ message: (SampleType) -> String
    ) {
        for choice in choices where seen.insert(choice.place.id).inserted {
            guard let file = target.file(of: choice.place) else { continue }
            report.add(message(choice.type), at: choice.place, in: file)
        }
    }

    /// Types that only Apple's own software writes. From Data/unsharable-types.json.
    static let readOnly: Set<String> = [
        "appleExerciseTime", "appleSleepingWristTemperature", "appleStandHour", "appleStandTime",
        "appleWalkingSteadiness", "atrialFibrillationBurden", "headphoneAudioExposureEvent",
        "highHeartRateEvent", "hypertensionEvent", "lowHeartRateEvent", "walkingHeartRateAverage",
    ]
}

extension FunctionCallExprSyntax {
    /// Whether the call asks for access to types, or whether it would have to ask.
    fileprivate var asksForTypes: Bool {
        switch calledName {
        case "getRequestStatusForAuthorization", "statusForAuthorizationRequest":
            argument("toShare") != nil || argument("read") != nil
        default: isAuthorizationRequest
        }
    }
}

extension Syntax {
    /// Whether code tells types that can't be asked for from others.
    fileprivate var tellsKinds: Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            guard case .identifier(let text) = token.tokenKind else { return false }
            return text == "HKCorrelationType"
                || !Self.kinds.isDisjoint(with: text.camelCaseWords)
                || text.lowercased().contains("readonly")
        }
    }

    private static let kinds: Set<String> = [
        "writable", "writeable", "shareable", "sharable", "unsharable", "unshareable",
        "correlation", "readable", "subtracting", "allowed",
    ]
}

extension RequestedElement {
    /// Returns the choices that pass a test: at the element if all do, else where each is chosen.
    fileprivate func places(_ test: (SampleType) -> Bool) -> [Choice] {
        let bad = choices.filter { test($0.type) }
        guard bad.count == choices.count, let first = bad.first else { return bad }
        return [(first.type, node)]
    }
}

extension SampleType {
    /// What a correlation holds, for a message.
    fileprivate var contents: String {
        requiredMembers.isEmpty
            ? "the types of its samples"
            : requiredMembers.map { "`.\($0)`" }.joined(separator: " and ")
    }
}
