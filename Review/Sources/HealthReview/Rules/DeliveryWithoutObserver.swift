import SwiftSyntax

/// Reports background delivery in an app without an observer query.
struct DeliveryWithoutObserver: Rule {
    let name = "delivery-without-observer"
    let summary = "background delivery enabled where no observer query exists"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("HKObserverQuery") else { return }
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            for call in file.uses.calls where call.isBackgroundDelivery {
                report.add(
                    "the app never hears of changes: execute an HKObserverQuery, of which there is "
                        + "none", at: call, in: file)
            }
        }
    }
}
