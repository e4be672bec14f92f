// Observers of bridges that replace the old one, or that are started once.
import HealthKit

class CAPPlugin {
    func load() {}
    func notify(_ event: String) {}
}

final class CAPPluginCall {
    var callbackId = ""
    func getString(_ key: String) -> String? { nil }
    func resolve() {}
    func reject(_ message: String) {}
}

@objc final class CarefulPlugin: CAPPlugin {
    let store = HKHealthStore()
    private var observers: [String: HKObserverQuery] = [:]
    private var stepQuery: HKObserverQuery?
    private var isWatching = false

    private func type(_ name: String) -> HKSampleType? {
        name == "steps" ? HKQuantityType(.stepCount) : HKQuantityType(.bodyMass)
    }

    private func drop(_ name: String) {
        if let old = observers[name] { store.stop(old) }
    }

    @objc func observe(_ call: CAPPluginCall) {
        guard let name = call.getString("type"), let type = type(name) else {
            return call.reject("type")
        }
        drop(name)
        let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, _ in
            self?.notify(name)
            done()
        }
        observers[name] = query
        store.execute(query)
        call.resolve()
    }

    /// Each call has its own query, which its token stops.
    @objc func subscribe(_ call: CAPPluginCall) {
        guard let name = call.getString("type"), let type = type(name) else {
            return call.reject("type")
        }
        let token = call.callbackId
        let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, _ in
            self?.notify(token)
            done()
        }
        observers[token] = query
        store.execute(query)
        call.resolve()
    }

    @objc func watch(_ call: CAPPluginCall) {
        guard !isWatching else { return call.resolve() }
        isWatching = true
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, done, _ in
            self?.notify("steps")
            done()
        }
        store.execute(query)
        call.resolve()
    }

    override func load() {
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, done, _ in
            self?.notify("steps")
            done()
        }
        stepQuery = query
        store.execute(query)
    }

    @objc func end(_ call: CAPPluginCall) {
        observers.values.forEach { store.stop($0) }
        if let stepQuery { store.stop(stepQuery) }
        call.resolve()
    }
}
