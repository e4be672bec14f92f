// Observers that each call of a bridge's method, or each appearance, starts once more.
import HealthKit
import UIKit

class CAPPlugin {
    func notify(_ event: String) {}
}

final class CAPPluginCall {
    func getString(_ key: String) -> String? { nil }
    func resolve() {}
    func reject(_ message: String) {}
}

typealias FlutterResult = (Any?) -> Void

@objc final class ObservingPlugin: CAPPlugin {
    let store = HKHealthStore()
    private var observers: [String: HKObserverQuery] = [:]
    private var weightQuery: HKObserverQuery?

    private func type(_ name: String) -> HKSampleType? {
        name == "steps" ? HKQuantityType(.stepCount) : HKQuantityType(.bodyMass)
    }

    @objc func observe(_ call: CAPPluginCall) {
        guard let name = call.getString("type"), let type = type(name) else {
            return call.reject("type")
        }
        let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, _ in  // finds never-stopped
            self?.notify(name)
            done()
        }
        observers[name] = query
        store.execute(query)
        call.resolve()
    }

    @objc func unobserve(_ call: CAPPluginCall) {
        if let name = call.getString("type"), let query = observers.removeValue(forKey: name) {
            store.stop(query)
        }
        call.resolve()
    }

    @objc func observeWeight(_ call: CAPPluginCall) {
        weightQuery = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.bodyMass), predicate: nil
        ) { [weak self] _, done, _ in
            self?.notify("weight")
            done()
        }
        if let weightQuery { store.execute(weightQuery) }
        call.resolve()
    }

    @objc func setObserver(_ name: String) {
        guard let type = type(name) else { return }
        let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, _ in  // finds never-stopped
            defer { done() }
            self?.notify(name)
        }
        store.execute(query)
    }
}

final class HeartObserver {
    static let shared = HeartObserver()
    private let store = HKHealthStore()
    private var query: HKObserverQuery?

    func start(_ changed: @escaping () -> Void) {
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.heartRate), predicate: nil
        ) { _, done, _ in
            changed()
            done()
        }
        self.query = query
        store.execute(query)
    }

    func stop() {
        if let query { store.stop(query) }
    }
}

final class HeartController: UIViewController {
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        HeartObserver.shared.start { print("new heart rates") }
    }
}
