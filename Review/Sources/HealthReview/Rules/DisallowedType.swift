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
            }
        }
        reviewDelivery(target, &seen, &report)
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
