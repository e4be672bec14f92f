import SwiftSyntax

/// Background delivery in an app that has no observer at all.
struct DeliveryWithoutObserver: Rule {
    let name = "delivery-without-observer"
    let summary = "background delivery enabled where no observer query exists"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("HKObserverQuery") else { return }
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            for call in file.uses.calls where call.isBackgroundDelivery {
                report.add(
                    "background delivery wakes an HKObserverQuery, and there is none: the app is "
                        + "never told of changes", at: call, in: file)
            }
        }
    }
}
