// Methods of bridges that answer, keep the call, or leave the answer to their caller.
import HealthKit

typealias FlutterResult = (Any?) -> Void

final class CAPPluginCall {
    var keepAlive = false
    func getString(_ key: String) -> String? { nil }
    func resolve(_ data: [String: Any] = [:]) {}
    func reject(_ message: String) {}
    func success() {}
}

@objc(QuietPlugin) final class QuietPlugin: NSObject {
    private let store: HKHealthStore
    private var waiting: CAPPluginCall?

    init(store: HKHealthStore) { self.store = store }

    private func name(_ call: CAPPluginCall) -> String? {
        guard let name = call.getString("type"), !name.isEmpty else {
            call.reject("no type")
            return nil
        }
        return name
    }

    @objc func known(_ call: CAPPluginCall) {
        guard let name = name(call) else { return }
        call.resolve(["name": name])
    }

    @objc func watch(_ call: CAPPluginCall) {
        call.keepAlive = true
        waiting = call
    }

    @objc func old(_ call: CAPPluginCall) {
        if call.getString("type") == nil { return call.success() }
        call.success()
    }

    /// Only reads from the call.
    private func note(_ call: CAPPluginCall) {
        print(call.getString("note") ?? "")
    }
}

final class QuietSide {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func handle(_ method: String, result: @escaping FlutterResult) {
        guard method == "available" else { return result(nil) }
        result(HKHealthStore.isHealthDataAvailable())
    }

    private func checked(_ name: String?, result: @escaping FlutterResult) -> String? {
        guard let name else {
            result("no name")
            return nil
        }
        return name
    }
}
