// Reads and writes weights; the plugin explains both.
import HealthKit

@objc(Scale) final class Scale: CDVPlugin {
    private let store = HKHealthStore()
    private let weight = HKQuantityType(.bodyMass)

    @objc(authorize:)
    func authorize(_ command: CDVInvokedUrlCommand) {
        store.requestAuthorization(toShare: [weight], read: [weight]) { _, error in
            let status = error == nil ? CDVCommandStatus_OK : CDVCommandStatus_ERROR
            self.commandDelegate.send(CDVPluginResult(status: status), callbackId: command.callbackId)
        }
    }
}
