// Queries that another language starts through C functions, or through a class beside the bridge.
import Foundation
import HealthKit

private let updates = StepUpdates()

@_cdecl("health_start_updates")
public func startUpdates() { updates.start() }

@_cdecl("health_stop_updates")
public func stopUpdates() { updates.stop() }

final class StepUpdates {
    private let store = HKHealthStore()
    private var observer: HKObserverQuery?

    func start() {
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in completion() }
        observer = query
        store.execute(query)
    }

    func stop() {
        guard let query = observer else { return }
        store.stop(query)
        observer = nil
    }
}

@objc public class NativeHealth: NSObject {
    @objc public static let shared = NativeHealth()
    private let store = HKHealthStore()
    private var pulse: HKAnchoredObjectQuery?

    @objc public func beginPulse() {
        let query = HKAnchoredObjectQuery(  // finds never-stopped
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 0
        ) { _, _, _, _, _ in }
        query.updateHandler = { _, samples, deleted, _, _ in print(samples ?? [], deleted ?? []) }
        pulse = query
        store.execute(query)
    }

    @objc public func endPulse() {
        if let pulse { store.stop(pulse) }
        pulse = nil
    }
}

@_cdecl("health_begin_pulse") public func healthBeginPulse() { NativeHealth.shared.beginPulse() }
@_cdecl("health_end_pulse") public func healthEndPulse() { NativeHealth.shared.endPulse() }

final class PulsePlugin: NSObject, FlutterPlugin {
    private let store = HKHealthStore()
    private var observer: HKObserverQuery?

    static func register(with registrar: FlutterPluginRegistrar) {}

    func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        switch call.method {
        case "start":
            watch()
            result(nil)
        case "stop":
            stopWatching()
            result(nil)
        default: result(FlutterMethodNotImplemented)
        }
    }

    private func watch() {
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.heartRate), predicate: nil
        ) { _, completion, _ in completion() }
        observer = query
        store.execute(query)
    }

    private func stopWatching() {
        if let observer { store.stop(observer) }
    }
}
