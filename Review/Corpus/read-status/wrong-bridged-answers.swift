// Permission in general told to another language by a status that is about sharing only.
import HealthKit

typealias FlutterResult = (Any?) -> Void
typealias RCTPromiseResolveBlock = (Any?) -> Void
typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void

enum Kind: String, CaseIterable {
    case weight, glucose, steps

    var type: HKQuantityType {
        switch self {
        case .weight: HKQuantityType(.bodyMass)
        case .glucose: HKQuantityType(.bloodGlucose)
        case .steps: HKQuantityType(.stepCount)
        }
    }
}

final class CAPPluginCall {
    func getArray(_ key: String) -> [String] { [] }
    func resolve(_ data: [String: Any] = [:]) {}
    func reject(_ message: String) {}
}

final class DartSide {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func ask(_ names: [String], writing: [String], result: @escaping FlutterResult) {
        let read = Set(names.compactMap { Kind(rawValue: $0)?.type as HKObjectType? })
        let share = Set(writing.compactMap { Kind(rawValue: $0)?.type as HKSampleType? })
        store.requestAuthorization(toShare: share, read: read) { _, error in
            result(error?.localizedDescription)
        }
    }

    func hasPermissions(_ names: [String], result: @escaping FlutterResult) {
        let kinds = names.compactMap(Kind.init(rawValue:))
        result(kinds.allSatisfy { store.authorizationStatus(for: $0.type) == .sharingAuthorized })  // finds read-status
    }

    private func isOn(_ kind: Kind) -> Bool {
        store.authorizationStatus(for: kind.type) == .sharingAuthorized  // finds read-status
    }

    func isAuthorized(_ names: [String], result: @escaping FlutterResult) {
        result(names.compactMap(Kind.init(rawValue:)).allSatisfy(isOn(_:)) ? isOn(.steps) : false)
    }
}

final class ScriptSide {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    @objc func checkPermissions(_ call: CAPPluginCall) {
        var states: [String: String] = [:]
        for name in call.getArray("types") {
            guard let kind = Kind(rawValue: name) else { return call.reject(name) }
            switch store.authorizationStatus(for: kind.type) {  // finds read-status
            case .sharingAuthorized: states[name] = "granted"
            case .sharingDenied: states[name] = "denied"
            default: states[name] = "prompt"
            }
        }
        call.resolve(states)
    }

    @objc func getAuthStatus(
        _ name: String, resolver resolve: @escaping RCTPromiseResolveBlock,
        rejecter reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let kind = Kind(rawValue: name) else { return reject("type", name, nil) }
        let status = store.authorizationStatus(for: kind.type)  // finds read-status
        resolve(status == .sharingAuthorized ? "authorized" : "denied")
    }
}

func AsyncFunction(_ name: String, _ body: @escaping ([String]) -> Bool) {}

struct HealthModule {
    let store: HKHealthStore

    func definition() {
        AsyncFunction("hasAuthorization") { names in
            names.compactMap(Kind.init(rawValue:)).contains {
                store.authorizationStatus(for: $0.type) == .sharingAuthorized  // finds read-status
            }
        }
    }
}
